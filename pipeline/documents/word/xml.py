"""Helpers for WordprocessingML."""

from collections.abc import Iterable

from docx.oxml.ns import nsmap
from docx.oxml.parser import OxmlElement
from lxml import etree

W = f"{{{nsmap['w']}}}"
# {line: (value, eighths of a point, colour)}.
_LINES = {
    "none": ("nil", 0, "auto"),
    "grid": ("single", 4, "B4B4B4"),
    "solid": ("single", 4, "111111"),
    "dashed": ("dashed", 4, "111111"),
    "dotted": ("dotted", 4, "111111"),
    "double": ("double", 4, "111111"),
}
_SPACE = "{http://www.w3.org/XML/1998/namespace}space"


def add(parent: etree._Element, name: str, /, **attributes: str | int) -> etree._Element:
    """Appends `<w:name>` with `w:` attributes."""
    element = etree.SubElement(parent, W + name)
    for key, value in attributes.items():
        element.set(W + key, str(value))
    return element


def new(name: str) -> etree._Element:
    """A new `<w:name>` element."""
    return OxmlElement(f"w:{name}")


def add_text(run: etree._Element, text: str | None, name: str = "t") -> etree._Element:
    element = add(run, name)
    element.text = text
    element.set(_SPACE, "preserve")


def draw_borders(properties: etree._Element, name: str, lines: Iterable[tuple[str, str]]) -> None:
    """Appends the borders of a cell or paragraph from (side, line); Word's schema has its own order of sides."""
    given = dict(lines)
    if name == "pBdr":
        given = {side: line for side, line in given.items() if line != "none"}
    if given:
        element = add(properties, name)
        for side in ("top", "left", "bottom", "right"):
            if side in given:
                value, size, colour = _LINES[given[side]]
                add(element, side, val=value, sz=size, space=0 if name == "tcBorders" else 1, color=colour)
