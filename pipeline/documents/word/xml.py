"""WordprocessingML in few words."""

from docx.oxml.ns import nsmap
from docx.oxml.parser import OxmlElement
from lxml import etree

W = f"{{{nsmap['w']}}}"
_SPACE = "{http://www.w3.org/XML/1998/namespace}space"


def add(parent: etree._Element, name: str, /, **attributes: str | int) -> etree._Element:
    """Append `<w:name>` with `w:` attributes to an element; returns it."""
    element = etree.SubElement(parent, W + name)
    for key, value in attributes.items():
        element.set(W + key, str(value))
    return element


def new(name: str) -> etree._Element:
    """A `<w:name>` element of its own."""
    return OxmlElement(f"w:{name}")


def add_text(run: etree._Element, text: str | None, name: str = "t") -> etree._Element:
    """Append a run's text, its outer spaces kept; `name` is instrText for the instruction of a field."""
    element = add(run, name)
    element.text = text
    element.set(_SPACE, "preserve")
