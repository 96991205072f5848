"""Removes what an author hid: hidden text, comments, and the codes of fields."""

import re
from collections.abc import Iterator

from lxml import etree

from pipeline.documents.pasted.reading import GONE, LOOSE, PasteChange, classes, declared, drop, slots, text_of

_HIDDEN = {"display": "none", "mso-hide": "all", "visibility": "hidden", "opacity": "0", "content-visibility": "hidden"}
_ZERO = re.compile(r"0(?:\.0+)?(?:pt|px|em|rem|%)?")
_COMMENT_CLASSES = frozenset(["msocommentreference", "msocomanchor", "msocomtxt", "msocomoff", "comment-reference"])
# Google Docs: the comment's mark in the text, and the comment below it.
_GOOGLE_MARK, _GOOGLE_COMMENT = re.compile("#cmnt[0-9]+"), re.compile("#cmnt_ref[0-9]+")
_FIELD = "field-"
# Numbers of pages in another document.
_PAGES = ("PAGEREF", "PAGE", "NUMPAGES", "SECTIONPAGES")
_TICK = "FORMCHECKBOX"
_EXCERPT = 30


def remove(body: etree._Element) -> Iterator[PasteChange]:
    """Removes hidden text and comments with what is in them."""
    changes, last = list[PasteChange](), ""
    inside: etree._Element | None = None
    for event, element in etree.iterwalk(body, events=("start", "end")):
        if inside is None and event == "start":
            if kind := _kind(element):
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
    if "hidden" in element.attrib or (element.tag == "input" and element.get("type", "").lower() == "hidden"):
        return "hidden"
    if any(style.get(name) == value for name, value in _HIDDEN.items()) or _ZERO.fullmatch(style.get("font-size", "")):
        return "hidden"
    return None


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


class _Field:
    """An open field: its code, and then the text that it shows."""

    def __init__(self) -> None:
        self.code, self.shown, self.is_code = "", "", True

    @property
    def name(self) -> str:
        return (self.code.split() or [""])[0].upper()


def end_fields(body: etree._Element) -> Iterator[PasteChange]:
    """Removes the codes of Word's fields and keeps their text, except the numbers of pages."""
    ends = {element: mark for element in body.iter("span") if (mark := _mark(element))}
    marks = list(ends.values())
    if not marks or marks.count("begin") != marks.count("end"):  # a part of a field: its text may be the author's
        return
    open_fields, fields = list[_Field](), list[etree._Element]()
    for element, place in slots(body):
        if place == "text" and element in ends:
            mark = ends[element]
            if mark == "begin":
                open_fields.append(_Field())
            elif open_fields and mark == "separator":
                open_fields[-1].is_code = False
            elif open_fields:
                yield from _ended(open_fields.pop(), element)
            element.text = None
            fields.append(element)
        elif open_fields:
            _take(open_fields, element, place)
    for element in fields:
        element.tag = LOOSE


def _mark(element: etree._Element) -> str:
    found = declared(element).get("mso-element", "") if "field" in element.get("style", "").lower() else ""
    return found.removeprefix(_FIELD) if found.startswith(_FIELD) else ""


def _take(open_fields: list[_Field], element: etree._Element, place: str) -> None:
    field, text = open_fields[-1], getattr(element, place) or ""
    if field.is_code:
        field.code += text
    else:
        field.shown += text
    if any(one.is_code or one.name in _PAGES for one in open_fields):
        setattr(element, place, None)


def _ended(field: _Field, end: etree._Element) -> Iterator[PasteChange]:
    shown = " ".join(field.shown.split())
    if field.name == _TICK:
        end.tail = "☐" + (end.tail or "")
        yield PasteChange(
            "changed_marker", "A form field of Word prints as ☐, because pasted HTML does not have its tick"
        )
    elif field.name in _PAGES and shown:
        yield PasteChange("removed_field", f'The page number "{shown}" of the field {field.name} is removed')
    elif field.name and shown:
        yield PasteChange("removed_field", f'The field {field.name} is removed, its text "{shown[:60]}" stays')
    elif field.name:
        yield PasteChange("removed_field", f"The field {field.name} is removed")
