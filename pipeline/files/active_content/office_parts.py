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
DRAWING, SVG = "urn:schemas-microsoft-com:vml ", "http://www.w3.org/2000/svg "
# VML's elements with images, and SVG's with programs.
FILLED, PROGRAMS = ("fill", "imagedata", "stroke"), ("script", "handler", "foreignObject")
INSIDE = re.compile("#|data:|$")
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


class OfficePart:
    """Checks a part's elements; `links` are external relationship ids.

    `opened`: [current, deleted] instructions of nested fields, None after a separator.
    """

    def __init__(self, links: frozenset[str] = frozenset()) -> None:
        self.links = links
        self.opened: list[list[str] | None] = []
        self.begun: list[int] = []
        self.instructing: int | None = None
        self.formulas: list[str] = []
        # Serial numbers of the foreign elements around, such as mc:Choice.
        self.foreign, self.met = [0], 0

    def start(self, name: str, attributes: dict[str, str]) -> None:
        space, separator, local = name.rpartition(SEPARATOR)
        space += separator
        if local in REFUSED:
            raise Obstacle(REFUSED[local])
        if space == SVG and local in PROGRAMS:
            raise Obstacle("a program")
        self._judge_attributes(space, local, attributes)
        is_formula = local in FORMULAS and WORKBOOK.search(space) is not None
        if self.instructing is not None or (self.formulas and not is_formula):
            raise Obstacle("a field or formula that readers understand in two ways")
        if is_formula:
            self.formulas.append("")
        elif space in WORD:
            self._follow_field(space, local, attributes)
            return
        self.met += 1
        self.foreign.append(self.met)

    def _judge_attributes(self, space: str, local: str, attributes: dict[str, str]) -> None:
        for name, value in attributes.items():
            own = name.rpartition(SEPARATOR)[2]
            if own in ATTRIBUTES and value.strip().lower() not in OFF:
                raise Obstacle(ATTRIBUTES[own])
            if value in self.links and local not in LINK_ELEMENTS and name.startswith(RELATIONS):
                raise Obstacle(ELSEWHERE)
            if own == "src" and space == DRAWING and re.search(r"[:\\]|^//", value):
                raise Obstacle(ELSEWHERE)
            if own == "href" and space in (DRAWING, SVG):
                _judge_address(space, local, value.strip())
            if own == "name" and (local == "property" and value.strip().lower().startswith(CUSTOMIZED)):
                raise Obstacle("a program that customizes it")
            if own == "name" and local == "definedName" and AUTOMATIC.match(value.strip()):
                raise Obstacle("macros")

    def _follow_field(self, space: str, local: str, attributes: dict[str, str]) -> None:
        if local in SOURCES:
            raise Obstacle("a data source")
        if local in INSTRUCTIONS:
            self._judge_place()
            self.instructing = INSTRUCTIONS.index(local)
        elif local == "fldSimple":
            judge_field(attributes.get(f"{space}instr", ""))
        elif local == "fldChar":
            self._mark(attributes.get(f"{space}fldCharType"))

    def _mark(self, kind: str | None) -> None:
        if kind == "begin":
            self._judge_innermost(more_follows=True)
            self.opened.append(["", ""])
            self.begun.append(self.foreign[-1])
        elif kind in ("separate", "end") and self.opened:
            self._judge_place()
            self._judge_innermost()
            self.opened[-1] = None
            if kind == "end":
                self.opened.pop()
                self.begun.pop()

    def _judge_place(self) -> None:
        # A program that skips unknown elements would read another field.
        if self.opened and self.opened[-1] is not None and self.begun[-1] != self.foreign[-1]:
            raise Obstacle("a field or formula that readers understand in two ways")

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
        if self.formulas:
            self.formulas[-1] += text
        elif self.instructing is not None and self.opened and (instruction := self.opened[-1]):
            instruction[self.instructing] += text
            if len(instruction[self.instructing]) > LONGEST:
                raise Obstacle("a field that is longer than a contract needs")

    def end(self, name: str) -> None:
        self.instructing = None
        if self.formulas:
            formulas.judge(self.formulas.pop())
        if not name.startswith(WORD) and len(self.foreign) > 1:
            self.foreign.pop()


def _judge_address(space: str, local: str, address: str) -> None:
    # Images come from the file, links lead to the web.
    if local in FILLED if space == DRAWING else local != "a":
        if not INSIDE.match(address):
            raise Obstacle(ELSEWHERE)
    elif not LINK.match(address):
        raise Obstacle(LINKED)
