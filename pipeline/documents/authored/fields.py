"""The fields of a Word file, such as cross-references, and their results."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from lxml import etree

from .marks import FALLBACK, SIGNS, P, R, T
from .package import W

CHARACTER, CODE, SIMPLE = f"{W}fldChar", f"{W}instrText", f"{W}fldSimple"
# Those that count pages; LibreOffice knows them alone.
PAGES = frozenset(["PAGE", "NUMPAGES", "SECTIONPAGES", "PAGEREF"])
# Those whose result is a link, or that have none.
LEFT = frozenset(["HYPERLINK", "FORMTEXT", "FORMCHECKBOX", "FORMDROPDOWN", "INDEX", "TOA"])
_INSTRUCTION = re.compile(r'\s*(\S+)\s*(?:"([^"]*)"|([^\s"\\]+))?(.*)', re.S)
_SWITCH = re.compile(r"\\(\S)\s*([^\\]*)")


@dataclass
class Field:
    """A field: its code, the elements of this, and its result."""

    code: str = ""
    parts: list[etree._Element] = field(default_factory=list)
    shown: list[etree._Element] = field(default_factory=list)
    has_result: bool = False

    @property
    def kind(self) -> str:
        return self.code.split()[0].upper() if self.code.strip() else ""

    @property
    def argument(self) -> str:
        found = _INSTRUCTION.match(self.code)
        return (found[2] or found[3] or "") if found else ""

    @property
    def switches(self) -> dict[str, str]:
        """{letter: argument}"""
        found = _INSTRUCTION.match(self.code)
        return {letter.lower(): value.strip() for letter, value in _SWITCH.findall(found[4])} if found else {}

    @property
    def place(self) -> etree._Element:
        return next(self.parts[0].iterancestors(P))

    @property
    def text(self) -> str:
        return "".join(one.text or "" if one.tag == T else SIGNS[one.tag] for one in self.shown)

    def show(self, words: str) -> None:
        """Shows words in the format of the first ones."""
        texts = [one for one in self.shown if one.tag == T]
        if not texts or self.text == words:
            return
        texts[0].text = words
        for one in self.shown:
            if one is not texts[0]:
                one.getparent().remove(one)
        self.shown = texts[:1]

    def fix(self) -> None:
        """Leaves the result as text."""
        for part in self.parts:
            if part.tag == SIMPLE:
                for child in part.xpath("*[local-name() != 'fldData']"):
                    part.addprevious(child)
            run = part.getparent()
            run.remove(part)
            if run.tag == R and not [one for one in run if one.tag != f"{W}rPr"]:
                run.getparent().remove(run)


def fields_of(story: etree._Element) -> list[Field]:
    """The fields in the order of their ends."""
    found: list[Field] = []
    opened: list[Field] = []
    for element in _shown(story):
        if element.tag == SIMPLE:
            texts = [*element.iter(T, *SIGNS)]
            found.append(Field(element.get(f"{W}instr", ""), [element], texts, True))
        elif element.tag == CHARACTER:
            _turn(element, opened, found)
        elif element.tag == CODE and opened:
            opened[-1].code += element.text or ""
            opened[-1].parts.append(element)
        elif element.tag in (T, *SIGNS) and all(one.has_result for one in opened):
            for one in opened:
                one.shown.append(element)
    return found


def _turn(character: etree._Element, opened: list[Field], found: list[Field]) -> None:
    kind = character.get(f"{W}fldCharType")
    if kind == "begin":
        opened.append(Field())
    if not opened:
        return
    opened[-1].parts.append(character)
    if kind == "separate":
        opened[-1].has_result = True
    elif kind == "end":
        found.append(opened.pop())


def _shown(element: etree._Element) -> Iterator[etree._Element]:
    for child in element:
        if isinstance(child.tag, str) and child.tag != FALLBACK:
            yield child
            yield from _shown(child)
