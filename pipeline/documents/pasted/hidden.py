"""Removes what an author hid: hidden text and comments."""

import re
from collections.abc import Iterator

from lxml import etree

from pipeline.documents.pasted import invisible
from pipeline.documents.pasted.reading import GONE, PasteChange, classes, declared, drop, text_of

_COMMENT_CLASSES = frozenset(["msocommentreference", "msocomanchor", "msocomtxt", "msocomoff", "comment-reference"])
# Google Docs: the comment's mark in the text, and the comment below it.
_GOOGLE_MARK, _GOOGLE_COMMENT = re.compile("#cmnt[0-9]+"), re.compile("#cmnt_ref[0-9]+")
_EXCERPT = 30


def remove(body: etree._Element) -> Iterator[PasteChange]:
    """Removes hidden text and comments with what is in them."""
    changes, last = list[PasteChange](), ""
    invisible.hide_columns(body)
    white = invisible.white(body)
    inside: etree._Element | None = None
    for event, element in etree.iterwalk(body, events=("start", "end")):
        if inside is None and event == "start":
            if kind := "hidden" if element in white else _kind(element):
                inside = element
                changes += _told(kind, text_of(element), last)
            else:
                last = (element.text or "").strip() or last
        if event == "end":
            if inside is not None and element is inside:
                element.tag, inside = GONE, None
            if inside is None:
                last = (element.tail or "").strip() or last
    drop(body)
    return iter(changes)


def _kind(element: etree._Element) -> str | None:
    """`hidden`, `comment`, or None for what is visible."""
    style = declared(element)
    if _COMMENT_CLASSES.intersection(classes(element)) or style.get("mso-element", "").startswith("comment"):
        return "comment"
    if element.tag in ("a", "div", "sup") and _is_google_comment(element):
        return "comment"
    return "hidden" if invisible.is_hidden(element) else None


def _is_google_comment(element: etree._Element) -> bool:
    if element.tag == "a":
        return bool(_GOOGLE_MARK.fullmatch(element.get("href", "")))
    first = element if element.tag == "sup" else next(element.iterchildren("p"), None)
    link = None if first is None else next(first.iterchildren("a"), None)
    wanted = _GOOGLE_MARK if element.tag == "sup" else _GOOGLE_COMMENT
    return link is not None and bool(wanted.fullmatch(link.get("href", "")))


def _told(kind: str, text: str, last: str) -> Iterator[PasteChange]:
    """The change without its text, which would be told to every reader of the template."""
    if count := len("".join(text.split())):
        noun = "A comment" if kind == "comment" else "Hidden text"
        where = f'after "{last[-_EXCERPT:]}"' if last else "at the beginning"
        yield PasteChange(f"removed_{kind}", f"{noun} of {count} characters {where} is removed")
