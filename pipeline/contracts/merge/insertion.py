"""Inserts values as text, never as markup or tags."""

import re
import unicodedata
from collections import deque

from lxml import etree

from pipeline.documents.subset import clean_text
from pipeline.validation.types import DIRECTION_MARKS

# Separates the braces of a value, so that they are no tag when an edited text is merged again.
WORD_JOINER = "\u2060"
# After right-to-left text it keeps figures in order; in `rtl` contracts it keeps "€" and "%" beside their figure.
LEFT_TO_RIGHT = "\u200e"
_BRACES = re.compile(r"\{(?=\{)|\}(?=\})")


def printable(text: str, direction: str = "ltr") -> str:
    """A clean value with direction marks, so that the words around it keep their order."""
    lines = _parted(clean_text(DIRECTION_MARKS.sub("", text), "\ufffd")).split("\n")
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
    """A value as texts and `br` elements."""
    first, *others = printable(text, direction).split("\n")
    result = [first]
    for line in others:
        result += [etree.Element("br"), line]
    return result


def filled(element: etree._Element, text: str, direction: str) -> etree._Element:
    insert(element, "text", pieces(text, direction))
    return element


def insert(element: etree._Element, attribute: str, content: list[str | etree._Element]) -> None:
    """Replaces the text of a slot."""
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
    """One line of margin text, without page tags."""
    return _parted(", ".join(line for line in clean_text(text, "\ufffd").split("\n") if line.strip()))


def _parted(text: str) -> str:
    return _BRACES.sub(r"\g<0>" + WORD_JOINER, text)
