"""Splits the text of contract HTML into runs without a block boundary or line break."""

from collections.abc import Iterator
from typing import NamedTuple

from lxml import etree

from pipeline.documents.subset import EXPRESSIONS, INLINES


class Slot(NamedTuple):
    """The `.text` or `.tail` of an element."""

    element: etree._Element
    attribute: str

    @property
    def text(self) -> str:
        """The slot's text."""
        return getattr(self.element, self.attribute) or ""


class Run(NamedTuple):
    """Text without a block boundary or line break.

    `text` is without formatting; `slots` are in document order. `block` is the nearest element that is not inline;
    `scope` is the enclosing data-each or None.
    """

    text: str
    slots: list[Slot]
    block: etree._Element
    scope: etree._Element | None


def interrupts(element: etree._Element) -> bool:
    """Whether an element ends a run: all except plain inline elements."""
    return element.tag not in INLINES or any(name in element.attrib for name in EXPRESSIONS)


def runs(body: etree._Element) -> Iterator[Run]:
    """Yields the runs of a tree in document order, without empty ones."""
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
