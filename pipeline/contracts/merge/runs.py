"""Splits contract HTML into runs of text."""

from collections.abc import Iterator
from typing import NamedTuple

from lxml import etree

from pipeline.documents.subset import EXPRESSIONS, INLINES


class Slot(NamedTuple):
    """An element's `.text` or `.tail`."""

    element: etree._Element
    attribute: str

    @property
    def text(self) -> str:
        """The text, or an empty one."""
        return getattr(self.element, self.attribute) or ""


class Run(NamedTuple):
    """Text without block boundaries or line breaks.

    `block` is the nearest block element, `scope` the enclosing data-each or None.
    """

    text: str
    slots: list[Slot]
    block: etree._Element
    scope: etree._Element | None


def interrupts(element: etree._Element) -> bool:
    return element.tag not in INLINES or any(name in element.attrib for name in EXPRESSIONS)


def runs(body: etree._Element) -> Iterator[Run]:
    """The non-empty runs in document order."""
    blocks: list[etree._Element] = []
    scopes: list[etree._Element | None] = [None]
    slots: list[Slot] = []
    texts: list[str] = []
    for event, element in etree.iterwalk(body, events=("start", "end")):
        if interrupts(element):
            if text := "".join(texts):
                yield Run(text, slots, blocks[-1], scopes[-1])
            slots, texts = [], []
        if event == "start":
            if element.tag not in INLINES:
                blocks.append(element)
            if "data-each" in element.attrib:
                scopes.append(element)
            slots.append(Slot(element, "text"))
            texts.append(element.text or "")
        else:
            if element.tag not in INLINES:
                blocks.pop()
            if "data-each" in element.attrib:
                scopes.pop()
            slots.append(Slot(element, "tail"))
            texts.append(element.tail or "")
