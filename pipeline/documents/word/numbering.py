"""List definitions of Word, one per list so that numbers restart."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from lxml import etree

from pipeline.documents.clauses import PLAIN, clause_levels, list_level, ordinal, plain_level, start_of
from pipeline.documents.word.xml import W, add

BULLETS = (("bullet", "•"),) * 9
# Twips, as in contract.css.
PLAIN_INDENT, BULLET_INDENT = 440, 360
_MARKUP = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
_WORD_2013 = "http://schemas.microsoft.com/office/word/2012/wordml"


class ListNumber(NamedTuple):
    """Definition, level from 0, distances in twips, style."""

    num_id: int
    level: int
    indent: int
    hanging: int
    style: str


class Numbering:
    """The list definitions of a document."""

    def __init__(self, element: etree._Element, direction: str) -> None:
        self.element, self.direction = element, direction
        self.count = 0
        self.bullets: int | None = None
        self.clauses: dict[etree._Element, int] = {}  # by list of clauses

    def of(self, element: etree._Element) -> ListNumber:
        numbers_clauses, level = list_level(element)
        if element.tag == "ul":
            self.bullets = self.bullets or self._define(BULLETS)
            return ListNumber(self.bullets, level - 1, BULLET_INDENT, 200, "ListBullet")
        if numbers_clauses:
            indent = (720, 0)[level - 1] if level < 3 else 560
            hanging = 720 if level < 3 else 560
            return ListNumber(self._clauses(element, level), level - 1, indent, hanging, "Clause")
        levels = [*PLAIN[: level - 1], plain_level(element), *PLAIN[level:]]
        num_id = self._define(levels, {level - 1: start_of(element)})
        return ListNumber(num_id, level - 1, PLAIN_INDENT, PLAIN_INDENT, "ListNumber")

    def _clauses(self, element: etree._Element, level: int) -> int:
        """The parent's definition, or a new one after a restart."""
        parent = element.getparent().getparent() if level > 1 else None
        first = level > 1 and not any(list_level(other)[0] for other in element.itersiblings("ol", preceding=True))
        if first and start_of(element) == 1:
            self.clauses[element] = self.clauses[parent]
        else:
            levels, starts = list(clause_levels(element)), {level - 1: start_of(element)}
            if level == 2:  # "%1" would not count the parent's items
                levels[1] = ("decimal", f"{ordinal(element.getparent())}.%2")
            self.clauses[element] = self._define(levels, starts)
        return self.clauses[element]

    def _define(self, levels: Sequence[tuple[str, str]], starts: Mapping[int, int] | None = None) -> int:
        self.count += 1
        definition = add(self.element, "abstractNum", abstractNumId=self.count)
        add(definition, "multiLevelType", val="multilevel")
        for level, (form, text) in enumerate(levels):
            element = add(definition, "lvl", ilvl=level)
            add(element, "start", val=(starts or {}).get(level, 1))
            add(element, "numFmt", val=form)
            add(element, "lvlText", val=text)
            _justify(element, self.direction)
        return self.count

    def finish(self) -> None:
        """Writes the instances; they are last in Word's schema."""
        for num_id in range(1, self.count + 1):
            add(add(self.element, "num", numId=num_id), "abstractNumId", val=num_id)


def _justify(level: etree._Element, direction: str) -> None:
    """LibreOffice takes the fallback: its left is never the start."""
    if direction == "ltr":
        add(level, "lvlJc", val="left")
        return
    alternatives = etree.SubElement(level, _MARKUP + "AlternateContent", nsmap={"mc": _MARKUP[1:-1], "w15": _WORD_2013})
    add(etree.SubElement(alternatives, _MARKUP + "Choice", Requires="w15"), "lvlJc", val="left")
    add(etree.SubElement(alternatives, _MARKUP + "Fallback"), "lvlJc", val="right")


def renumber(element: etree._Element) -> None:
    """Gives the definitions of a joined document unique ids."""
    for place, definition in enumerate(element.findall(W + "abstractNum"), start=1):
        for former in definition.findall(W + "nsid"):
            definition.remove(former)
        nsid = add(definition, "nsid", val=f"{0x50000000 + place:08X}")
        definition.insert(0, nsid)
