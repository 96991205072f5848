"""Inserts values as text, never as markup or tags."""

import re
import unicodedata
from collections import deque

from lxml import etree

from pipeline.contracts.merge import placeholders
from pipeline.documents.layout.margins import COUNTERS
from pipeline.documents.subset import clean_text
from pipeline.validation.types import DIRECTION_MARKS

# After right-to-left text it keeps figures in order; in `rtl` contracts it keeps "€" and "%" beside their figure.
LEFT_TO_RIGHT = "\u200e"
# Texts that an edit would take for a tag or placeholder.
_SPECIAL = re.compile(r"[{}\[«‹<%@#]")


def printable(text: str, direction: str = "ltr") -> str:
    """A clean value with direction marks, so that the words around it keep their order."""
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
    """A value as texts, literal texts and `br` elements."""
    first, *others = map(_literal, printable(text, direction).split("\n"))
    result = [first]
    for line in others:
        result += [etree.Element("br"), line]
    return result


def _literal(line: str) -> str | etree._Element:
    """The line, or an element that keeps it from being read as a tag when an edited text is merged again."""
    if not (_SPECIAL.search(line) and ("{{" in line or "}}" in line or any(placeholders.find(line)))):
        return line
    made = etree.Element("span", {"class": "literal"})
    made.text = line
    return made


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
    """One line of margin text, whose page tags are escaped."""
    line = ", ".join(line for line in clean_text(text, "\ufffd").split("\n") if line.strip())
    return COUNTERS.sub(lambda found: f"\\{found[0]}", line)
