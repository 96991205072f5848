"""The numbers that Word counts for paragraphs, by their lists and styles."""

import re
from typing import NamedTuple

from lxml import etree
from num2words import num2words

from pipeline.documents.authored.package import Package, W
from pipeline.documents.authored.styles import ID, VALUE, Styles, is_on
from pipeline.documents.clauses import counted

LEVELS = 9
BULLET = "•"
_PLACE = re.compile("%([1-9])")
_SPELLED = {"cardinalText": "cardinal", "ordinalText": "ordinal"}
_SUFFIXES = {1: "st", 2: "nd", 3: "rd"}


class Label(NamedTuple):
    """A paragraph's number; `chain` has the text of each level down to it, and the highest level that this names.

    `about` is the `w:lvl`, if LibreOffice counts its list otherwise.
    """

    text: str
    list: str
    counts: tuple[int, ...]
    chain: tuple[tuple[str, int], ...]
    about: etree._Element | None = None

    def below(self, level: int) -> str:
        """The number for a reference, from a level on."""
        text, highest = self.chain[-1]
        while highest > level:
            above, highest = self.chain[highest - 1]
            text = (above if text[:1].isalnum() else above.rstrip(".")) + text
        return text.rstrip(".")

    def shared(self, other: "Label | None") -> int:
        """How many levels two numbers share."""
        if other is None or other.list != self.list:
            return 0
        pairs = zip(self.counts[:-1], other.counts, strict=False)
        return next(
            (place for place, (one, two) in enumerate(pairs) if one != two),
            min(len(self.counts) - 1, len(other.counts)),
        )


class _Level(NamedTuple):
    start: int
    form: str
    text: str
    restart: int
    legal: bool
    style: str | None
    about: etree._Element | None = None

    @property
    def is_foreign(self) -> bool:
        restarts = None if self.about is None else self.about.find(f"{W}lvlRestart")
        return self.legal or restarts is not None


class Numbers:
    """Counts the paragraphs of one file."""

    def __init__(self, package: Package, styles: Styles, language: str = "en") -> None:
        self.styles, self.language = styles, language
        name = package.related("numbering")
        numbering = package.tree(name) if name else etree.Element("none")
        self.kinds = {one.get(f"{W}abstractNumId"): one for one in numbering.iterfind(f"{W}abstractNum")}
        self.nums = {one.get(f"{W}numId"): one for one in numbering.iterfind(f"{W}num")}
        self.lists = {number: self._kind(one) for number, one in self.nums.items()}
        self.levels = {number: self._levels(number) for number in self.nums}
        self.counts: dict[str, list[int | None]] = {}
        self.begun: set[tuple[str, int]] = set()

    def label(self, paragraph: etree._Element) -> Label | None:
        """Counts the next paragraph in order; None without a number."""
        number, level = self._place(paragraph)
        if number not in self.levels or level >= len(self.levels[number]):
            return None
        levels, counts = self.levels[number], self.counts.setdefault(self.lists[number], [None] * LEVELS)
        first = (number, level) not in self.begun
        self.begun.add((number, level))
        override = self._override(number, level, "startOverride") if first else None
        former = counts[level]
        counts[level] = int(override) if override is not None else levels[level].start if former is None else former + 1
        for deeper in range(level + 1, LEVELS):
            if deeper >= len(levels) or level < levels[deeper].restart:
                counts[deeper] = None
        shown = tuple(levels[place].start if one is None else one for place, one in enumerate(counts[: level + 1]))
        chain = tuple(self._text(levels, place, shown) for place in range(level + 1))
        foreign = any(one.is_foreign for one in levels) and levels[level].form != "bullet"
        return Label(chain[-1][0], self.lists[number], shown, chain, levels[level].about if foreign else None)

    def _text(self, levels: list[_Level], level: int, counts: tuple[int, ...]) -> tuple[str, int]:
        one = levels[level]
        if one.form == "bullet":
            return (BULLET if one.text.strip() else ""), level
        places = [int(found[1]) - 1 for found in _PLACE.finditer(one.text)]

        def count(found: re.Match[str]) -> str:
            place = int(found[1]) - 1
            if place > level:
                return ""
            return self._counted("decimal" if one.legal else levels[place].form, counts[place])

        return _PLACE.sub(count, one.text), min([*places, level])

    def _counted(self, form: str, number: int) -> str:
        if form == "none":
            return ""
        if form == "decimalZero":
            return f"{number:02}"
        if form == "ordinal":
            teen = number // 10 % 10 == 1
            return (
                f"{number}{'th' if teen else _SUFFIXES.get(number % 10, 'th')}"
                if self.language[:2] == "en"
                else f"{number}."
            )
        if form in _SPELLED:
            try:
                return str(num2words(number, to=_SPELLED[form], lang=self.language[:2])).capitalize()
            except NotImplementedError:
                return str(number)
        return counted(form, number)

    def _place(self, paragraph: etree._Element) -> tuple[str, int]:
        own = paragraph.find(f"{W}pPr/{W}numPr")
        number, level = _value(own, "numId"), _value(own, "ilvl")
        for style in self.styles.of(paragraph):
            given = style.find(f"{W}pPr/{W}numPr")
            if number is None and _value(given, "numId") is not None:
                number = _value(given, "numId")
                linked = [
                    place for place, one in enumerate(self.levels.get(number or "", ())) if one.style == style.get(ID)
                ]
                level = level or (str(linked[0]) if linked else None)
            level = level or _value(given, "ilvl")
        return number or "0", int(level) if level and level.isdecimal() else 0

    def _kind(self, num: etree._Element) -> str:
        for _link in range(LEVELS):
            id = _value(num, "abstractNumId") or ""
            link = _value(self.kinds.get(id), "numStyleLink")
            style = self.styles.by_id.get(link)
            further = None if style is None else _value(style.find(f"{W}pPr/{W}numPr"), "numId")
            if further is None or self.nums.get(further) is None or self.nums[further] is num:
                break
            num = self.nums[further]
        return id

    def _levels(self, number: str) -> list[_Level]:
        kind = self.kinds.get(self.lists[number])
        own = {} if kind is None else {one.get(f"{W}ilvl"): one for one in kind.iterfind(f"{W}lvl")}
        given = {one.get(f"{W}ilvl"): one.find(f"{W}lvl") for one in self.nums[number].iterfind(f"{W}lvlOverride")}
        own |= {level: one for level, one in given.items() if one is not None}
        return [_level(own.get(str(level)), level) for level in range(LEVELS)] if own else []

    def _override(self, number: str, level: int, name: str) -> str | None:
        path = f"{W}lvlOverride[@{W}ilvl='{level}']"
        return _value(self.nums[number].find(path), name)


def _level(given: etree._Element | None, level: int) -> _Level:
    if given is None:
        return _Level(1, "none", "", level, False, None)
    # The last one is for programs without forms of their own.
    form = next(reversed([one.get(VALUE, "decimal") for one in given.iter(f"{W}numFmt")]), "decimal")
    restart = _value(given, "lvlRestart")
    return _Level(
        int(_value(given, "start") or 0),
        form,
        _value(given, "lvlText") or "",
        level if restart is None else int(restart),
        is_on(given.find(f"{W}isLgl")),
        _value(given, "pStyle"),
        given,
    )


def _value(holder: etree._Element | None, name: str) -> str | None:
    found = None if holder is None else holder.find(f"{W}{name}")
    return None if found is None else found.get(VALUE)
