"""How the three texts of a header, or of a footer, share its line: alike on paper and in Word."""

import math
import re
from collections.abc import Sequence

SIDES = ("left", "center", "right")
# What stands for the number of a page, and for how many there are.
COUNTERS = re.compile(r"\{\{\s*(pages?)\s*\}\}")
# Millimetres: the line, the space between two texts, the height of a line, the width of a letter (8 pt, generously).
LINE, GAP, LINE_HEIGHT, LETTER = 160, 3.5, 3.67, 1.6
# What is longer has no place on a page that shall hold a contract as well.
MAX_LINES = 20
# The sides that have a text, each with it.
Columns = list[tuple[str, str]]


def columns(texts: Sequence[str]) -> Columns:
    """[(side, text)] of the texts (left, center, right) that have a column: all three around one in the middle."""
    beside = any(texts[::2])
    return [(side, text) for side, text in zip(SIDES, texts, strict=True) if text or (texts[1] and beside)]


def width(columns: Columns) -> float:
    """The width in millimetres of each of the columns."""
    return (LINE - GAP * (len(columns) - 1)) / len(columns)


def further_height(columns: Columns) -> float:
    """The millimetres that the columns need beyond one line; estimated, rather too many than too few."""
    longest = max((len(text) for _side, text in columns), default=0)
    lines = math.ceil(longest * LETTER / width(columns)) if longest else 1
    return (min(lines, MAX_LINES) - 1) * LINE_HEIGHT
