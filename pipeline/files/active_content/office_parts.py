"""Checks a part of an Office file."""

import re

from . import formulas
from .obstacles import LINKED, Obstacle, words
from .office_lists import ELSEWHERE, LINK, LINK_ELEMENTS, judge_field

SEPARATOR = " "
LONGEST = 64 * 1024
WORD = (
    "http://schemas.openxmlformats.org/wordprocessingml/2006/main ",
    "http://purl.oclc.org/ooxml/wordprocessingml/main ",
)
RELATIONS = (
    "http://schemas.openxmlformats.org/officeDocument/2006/relationships ",
    "http://purl.oclc.org/ooxml/officeDocument/relationships ",
    "urn:schemas-microsoft-com:office:office relid",
)
DRAWING = "urn:schemas-microsoft-com:vml "
WORKBOOK = re.compile("spreadsheetml|excel|/chart")
FORMULAS = frozenset(words("f formula formula1 formula2 definedName calculatedColumnFormula totalsRowFormula"))
# Elements that act without a relationship.
REFUSED = {
    "OLEObject": "an embedded object (OLE)",
    "webVideoPr": "embedded media",
    "FmlaMacro": "macros",
    "ddeLink": "a formula that starts a program (DDE)",
    **dict.fromkeys(("webextension", "taskpane", "customUI"), "an add-in"),
}
# A field's current and deleted instruction.
INSTRUCTIONS = ("instrText", "delInstrText")
SOURCES = ("connectString", "dataSource")
ATTRIBUTES = {"macro": "macros", "vbProcedure": "macros", "xlm": "macros", "manifestLocation": ELSEWHERE}
OFF = ("", "0", "false")
# The name of a VSTO customization.
CUSTOMIZED = "_assembly"
AUTOMATIC = re.compile(r"(?:_xlnm\.)?auto_(?:open|close|activate|deactivate)", re.I)


class Part:
    """Checks a part's elements; `links` are external relationship ids.

    `opened`: [current, deleted] instructions of nested fields, None after a separator.
    """

    def __init__(self, links: frozenset[str] = frozenset()) -> None:
        self.links = links
        self.opened: list[list[str] | None] = []
        self.instructing: int | None = None
        self.formula: str | None = None

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """Checks a start tag."""
        space, separator, local = name.rpartition(SEPARATOR)
        space += separator
        if local in REFUSED:
            raise Obstacle(REFUSED[local])
        self._judge_attributes(space, local, attributes)
        if local in FORMULAS and WORKBOOK.search(space):
            self.formula = ""
        elif space in WORD:
            self._follow_field(space, local, attributes)

    def _judge_attributes(self, space: str, local: str, attributes: dict[str, str]) -> None:
        for name, value in attributes.items():
            own = name.rpartition(SEPARATOR)[2]
            if own in ATTRIBUTES and value.strip().lower() not in OFF:
                raise Obstacle(ATTRIBUTES[own])
            if value in self.links and local not in LINK_ELEMENTS and name.startswith(RELATIONS):
                raise Obstacle(ELSEWHERE)
            if own == "src" and space == DRAWING and re.search(r"[:\\]|^//", value):
                raise Obstacle(ELSEWHERE)
            if own == "href" and space == DRAWING and not LINK.match(value.strip()):
                raise Obstacle(LINKED)
            if own == "name" and (local == "property" and value.strip().lower().startswith(CUSTOMIZED)):
                raise Obstacle("a program that customizes it")
            if own == "name" and local == "definedName" and AUTOMATIC.match(value.strip()):
                raise Obstacle("macros")

    def _follow_field(self, space: str, local: str, attributes: dict[str, str]) -> None:
        if local in SOURCES:
            raise Obstacle("a data source")
        if local in INSTRUCTIONS:
            self.instructing = INSTRUCTIONS.index(local)
        elif local == "fldSimple":
            judge_field(attributes.get(f"{space}instr", ""))
        elif local == "fldChar":
            self._mark(attributes.get(f"{space}fldCharType"))

    def _mark(self, kind: str | None) -> None:
        if kind == "begin":
            self._judge_innermost(more_follows=True)
            self.opened.append(["", ""])
        elif kind in ("separate", "end") and self.opened:
            self._judge_innermost()
            self.opened[-1] = None
            if kind == "end":
                self.opened.pop()

    def _judge_innermost(self, more_follows: bool = False) -> None:
        if self.opened and (instruction := self.opened[-1]):
            for text in filter(None, instruction) if any(instruction) else ("",):
                judge_field(text, more_follows)

    def finish(self) -> None:
        """Checks unclosed fields."""
        while self.opened:
            self._judge_innermost()
            self.opened.pop()

    def text(self, text: str) -> None:
        """Extends a formula or instruction."""
        if self.formula is not None:
            self.formula += text
        elif self.instructing is not None and self.opened and (instruction := self.opened[-1]):
            instruction[self.instructing] = (instruction[self.instructing] + text)[:LONGEST]

    def end(self, _name: str) -> None:
        """Ends a formula or instruction."""
        self.instructing = None
        if self.formula is not None:
            formulas.judge(self.formula)
            self.formula = None
