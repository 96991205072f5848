"""Reads a part of a Word or Excel file, element by element: links, fields, formulas and what loads by itself."""

import re

from . import formulas
from .office_lists import ELSEWHERE, LINK, LINK_ELEMENTS, LINKED, Found, judge_field, words

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
SOURCES = ("connectString", "dataSource")
ATTRIBUTES = {"macro": "macros", "vbProcedure": "macros", "xlm": "macros", "manifestLocation": ELSEWHERE}
OFF = ("", "0", "false")
# A customization by a program (VSTO) is named in the properties of the file.
CUSTOMIZED = "_assembly"
AUTOMATIC = re.compile(r"(?:_xlnm\.)?auto_(?:open|close|activate|deactivate)", re.I)


class Part:
    """Sees the elements of a part. `links` are the ids of relationships that lead out of the file.

    Fields may stand in each other: `opened` holds the instruction of each. It ends where the field's result begins;
    None stands for one that has been read.
    """

    def __init__(self, links: frozenset[str] = frozenset()) -> None:
        self.links = links
        self.opened: list[str | None] = []
        self.instructing = False
        self.formula: str | None = None

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """Judge an element as it begins."""
        space, separator, local = name.rpartition(SEPARATOR)
        space += separator
        if local in REFUSED:
            raise Found(REFUSED[local])
        self._judge_attributes(space, local, attributes)
        if local in FORMULAS and WORKBOOK.search(space):
            self.formula = ""
        elif space in WORD:
            self._follow_field(space, local, attributes)

    def _judge_attributes(self, space: str, local: str, attributes: dict[str, str]) -> None:
        for name, value in attributes.items():
            own = name.rpartition(SEPARATOR)[2]
            if own in ATTRIBUTES and value.strip().lower() not in OFF:
                raise Found(ATTRIBUTES[own])
            if value in self.links and local not in LINK_ELEMENTS and name.startswith(RELATIONS):
                raise Found(ELSEWHERE)
            if own == "src" and space == DRAWING and re.search(r"[:\\]|^//", value):
                raise Found(ELSEWHERE)
            if own == "href" and space == DRAWING and not LINK.match(value.strip()):
                raise Found(LINKED)
            if own == "name" and (local == "property" and value.strip().lower().startswith(CUSTOMIZED)):
                raise Found("a program that customizes it")
            if own == "name" and local == "definedName" and AUTOMATIC.match(value.strip()):
                raise Found("macros")

    def _follow_field(self, space: str, local: str, attributes: dict[str, str]) -> None:
        """Follow the beginning, the separator and the end of a field."""
        if local in SOURCES:
            raise Found("a data source")
        if local == "instrText":
            self.instructing = True
        elif local == "fldSimple":
            judge_field(attributes.get(f"{space}instr", ""))
        elif local == "fldChar":
            self._mark(attributes.get(f"{space}fldCharType"))

    def _mark(self, kind: str | None) -> None:
        if kind == "begin":
            if self.opened and self.opened[-1] is not None:
                judge_field(self.opened[-1], more_follows=True)
            self.opened.append("")
        elif kind in ("separate", "end") and self.opened:
            if self.opened[-1] is not None:
                judge_field(self.opened[-1])
                self.opened[-1] = None
            if kind == "end":
                self.opened.pop()

    def text(self, text: str) -> None:
        """Add to a formula, or to the instruction of the innermost field."""
        if self.formula is not None:
            self.formula += text
        elif self.instructing and self.opened and self.opened[-1] is not None and len(self.opened[-1]) < LONGEST:
            self.opened[-1] += text

    def end(self, _name: str) -> None:
        """An instruction's text ends, or a formula."""
        self.instructing = False
        if self.formula is not None:
            formulas.judge(self.formula)
            self.formula = None
