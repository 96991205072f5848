"""The likeliest encodings of a text: those in which its letters are words of one language."""

import codecs
import re
from collections import Counter
from collections.abc import Iterable, Sequence, Set
from typing import NamedTuple

import charset_normalizer

from pipeline.leads.imports import headers

# The codecs that spreadsheets save in. The first of equal guesses counts: ş is likelier than þ.
GUESSED = (
    *("cp1254", "cp1252", "macroman", "cp1250", "cp1253", "cp1255", "cp1251", "cp1256"),
    *("cp932", "cp949", "cp950", "gb18030"),
)


def _pairs(codec: str, first: Iterable[int]) -> str:
    """The characters of two bytes, by their first byte: each of these standards begins with the common ones."""
    found = (bytes((one, two)).decode(codec, "ignore") for one in first for two in (*range(64, 127), *range(128, 255)))
    return "".join(sign for sign in found if len(sign) == 1 and not sign.isascii())


# Letters beyond ASCII by language: text in a wrong encoding has letters of no one language.
_ALPHABETS = {
    "cp1252": (
        "äöüß",
        "àâçéèêëîïôùûüœæ",
        "áéíñóúü",
        "àèéìíîòóùú",
        "ëïéèöüáóú",
        "áâãàçéêíóôõúü",
        "åäöæøéü",
        "áæéíðóúýþö",
    ),
    "cp1250": ("ąćęłńóśźż", "áčďéěíňóřšťúůýž", "áäčďéíĺľňóôŕšťúýž", "áéíóöőúüű", "ăâîșțşţ", "čćđšž", "čšž", "äöüß"),
    "cp1251": ("абвгдежзийклмнопрстуфхцчшщъыьэюяё", "абвгґдеєжзиіїйклмнопрстуфхцчшщьюя"),
    # Without the rare ΐ and ΰ: Cyrillic has А and а in their place.
    "cp1253": ("αβγδεζηθικλμνξοπρστυφχψωςάέήίόύώϊϋ",),
    "cp1254": ("çğıi̇öşüâîû",),
    "cp1255": ("אבגדהוזחטיךכלםמןנסעףפץצקרשת׳״",),
    "cp1256": ("ءآأؤإئابةتثجحخدذرزسشصضطظعغفقكلمنهوىيپچژگ",),
    "cp932": (_pairs("cp932", range(0x82, 0x99)) + "々ー", "".join(map(chr, range(0xFF66, 0xFFA0)))),
    "cp949": (_pairs("euc_kr", range(0xB0, 0xC9)),),
    "cp950": (_pairs("cp950", range(0xA4, 0xC7)),),
    "gb18030": (_pairs("gb2312", range(0xB0, 0xD8)),),
}
_ALPHABETS["macroman"] = _ALPHABETS["cp1252"]
# Their letters do not stand in words with Latin ones.
_APART = ("cp1251", "cp1253", "cp1255", "cp1256", "cp932", "cp949", "cp950", "gb18030")
# A text without any of these letters is in another encoding: Turkish, accents in words, and Russian that is no Hebrew.
_OWN = {
    "cp1254": re.compile("[ğışİ]", re.IGNORECASE),
    "macroman": re.compile(r"[a-z][^\W\x00-\x7f]|[^\W\x00-\x7f][a-z]", re.IGNORECASE),
    "cp1251": re.compile("[А-Яыьэюяіїєґ]"),
    "cp932": re.compile("[ぁ-ヶ一-龠]"),
    "gb18030": re.compile(f"[{_pairs('gb2312', range(0xC9, 0xD8))}]"),
}
# Sequences that no language of the encoding has: Stãnescu, Szõke, Petroviæ, Gdañsk, Ayþe. Narrow kana are rare.
_ODD = {
    "cp1252": re.compile(r"ã(?![oe\W])|õ(?!e)|æ\b|ñ(?![aeiouáéíóú])|\Bþ"),
    "cp1253": re.compile(r"ς\B|σ\b"),
    "cp932": re.compile("[ｦ-ﾟ]{2}"),
}
# €, alone, is Ä of MacRoman.
_NEUTRAL = re.compile("[\x00-\x7f€„“”‚‘’«»–—…°§·¡¿\u00a0\u3000-\u3003\uff00-\uff5e]+")
# Signs stand beside words, not in them.
_IN_WORD = re.compile(r"\ufffd|(?<=[^\W\d_])[^\w\s\x00-\x7f’·´](?=[^\W\d_])|(?<=[^\W\d_l])·")
# MÅller, MŸhldorf.
_AFTER_CAPITAL = re.compile(r"[A-Z]([^\W\x00-\x7f])[a-z]")
_WORD, _LATIN = re.compile(r"\w+"), re.compile("[a-z]")
_CELL = re.compile(r"[^;,\t|\r\n\"]+")
# Better than letters of several languages.
_SIGNS_ALONE = 0.9
# So few letters do not tell an encoding.
_FEW = 8
# Characters that may hold the header.
_HEAD = 4_096


class Rank(NamedTuple):
    """How well an encoding fits: known headers, the share of fitting letters, the library's guess."""

    titles: int
    share: float
    likely: bool


def ranked(sample: bytes) -> list[tuple[Rank, str]]:
    """(rank, word) of each of GUESSED, the likeliest first; sample: lines with other bytes than ASCII."""
    found = charset_normalizer.from_bytes(sample, cp_isolation=list(GUESSED))
    likely = {codecs.lookup(name).name for match in found for name in match.could_be_from_charset}
    return sorted(((_rank(sample, word, likely), word) for word in GUESSED), key=lambda one: one[0], reverse=True)


def _rank(sample: bytes, word: str, likely: Set[str]) -> Rank:
    text = sample.decode(word, "replace")
    small = text.lower()
    letters = _NEUTRAL.sub("", small)
    fitting = letters
    if word in _APART:
        fitting = _NEUTRAL.sub("", _WORD.sub(lambda found: "" if _LATIN.search(found[0]) else found[0], small))
    share = _share(fitting, len(letters), _ALPHABETS[word], _misfits(text, word))
    if word in _OWN and not _OWN[word].search(text):
        share = 0
    return Rank(_titles(text), share, len(letters) < _FEW or codecs.lookup(word).name in likely)


def _share(fitting: str, total: int, alphabets: Sequence[str], misfits: int) -> float:
    if not total:
        return _SIGNS_ALONE
    counted = Counter(fitting)
    # One language is likelier than several; names of several stand in one file.
    best = max(sum(counted[letter] for letter in set(alphabet)) for alphabet in alphabets)
    together = sum(counted[letter] for letter in set().union(*alphabets))
    return ((best + together) / 2 - misfits) / total


def _misfits(text: str, word: str) -> int:
    """The number of capitals in words, signs in words, broken characters and odd sequences."""
    pairs = Counter(zip(text, text[1:], strict=False))
    capitals = sum(
        count for (one, two), count in pairs.items() if one.islower() and two.isupper() and not (one + two).isascii()
    )
    capitals += sum(map(str.isupper, _AFTER_CAPITAL.findall(text)))
    odd = len(_ODD[word].findall(text.lower())) if word in _ODD else 0
    return capitals + odd + len(_IN_WORD.findall(text))


def _titles(text: str) -> int:
    """The number of headers that are known, have letters beyond ASCII, and no other signs."""
    cells = (cell.strip() for cell in _CELL.findall(text[:_HEAD]))
    words = (cell for cell in cells if not cell.isascii() and cell.replace(" ", "").isalpha())
    return sum(headers.recognized(cell)[0] is not None for cell in words)
