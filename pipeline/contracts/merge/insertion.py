"""Values on their way into a contract: as text, never as markup, never read again."""

import re
import unicodedata
from collections import deque

from lxml import etree

from pipeline.documents.subset import clean_text
from pipeline.validation.texts import DIRECTION_MARKS

# Between two braces it keeps a value's "{{page}}" from being read as a page number; it prints nothing.
WORD_JOINER = "\u2060"
# Behind a text from right to left it keeps figures and signs that follow from being drawn into it; around a figure in a
# contract from right to left it keeps "€" and "%" at their side. It prints nothing.
LEFT_TO_RIGHT = "\u200e"
_BRACES = re.compile(r"\{(?=\{)")


def printable(text: str, direction: str = "ltr") -> str:
    """A value without direction marks, but with one where it ends from right to left: words around it keep their order.

    In a contract from right to left it is the lines without any such letter that are kept together, between two marks.
    """
    lines = clean_text(DIRECTION_MARKS.sub("", text), "\ufffd").split("\n")
    return "\n".join((_enclosed if direction == "rtl" else _settled)(line) for line in lines)


def _settled(line: str) -> str:
    if line.isascii():
        return line
    directions = (unicodedata.bidirectional(char) for char in reversed(line))
    last = next((one for one in directions if one in ("L", "R", "AL", "AN")), "L")
    return line if last == "L" else line + LEFT_TO_RIGHT


def _enclosed(line: str) -> str:
    if not line.strip() or any(unicodedata.bidirectional(char) in ("R", "AL", "AN") for char in line):
        return line
    return f"{LEFT_TO_RIGHT}{line}{LEFT_TO_RIGHT}"


def pieces(text: str, direction: str = "ltr") -> list[str | etree._Element]:
    """A value as text and line breaks, for a contract of a direction."""
    first, *others = printable(text, direction).split("\n")
    result = [first]
    for line in others:
        result += [etree.Element("br"), line]
    return result


def filled(element: etree._Element, text: str, direction: str) -> etree._Element:
    """An empty element with a value as its content."""
    insert(element, "text", pieces(text, direction))
    return element


def insert(element: etree._Element, attribute: str, content: list[str | etree._Element]) -> None:
    """Put text and elements where the text of a slot stood."""
    setattr(element, attribute, None)
    texts: deque[str] = deque()
    for piece in reversed(content):
        if isinstance(piece, str):
            texts.appendleft(piece)
            continue
        piece.tail = "".join(texts) or None
        texts.clear()
        if attribute == "tail":
            element.addnext(piece)
        else:
            element.insert(0, piece)
    setattr(element, attribute, "".join(texts) or None)


def inert(text: str) -> str:
    """Text for a header or footer: on one line, and nothing in it is read as a page number."""
    return _BRACES.sub("{" + WORD_JOINER, clean_text(text, "\ufffd").replace("\n", " "))
