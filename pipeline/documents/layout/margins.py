"""Layout of a header's or footer's three texts."""

import re
import unicodedata
from collections.abc import Sequence

from pipeline.documents.characters.advances import HELVETICA

SIDES = ("left", "center", "right")
# A backslash keeps one that is a value from being counted.
COUNTERS = re.compile(r"(?<!\\)\{\{\s*(pages?)\s*\}\}")
_ESCAPED = re.compile(r"\\(?=\{\{\s*pages?\s*\}\})")
# Millimetres: gap, line height (8 pt × 1.3).
GAP, LINE_HEIGHT = 3.5, 3.25
# Longer texts leave no room for the contract.
MAX_LINES = 20
_OTHER = 600
# Millimetres per thousandth of the font size.
_UNIT = 8 * 25.4 / 72 / 1000
Columns = list[tuple[str, str]]


def columns(texts: Sequence[str]) -> Columns:
    """[(side, text)] of the columns: all three if a centre text has a neighbour."""
    beside = any(texts[::2])
    return [(side, text) for side, text in zip(SIDES, texts, strict=True) if text or (texts[1] and beside)]


def parts(text: str) -> list[str]:
    """The texts of a margin, and at odd places the names of its counters."""
    return [_ESCAPED.sub("", part) for part in COUNTERS.split(text)]


def direction_of(text: str, direction: str) -> str:
    """The direction of the text's letters if they have one, else the document's."""
    letters = {unicodedata.bidirectional(char) for char in COUNTERS.sub("", text)} & {"L", "R", "AL"}
    if letters == {"L"}:
        return "ltr"
    return direction if not letters or "L" in letters else "rtl"


def width(columns: Columns, line: float) -> float:
    """A column's width in millimetres, in a line of this width."""
    return (line - GAP * (len(columns) - 1)) / len(columns)


def height(columns: Columns, line: float) -> float:
    """The approximate height in millimetres."""
    lines = max((_lines(COUNTERS.sub("00", text), width(columns, line)) for _side, text in columns), default=1)
    return min(lines, MAX_LINES) * LINE_HEIGHT


def _lines(text: str, room: float) -> int:
    """The lines of a text in so many millimetres; a word longer than a line breaks."""
    lines, used = 1, 0.0
    for word in text.split():
        wide = _UNIT * sum(HELVETICA.get(char, _OTHER) for char in word)
        if used and used + _UNIT * HELVETICA[" "] + wide > room:
            lines, used = lines + 1, 0.0
        elif used:
            used += _UNIT * HELVETICA[" "]
        used += wide
        while used > room:
            lines, used = lines + 1, used - room
    return lines
