"""Removes the codes of fields."""

from collections.abc import Iterator

from lxml import etree

from pipeline.documents.pasted.reading import GONE, LOOSE, PasteChange, declared, drop, slots, text_of

_FIELD = "field-"
# Numbers of pages in another document; those of LibreOffice too.
_PAGES = ("PAGEREF", "PAGE", "NUMPAGES", "SECTIONPAGES", "DOCSTAT")
_TICK, _BUTTON = "FORMCHECKBOX", "MACROBUTTON"


class _Field:
    """An open field: its code, and then the text that it shows."""

    def __init__(self) -> None:
        self.code, self.shown, self.is_code = "", "", True

    @property
    def name(self) -> str:
        return (self.code.split() or [""])[0].upper()


def end(body: etree._Element) -> Iterator[PasteChange]:
    """Keeps the text of fields, except numbers of pages."""
    yield from _end_simple(body)
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


def _end_simple(body: etree._Element) -> Iterator[PasteChange]:
    for element in list(body.iter("span", "sdfield")):
        code = element.get("type", "") if element.tag == "sdfield" else declared(element).get("mso-field-code", "")
        if name := (code.strip("\"' ").split() or [""])[0].upper():
            yield _told(name, " ".join(text_of(element).split()))
            element.tag = GONE if name in _PAGES else LOOSE
    drop(body)


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
    elif field.name == _BUTTON:  # its text is the rest of its code
        end.tail = field.code.strip().partition(" ")[2].strip().partition(" ")[2] + (end.tail or "")
    elif field.name:
        yield _told(field.name, shown)


def _told(name: str, shown: str) -> PasteChange:
    if not shown:
        return PasteChange("removed_field", f"The field {name} is removed")
    if name in _PAGES:
        return PasteChange("removed_field", f'The page number "{shown}" of the field {name} is removed')
    return PasteChange("removed_field", f'The field {name} is removed, its text "{shown[:60]}" stays')
