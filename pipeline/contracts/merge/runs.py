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


# Stands for the text of a `literal`, which holds no tags and placeholders.
LITERAL = "\ufffc"


def is_literal(element: etree._Element) -> bool:
    return element.tag == "span" and "literal" in element.get("class", "").split()


def interrupts(element: etree._Element) -> bool:
    return element.tag not in INLINES or any(name in element.attrib for name in EXPRESSIONS)


def runs(body: etree._Element) -> Iterator[Run]:
    """The non-empty runs in document order, with LITERAL for literal text."""
    blocks: list[etree._Element] = []
    scopes: list[etree._Element | None] = [None]
    slots: list[Slot] = []
    texts: list[str] = []
    literal = 0
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
            literal += is_literal(element)
            slots.append(Slot(element, "text"))
            texts.append(_read(element.text, literal))
        else:
            if element.tag not in INLINES:
                blocks.pop()
            if "data-each" in element.attrib:
                scopes.pop()
            literal -= is_literal(element)
            slots.append(Slot(element, "tail"))
            texts.append(_read(element.tail, literal))


def _read(text: str | None, literal: int) -> str:
    return LITERAL * len(text or "") if literal else text or ""
