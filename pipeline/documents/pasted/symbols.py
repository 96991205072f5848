"""Prints ticks and letters of symbol fonts as the signs that they show."""

from collections.abc import Iterator, Mapping

from lxml import etree

from pipeline.documents.pasted.reading import LOOSE, PasteChange, declared
from pipeline.documents.subset import clean_text

TICKED, EMPTY = "☑", "☐"
_CHOSEN, _OPEN = "◉", "○"
# The signs of the fonts, as far as contracts use them; letters that these lists lack are told.
_WINGDINGS = dict(zip(map(chr, range(0x80, 0x96)), "⓪①②③④⑤⑥⑦⑧⑨⑩⓿❶❷❸❹❺❻❼❽❾❿", strict=True)) | dict(
    zip('!"#()*6>?ACDEFGHJLNOQRTXY', "✏✂✁☎✆✉⌛✇✍✌👍👎☜☞☝☟☺☹☠⚐✈☼❄✠✡", strict=True)
)
_WINGDINGS |= dict(zip("lmnopqrstuvwxz", "●❍■☐☐❑❒⬧⧫◆❖⬥☒⌘", strict=True))
_WINGDINGS |= dict(zip("\x9e\x9f\xa1\xa4\xa7\xa8\xaa\xab\xac", "·•○◉▪☐✦★✶", strict=True))
_WINGDINGS |= dict(zip("Ø\xdcßàáâèïðûüýþ", "➢➲←→↑↓➔⇦⇨✗✓☒☑", strict=True))
_WINGDINGS_2 = dict(zip("OPQRST\xa3\x97", "✗✓☒☑☒☒☐●", strict=True))
_WEBDINGS = dict(zip("acgr=", "✓☐■✗■", strict=True))
_SYMBOL = dict(zip("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ", strict=True)) | dict(
    zip("abcdefghijklmnopqrstuvwxyz", "αβχδεφγηιϕκλμνοπθρστυϖωξψζ", strict=True)
)
_SYMBOL |= dict(zip("·£³¹±´¸°®¬¥ÒÓÔÖå¢²\xde\xdc", "•≤≥≠±×÷°→←∞®©™√∑′″⇒⇐", strict=True))
_FONTS = {"wingdings": _WINGDINGS, "wingdings 2": _WINGDINGS_2, "webdings": _WEBDINGS, "symbol": _SYMBOL}
# Signs that other programs write for those of the fonts already.
_KEPT = "•·●○■□▪☐☑☒✓✗➢❖–-–"
_PRIVATE = range(0xF020, 0xF100)
_UNKNOWN = "□"
# {class or data value of a list's item: its tick}.
_TASKS = {"tox-checklist--checked": TICKED, "checked": TICKED, "true": TICKED, "unchecked": EMPTY, "false": EMPTY}


def replace(body: etree._Element) -> Iterator[PasteChange]:
    """Puts signs in place of form controls and of letters in symbol fonts."""
    for control in list(body.iter("input")):
        control.tail = clean_text(f"{_sign(control)}{control.tail or ''}")
        control.tag = LOOSE
    yield from _letters(body)


def tick_of(item: etree._Element) -> str | None:
    """The tick of an item of an editor's checklist, or None."""
    given = [item.get(name, "") for name in ("aria-checked", "data-checked", "data-list")]
    for value in (one for one in given if one in _TASKS):
        return _TASKS[value]
    if any(name in _TASKS for name in item.get("class", "").split()):
        return TICKED
    return EMPTY if "tox-checklist" in item.getparent().get("class", "").split() else None


def in_font(marker: str, font: str) -> str:
    """The signs that a font shows."""
    return (_read(marker, font.lower())[0] or "").strip()


def _sign(control: etree._Element) -> str:
    kind, checked = control.get("type", "text").lower(), "checked" in control.attrib
    if kind == "checkbox":
        return TICKED if checked else EMPTY
    if kind == "radio":
        return _CHOSEN if checked else _OPEN
    return control.get("value", "") if kind in ("text", "number", "date", "email", "tel", "url") else ""


def _letters(body: etree._Element) -> Iterator[PasteChange]:
    fonts: list[str] = [""]
    for event, element in etree.iterwalk(body, events=("start", "end")):
        if event == "start":
            fonts.append(_family(element) or fonts[-1])
            element.text, lost = _read(element.text, fonts[-1])
        else:
            fonts.pop()
            element.tail, lost = _read(element.tail, fonts[-1]) if element is not body else (None, [])
        for letter, font in lost:
            yield PasteChange("changed_symbol", f'The sign "{letter}" of the font {font} is unknown and prints as "□"')


def _family(element: etree._Element) -> str:
    """The first font of an element, or ""."""
    style = declared(element)
    given = element.get("face", "") or style.get("font-family", "")
    if not given and (font := style.get("font", "")):
        given = next((name for name in _FONTS if font.endswith((name, f'"{name}"', f"'{name}'"))), "other")
    return given.split(",")[0].strip(" \"'").lower()


def _read(text: str | None, font: str) -> tuple[str | None, list[tuple[str, str]]]:
    """(the text in signs, [(lost letter, font)])."""
    known = _FONTS.get(font)
    if not text or not (known or any(ord(letter) in _PRIVATE for letter in text)):
        return text, []
    lost = list[tuple[str, str]]()
    return "".join(_shown(letter, known, font, lost) for letter in text), lost


def _shown(letter: str, known: Mapping[str, str] | None, font: str, lost: list[tuple[str, str]]) -> str:
    is_private = ord(letter) in _PRIVATE
    if not (known or is_private):
        return letter
    plain = chr(ord(letter) & 0xFF) if is_private else letter
    if sign := (known or _WINGDINGS).get(plain):
        return sign
    # Digits and signs of the font Symbol are those of the other fonts.
    if (
        plain.isspace()
        or letter in _KEPT
        or ord(letter) > 0xFF
        and not is_private
        or (font == "symbol" and plain < "A")
    ):
        return plain
    lost.append((letter, font.title() or "of symbols"))
    return _UNKNOWN
