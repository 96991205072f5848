"""Converts Word's list paragraphs to `ol` and `ul`.

Their form: `<p style="mso-list: l0 level2 lfo1"><span style="mso-list: Ignore">(a)&nbsp;</span>Text</p>`
"""

import re
from collections import Counter
from collections.abc import Iterator

from lxml import etree

_LEVEL = re.compile(r"mso-list\s*:[^;]*\blevel([1-9])\b", re.IGNORECASE)
_IGNORED = re.compile(r"mso-list\s*:\s*ignore\b", re.IGNORECASE)
# A number or bullet of a list paragraph without an mso-list style.
_MARKER = re.compile(r"\s*((?:\(?(?:\d{1,3}|[a-zA-Z]|[ivxIVX]{1,6})[.)])|[·•▪§o–-])[\s\u00a0]{2,}")
_BULLET = re.compile(r"o|[\W_]*")
_COUNT = re.compile(r"[^\W_]+")
_ROMAN = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}
_NUMERAL = re.compile(r"(?=.)(?:c{0,3})(?:xc|xl|l?x{0,3})(?:ix|iv|v?i{0,3})")
_LETTERS = re.compile(r"([a-z])\1*")


def settle_lists(body: etree._Element) -> list[tuple[str, etree._Element]]:
    """Nests each sequence of list paragraphs; returns each marker with its item."""
    made = []
    for paragraph in list(body.iter("p")):
        if paragraph.getparent() is not None and paragraph.getparent().tag != "li" and _level(paragraph):
            made += _gather(paragraph)
    return made


def lost(body: etree._Element) -> Iterator[str]:
    """The changes of settle_lists to markers, as sentences without a full stop."""
    places: Counter[etree._Element] = Counter()
    for marker, item in settle_lists(body):
        made = item.getparent()
        number, kind = int(made.get("start", 1)) + places[made], made.get("type", "1")
        places[made] += 1
        if made.tag == "ul":
            if marker not in ("", "•", "·"):
                yield f'The bullet "{marker}" becomes "•"'
        elif (kind, number) not in _readings(marker):
            yield f'The list number "{marker}" becomes number {number} of its list'
        elif (form := _COUNT.sub(kind, marker)) != f"{kind}.":
            yield f'List numbers of the form "{form}" become "{kind}."'


def _level(paragraph: etree._Element) -> int:
    """From 1; 0 for another paragraph."""
    if found := _LEVEL.search(paragraph.get("style", "")):
        return int(found[1])
    is_list = paragraph.get("class", "").startswith("MsoList")
    return int(is_list and bool(_MARKER.match(paragraph.text or "")))


def _gather(first: etree._Element) -> list[tuple[str, etree._Element]]:
    lists: list[etree._Element] = []
    made = []
    for paragraph in _run(first):
        level, marker = _level(paragraph), _take_marker(paragraph)
        del lists[level:]
        if len(lists) == level and lists[-1].tag != _tag(marker):
            lists.pop()
        while len(lists) < level:
            lists.append(_opened(lists[-1] if lists else None, paragraph, marker))
        item = etree.SubElement(lists[-1], "li")
        lists[0].tail, paragraph.tail = paragraph.tail, None
        item.append(paragraph)
        made.append((marker, item))
    return made


def _run(first: etree._Element) -> list[etree._Element]:
    run = [first]
    for paragraph in first.itersiblings():
        if paragraph.tag != "p" or not _level(paragraph) or (run[-1].tail or "").strip():
            break
        run.append(paragraph)
    return run


def _tag(marker: str) -> str:
    return "ul" if _BULLET.fullmatch(marker) else "ol"


def _opened(above: etree._Element | None, paragraph: etree._Element, marker: str) -> etree._Element:
    made = etree.Element(_tag(marker))
    if above is None:
        paragraph.addprevious(made)
    else:
        (above[-1] if len(above) else etree.SubElement(above, "li")).append(made)
    if made.tag == "ol":
        kind, start = _readings(marker)[0]
        if kind != "1" or above is not None:  # lists in lists count by letters
            made.set("type", kind)
        if start != 1:
            made.set("start", str(start))
    return made


def _readings(marker: str) -> list[tuple[str, int]]:
    """The (list `type`, number) that a marker such as `(c)`, `iv.` or `2.3` can mean, the likeliest first."""
    number = (_COUNT.findall(marker) or [""])[-1]
    small = number.lower()
    if number.isdecimal() and len(number) < 5:
        return [("1", int(number))]
    readings = []
    if _LETTERS.fullmatch(small):
        readings.append(("a", ord(small[0]) - ord("a") + 1 + 26 * (len(small) - 1)))
    if _NUMERAL.fullmatch(small):
        values = [_ROMAN[letter] for letter in small]
        following = [*values[1:], 0]
        roman = sum(-one if one < after else one for one, after in zip(values, following, strict=True))
        readings.insert(0 if len(small) > 1 or small in "ivx" else 1, ("i", roman))
    if not readings:
        readings.append(("a" if number.isalpha() else "1", 1))
    return [(kind if number == small else kind.upper(), value) for kind, value in readings]


def _take_marker(paragraph: etree._Element) -> str:
    """Removes and returns the number or bullet."""
    for span in paragraph.iter("span"):
        if _IGNORED.search(span.get("style", "")):
            marker = "".join(span.itertext())
            tail, span.tail = span.tail or "", None
            before, parent = span.getprevious(), span.getparent()
            parent.remove(span)
            if before is not None:
                before.tail = (before.tail or "") + tail
            else:
                parent.text = (parent.text or "") + tail
            return marker.strip("\u00a0 \t\r\n")
    if found := _MARKER.match(paragraph.text or ""):
        paragraph.text = (paragraph.text or "")[found.end() :]
        return found[1]
    return ""
