"""Lists as Word writes them into HTML: paragraphs with a level in their style, and the number as text before them.

    <p class="MsoListParagraph" style="mso-list: l0 level2 lfo1"><span style="mso-list: Ignore">(a)&nbsp;</span>Text</p>

They become `ol` and `ul`. Word's web view and other editors write real lists already.
"""

import re

from lxml import etree

_LEVEL = re.compile(r"mso-list\s*:[^;]*\blevel([1-9])\b", re.IGNORECASE)
_IGNORED = re.compile(r"mso-list\s*:\s*ignore\b", re.IGNORECASE)
# A number or a bullet and the spaces after it, in a paragraph whose style Word has left out.
_MARKER = re.compile(r"\s*((?:\(?(?:\d{1,3}|[a-zA-Z]|[ivxIVX]{1,6})[.)])|[·•▪§o–-])[\s\u00a0]{2,}")
_BULLET = re.compile("o|[^0-9A-Za-z]*")
# The `type` of a list by its first number; a decimal one needs none.
_TYPES = ((re.compile("[0-9]+"), ""), (re.compile("[iI]"), "i"), (re.compile("[a-zA-Z]"), "a"))


def settle_lists(body: etree._Element) -> None:
    """Turn each run of Word's list paragraphs into nested lists."""
    for paragraph in list(body.iter("p")):
        if paragraph.getparent() is not None and paragraph.getparent().tag != "li" and _level(paragraph):
            _gather(paragraph)


def _level(paragraph: etree._Element) -> int:
    """The level of a list paragraph from 1; 0 for any other paragraph."""
    if found := _LEVEL.search(paragraph.get("style", "")):
        return int(found[1])
    is_list = paragraph.get("class", "").startswith("MsoList")
    return int(is_list and bool(_MARKER.match(paragraph.text or "")))


def _gather(first: etree._Element) -> None:
    """Put a paragraph and the list paragraphs that follow it into lists, where they stand."""
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
    """List paragraphs with nothing between them."""
    run = [first]
    for paragraph in first.itersiblings():
        if paragraph.tag != "p" or not _level(paragraph) or (run[-1].tail or "").strip():
            break
        run.append(paragraph)
    return run


def _tag(marker: str) -> str:
    return "ul" if _BULLET.fullmatch(marker) else "ol"


def _opened(above: etree._Element | None, paragraph: etree._Element, marker: str) -> etree._Element:
    """A new list for items that begin with a marker: in the last item of the list above, or before a paragraph."""
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
    """Take the number or bullet out of a paragraph: its text."""
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
