"""Converts Word's list paragraphs to `ol` and `ul`.

Their form: `<p style="mso-list: l0 level2 lfo1"><span style="mso-list: Ignore">(a)&nbsp;</span>Text</p>`
"""

import re

from lxml import etree

_LEVEL = re.compile(r"mso-list\s*:[^;]*\blevel([1-9])\b", re.IGNORECASE)
_IGNORED = re.compile(r"mso-list\s*:\s*ignore\b", re.IGNORECASE)
# A number or bullet of a list paragraph without an mso-list style.
_MARKER = re.compile(r"\s*((?:\(?(?:\d{1,3}|[a-zA-Z]|[ivxIVX]{1,6})[.)])|[·•▪§o–-])[\s\u00a0]{2,}")
_BULLET = re.compile("o|[^0-9A-Za-z]*")
# (first number, list `type`); "" is decimal.
_TYPES = ((re.compile("[0-9]+"), ""), (re.compile("[iI]"), "i"), (re.compile("[a-zA-Z]"), "a"))


def settle_lists(body: etree._Element) -> None:
    """Nests each sequence of list paragraphs."""
    for paragraph in list(body.iter("p")):
        if paragraph.getparent() is not None and paragraph.getparent().tag != "li" and _level(paragraph):
            _gather(paragraph)


def _level(paragraph: etree._Element) -> int:
    """From 1; 0 for another paragraph."""
    if found := _LEVEL.search(paragraph.get("style", "")):
        return int(found[1])
    is_list = paragraph.get("class", "").startswith("MsoList")
    return int(is_list and bool(_MARKER.match(paragraph.text or "")))


def _gather(first: etree._Element) -> None:
    lists: list[etree._Element] = []
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
    number = marker.strip("().")
    kind = next((kind for form, kind in _TYPES if form.fullmatch(number)), "")
    if made.tag == "ol" and number.isdigit() and number != "1":
        made.set("start", number)
    elif made.tag == "ol" and kind:
        made.set("type", kind.upper() if number.isupper() else kind)
    return made


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
