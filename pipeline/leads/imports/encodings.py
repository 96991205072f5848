"""The encoding of an uploaded text."""

import codecs
import io
import re
from collections.abc import Iterator
from typing import IO, NamedTuple

import charset_normalizer

from pipeline.leads.imports.columns import refused

UTF_8, UTF_16 = "utf-8", "utf-16"
# The words of the parameter; each is a codec of Python. The first of equal guesses counts: ş is likelier than þ.
GUESSED = ("cp1254", "cp1252", "macroman", "cp1250", "cp1251", "cp1256", "cp932")
ENCODINGS = (UTF_8, UTF_16, *GUESSED, "iso-8859-1", "iso-8859-15")
# Letters beyond ASCII by language: text in a wrong encoding has letters of no one language.
_WESTERN = ("äöüß", "àâçéèêëîïôùûüÿœæ", "áéíñóúü", "àèéìíîòóùú", "ëïéèöüáóú", "áâãàçéêíóôõúü", "åäöæøéü", "áæéíðóúýþö")
_CENTRAL = ("ąćęłńóśźż", "áčďéěíňóřšťúůýž", "áäčďéíĺľňóôŕšťúýž", "áéíóöőúüű", "ăâîșțşţ", "čćđšž", "čšž", "äöüß")
_CYRILLIC = ("абвгдежзийклмнопрстуфхцчшщъыьэюяё", "абвгґдеєжзиіїйклмнопрстуфхцчшщьюя")
_TURKISH = ("çğıi̇öşüâîû",)
_TURKISH_ALONE = re.compile("[ğış]")
_ARABIC = ("ءآأؤإئابةتثجحخدذرزسشصضطظعغفقكلمنهوىيپچژگ",)
_LETTERS = {
    "cp1252": _WESTERN,
    "macroman": _WESTERN,
    "cp1250": _CENTRAL,
    "cp1254": _TURKISH,
    "cp1251": _CYRILLIC,
    "cp1256": _ARABIC,
    "cp932": (),
}
# Their letters do not stand in words with Latin ones.
_APART = ("cp1251", "cp1256", "cp932")
# Words of Cyrillic have no capitals after small letters.
_HUMPED = re.compile(r"[а-яё][А-ЯЁ]")
_JAPANESE = re.compile("[\u3000-\u30ff一-龠\uff01-\uff9f]")
# €, alone, is Ä of MacRoman.
_IN_WORD = re.compile(r"[a-z][^\W\x00-\x7f]|[^\W\x00-\x7f][a-z]")
_NEUTRAL = re.compile("[\x00-\x7f€„“”‚‘’«»–—…°§·¡¿\u00a0]+")
_WORD, _LATIN = re.compile(r"\w+"), re.compile("[a-z]")
_BOMS = ((codecs.BOM_UTF8, UTF_8), (codecs.BOM_UTF16_LE, UTF_16), (codecs.BOM_UTF16_BE, UTF_16))
# Better than letters of several languages.
_SIGNS_ALONE = 0.9
# So few letters do not tell an encoding.
_FEW = 8
_BLOCK, _SAMPLE = 256 * 1024, 64 * 1024
CURE = f"Save it as CSV UTF-8, or name its encoding by the parameter encoding: {', '.join(ENCODINGS)}."


class DecodedText(NamedTuple):
    """A text at its start, and the word for its encoding."""

    lines: IO[str]
    encoding: str


class _Text(io.TextIOWrapper):
    """A text whose file stays open."""

    def close(self) -> None:
        self.detach()


def open_text(file: IO[bytes], named: str | None) -> DecodedText:
    """Returns the Text in its own or the named encoding; raises 422 for none of ENCODINGS."""
    file.seek(0)
    start = file.read(_BLOCK)
    file.seek(0)
    encoding, codec = _marked(start) if named in (None, UTF_8, UTF_16) else (None, None)
    if encoding is None or (named is not None and named != encoding):
        encoding = codec = named or _guessed(file)
    if codec == UTF_16 and not start.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        codec = "utf-16-le"
    file.seek(0)
    # A broken character is an error of its row.
    lines = _Text(file, encoding="utf-8-sig" if codec == UTF_8 else codec, errors="surrogateescape", newline="")
    return DecodedText(lines, encoding)


def _marked(start: bytes) -> tuple[str | None, str | None]:
    """Returns (word, codec) by the byte order mark, or by the zeros of UTF-16 without one."""
    if start.startswith((codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)):
        raise refused("unsupported_encoding", f"The file is UTF-32. {CURE}")
    for mark, word in _BOMS:
        if start.startswith(mark):
            return word, word
    head = start[:400]
    if b"\x00" in head:
        even, odd = head[::2].count(0), head[1::2].count(0)
        if max(even, odd) * 4 > len(head) and min(even, odd) * 10 < len(head):
            return UTF_16, "utf-16-le" if odd > even else "utf-16-be"
        if (even + odd) * 20 > len(head):
            raise refused("unsupported_encoding", f"The file is not a text. {CURE}")
    return None, None


def _guessed(file: IO[bytes]) -> str:
    """UTF-8 if nearly all is, else the likeliest of GUESSED for the lines with other bytes than ASCII."""
    sample, good, bad = bytearray(), 0, 0
    for block in _blocks(file):
        if block.isascii():
            continue
        text = block.decode(UTF_8, "replace")
        broken = text.count("\ufffd")
        good, bad = good + sum(map(text.count, set(text) - _ASCII)) - broken, bad + broken
        if bad and len(sample) < _SAMPLE:
            sample += b"\n".join(line for line in block.splitlines() if not line.isascii())[:_SAMPLE]
    if bad * 10 <= good:
        return UTF_8
    found = charset_normalizer.from_bytes(bytes(sample), cp_isolation=list(GUESSED))
    likely = {codecs.lookup(name).name for match in found for name in match.could_be_from_charset}
    return max(GUESSED, key=lambda word: _rank(bytes(sample), word, likely))


def _rank(sample: bytes, word: str, likely: set[str]) -> tuple[float, bool]:
    """How well the letters fit languages; of equals, whether the library finds the encoding likely."""
    text = sample.decode(word, "replace")
    humps = len(_HUMPED.findall(text)) if word == "cp1251" else 0
    text = text.lower()
    letters, alphabets = _NEUTRAL.sub("", text), _LETTERS[word]
    fitting = letters
    if word in _APART:
        fitting = _NEUTRAL.sub("", _WORD.sub(lambda found: "" if _LATIN.search(found[0]) else found[0], text))
    if word == "cp932":
        best = together = len(_JAPANESE.findall(fitting))
    else:
        # One language is likelier than several; names of several stand in one file.
        best = max(sum(map(fitting.count, alphabet)) for alphabet in alphabets) - humps
        together = sum(map(fitting.count, set().union(*alphabets))) - humps
    share = (best + together) / 2 / len(letters) if letters else _SIGNS_ALONE
    if word == "cp1254" and not _TURKISH_ALONE.search(letters) or word == "macroman" and not _IN_WORD.search(text):
        share = 0
    return share, len(letters) < _FEW or codecs.lookup(word).name in likely


_ASCII = set(map(chr, range(128)))


def _blocks(file: IO[bytes]) -> Iterator[bytes]:
    """The content in blocks of whole lines."""
    file.seek(0)
    rest = b""
    while block := file.read(_BLOCK):
        head, end, rest = (rest + block).rpartition(b"\n")
        yield head + end
    yield rest
