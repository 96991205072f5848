"""Writes the table of contents as a Word field."""

from collections.abc import Callable
from itertools import count

from docx.shared import Pt
from lxml import etree

from pipeline.documents.word.containers import Container
from pipeline.documents.word.inline import Format, bookmark, write_text
from pipeline.documents.word.xml import W, add, add_text, new

# A bookmark around the listed headings.
PART = "_contents"
# An empty paragraph could leave the next page empty.
DISTANCE = Pt(11)


def write_contents(
    element: etree._Element, place: Container, new_paragraph: Callable[[Container], etree._Element]
) -> None:
    """Appends entries; `data-page` is the page."""
    last = None
    for entry in element:
        link = entry[0]
        target = bookmark(link.get("href"))
        paragraph = new_paragraph(place._replace(style=f"TOC{entry.get('class')[-1]}", align=None))
        if last is None:
            _mark(paragraph, "begin", f'TOC \\o "1-3" \\h \\z \\b {PART}')
        last = paragraph
        anchored = add(paragraph, "hyperlink", anchor=target, history=1)
        write_text(anchored, link.text, Format(), place.direction)
        add(add(anchored, "r"), "tab")
        _mark(anchored, "begin", f"PAGEREF {target} \\h")
        add_text(add(anchored, "r"), entry.get("data-page"))
        _mark(anchored, "end")
    if last is not None:
        _mark(last, "end")
        last.pPr.spacing_after = DISTANCE
        add(last, "bookmarkStart", id=0, name=PART)


def _mark(parent: etree._Element, kind: str, instruction: str | None = None) -> None:
    add(add(parent, "r"), "fldChar", fldCharType=kind)
    if instruction:
        add_text(add(parent, "r"), instruction, "instrText")
        add(add(parent, "r"), "fldChar", fldCharType="separate")


def finish(body: etree._Element) -> None:
    """Numbers the joined document's bookmarks, and ends the bookmark PART."""
    numbers, collected, opened = count(), None, list[str]()
    for mark in list(body.iter(f"{W}bookmarkStart", f"{W}bookmarkEnd")):
        if mark.tag == f"{W}bookmarkStart":
            opened.append(str(next(numbers)))
        mark.set(f"{W}id", opened[-1])
        if mark.get(f"{W}name") == PART:
            collected = new("bookmarkEnd")
            collected.set(f"{W}id", opened.pop())
        elif mark.tag == f"{W}bookmarkEnd":
            opened.pop()
    if collected is not None:
        body.sectPr.addprevious(collected)
