"""The markers of list items: which ones the numbering of contracts prints, and paragraphs that keep theirs as text."""

import re
from typing import NamedTuple

from lxml import etree

from pipeline.documents.clauses import CLAUSES, TYPES, counted

COMPOUND = re.compile(r"[^\W_]+(?:[.\-][^\W_]+)+")
_COUNT = re.compile(r"[^\W_]+")
_ROMAN = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100, "d": 500, "m": 1000}
_NUMERAL = re.compile(r"(?=.)m{0,3}(?:cm|cd|d?c{0,3})(?:xc|xl|l?x{0,3})(?:ix|iv|v?i{0,3})")
_LETTERS = re.compile(r"([a-z])\1*")
# Bullets of which "•" is a picture; others stay as they are.
BULLETS = frozenset(["", "•", "·", "o", "§", "○", "●", "▪", "■", "□", "◦"])
DEEPEST = 9


class Reading(NamedTuple):
    """A list `type` and a number."""

    kind: str
    number: int

    @property
    def label(self) -> str:
        """The number without a full stop, as contracts print it."""
        return counted(TYPES[self.kind], self.number)

    def follows(self, before: "Reading") -> bool:
        return self == before._replace(number=before.number + 1)


def readings(marker: str) -> list[Reading]:
    """What a marker such as `c.`, `iv.` or `3.` can mean, the likeliest first; none for other forms."""
    number = marker.removesuffix(".")
    small = number.lower()
    if not marker.endswith(".") or not _COUNT.fullmatch(number):
        return []
    if number.isascii() and number.isdigit():
        return [Reading("1", int(number))] if number == str(int(number)) and 0 < int(number) < 10_000 else []
    found = []
    if _LETTERS.fullmatch(small):
        found.append(Reading("a", ord(small[0]) - ord("a") + 1 + 26 * (len(small) - 1)))
    if _NUMERAL.fullmatch(small):
        values = [_ROMAN[letter] for letter in small]
        following = [*values[1:], 0]
        roman = sum(-one if one < after else one for one, after in zip(values, following, strict=True))
        found.insert(0 if len(small) > 1 or small in "ivx" else 1, Reading("i", roman))
    cased = [one if number == small else one._replace(kind=one.kind.upper()) for one in found]
    return [one for one in cased if one.label == number]


def clause_label(level: int, numbers: list[int]) -> str:
    """The label of a numbered clause; `numbers` has one for each level."""
    form, text = CLAUSES[level - 1]
    if level == 2:
        text = text.replace("%1", str(numbers[0]))
    return text.replace(f"%{level}", counted(form, numbers[level - 1]))


def keep(block: etree._Element, marker: str, depth: int) -> None:
    """Makes a paragraph keep its marker as text at a depth from 1."""
    block.set("class", f"marked-{min(depth, DEEPEST)}")
    made = etree.Element("span", {"class": "marker"})
    made.text, made.tail = marker, f" {(block.text or '').lstrip()}"
    block.text = None
    block.insert(0, made)
