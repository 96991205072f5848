"""Helpers for WordprocessingML."""

from docx.oxml.ns import nsmap
from docx.oxml.parser import OxmlElement
from lxml import etree

W = f"{{{nsmap['w']}}}"
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
