"""Inserts values into a contract as text, so that they are never parsed as markup or tags."""

import re
import unicodedata
from collections import deque

from lxml import etree

from pipeline.documents.subset import clean_text
from pipeline.validation.texts import DIRECTION_MARKS

# Separates the braces of "{{page}}" in a value, so that it is not read as a page number.
WORD_JOINER = "\u2060"
# After right-to-left text it keeps figures that follow in order; in a right-to-left contract it keeps "€" and "%"
# beside their figure.
LEFT_TO_RIGHT = "\u200e"
_BRACES = re.compile(r"\{(?=\{)")


def printable(text: str, direction: str = "ltr") -> str:
    """Cleans a value and adds direction marks that keep the order of the words around it.

    In an `ltr` contract a mark follows a right-to-left line; in an `rtl` one two marks enclose a left-to-right line.
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
    """Returns a value as texts and `br` elements."""
    first, *others = printable(text, direction).split("\n")
    result = [first]
    for line in others:
        result += [etree.Element("br"), line]
    return result


def filled(element: etree._Element, text: str, direction: str) -> etree._Element:
    """Fills an empty element with a value and returns it."""
    insert(element, "text", pieces(text, direction))
    return element


def insert(element: etree._Element, attribute: str, content: list[str | etree._Element]) -> None:
    """Replaces the text of a slot by texts and elements."""
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
    """Returns a text for a header or footer: one line, without page tags."""
    return _BRACES.sub("{" + WORD_JOINER, clean_text(text, "\ufffd").replace("\n", " "))
