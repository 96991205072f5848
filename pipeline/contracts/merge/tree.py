"""A contract's HTML as a tree, and its text in runs: what a reader sees as one stretch of text."""

from collections.abc import Iterator
from typing import NamedTuple

from lxml import etree, html

# A contract has a handful of levels; what nests deeper is no text, and every later step stays far from its limits.
MAX_DEPTH = 100
MAX_ELEMENTS = 30_000

INLINE = frozenset(["a", "span", "strong", "b", "em", "i", "u", "s", "sub", "sup"])
VOID = frozenset(["br", "hr", "col"])


class Excess(Exception):
    """The HTML is more than can be worked on; `code` is too_deep or too_large."""

    def __init__(self, code: str, message: str):
        super().__init__(message)
        self.code = code


class Slot(NamedTuple):
    """A place where text stands: `.text` of an element, or its `.tail`."""

    element: etree._Element
    attribute: str

    @property
    def text(self) -> str:
        """The text in this place."""
        return getattr(self.element, self.attribute) or ""


class Run(NamedTuple):
    """Text that no block boundary or line break interrupts.

    `text` is the whole of it, formatting left out; `slots` in document order; `block` is the nearest element around it
    that is not inline; `scope` the data-each that it stands in, or None.
    """

    text: str
    slots: list[Slot]
    block: etree._Element
    scope: etree._Element | None


def parse(source: str) -> etree._Element:
    """The element (a body) around the parsed fragment. Raises Excess.

    The parser gives up at 256 levels, so that a million nested elements cost no more than a few hundred.
    """
    parser = html.HTMLParser(encoding="utf-8", remove_comments=True, remove_pis=True)
    document = etree.fromstring(f"<html><body>{source}</body></html>".encode(), parser)
    if any(entry.type == etree.ErrorTypes.ERR_RESOURCE_LIMIT for entry in parser.error_log):
        raise Excess("too_deep", f"Elements nest more than {MAX_DEPTH} levels deep.")
    body = document.find("body")
    if body is None:
        return etree.Element("body")
    _measure(body)
    return body


def serialized(body: etree._Element) -> str:
    """The HTML of what stands in a body."""
    whole = etree.tostring(body, method="html", encoding="unicode", with_tail=False)
    return whole.removeprefix("<body>").removesuffix("</body>")


def _measure(body: etree._Element) -> None:
    depth = count = 0
    for event, _ in etree.iterwalk(body, events=("start", "end")):
        depth += 1 if event == "start" else -1
        count += event == "start"
        if depth > MAX_DEPTH + 1:
            raise Excess("too_deep", f"Elements nest more than {MAX_DEPTH} levels deep.")
        if count > MAX_ELEMENTS:
            raise Excess("too_large", f"There are more than {MAX_ELEMENTS:,} elements.")


def interrupts(element: etree._Element) -> bool:
    """Whether text before and inside an element are read apart: all but plain inline elements do that."""
    return element.tag not in INLINE or "data-each" in element.attrib or "data-if" in element.attrib


def runs(body: etree._Element) -> Iterator[Run]:
    """The runs of a tree in document order, empty ones left out."""
    blocks, scopes, slots, texts = [], [None], [], []
    for event, element in etree.iterwalk(body, events=("start", "end")):
        if interrupts(element):
            if text := "".join(texts):
                yield Run(text, slots, blocks[-1], scopes[-1])
            slots, texts = [], []
        if event == "start":
            _enter(element, blocks, scopes)
            slots.append(Slot(element, "text"))
            texts.append(element.text or "")
        else:
            _leave(element, blocks, scopes)
            slots.append(Slot(element, "tail"))
            texts.append(element.tail or "")


def _enter(element: etree._Element, blocks: list, scopes: list) -> None:
    if element.tag not in INLINE:
        blocks.append(element)
    if "data-each" in element.attrib:
        scopes.append(element)


def _leave(element: etree._Element, blocks: list, scopes: list) -> None:
    if element.tag not in INLINE:
        blocks.pop()
    if "data-each" in element.attrib:
        scopes.pop()
