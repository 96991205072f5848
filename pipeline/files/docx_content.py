"""Active content in a Word or Excel file: what would run or load when it is opened. Run by inspection.py.

Word finds everything by relationships, so those decide, whatever a part is called; and by fields, whose instructions
may be spread over many runs of text.
"""

from __future__ import annotations

import posixpath
import re
import zipfile
from pyexpat import ParserCreate
from typing import IO, NoReturn

# A contract of a thousand pages has less.
MAX_XML = 24 * 1024 * 1024
CHUNK = 64 * 1024
SEPARATOR = " "
WORD = (
    "http://schemas.openxmlformats.org/wordprocessingml/2006/main ",
    "http://purl.oclc.org/ooxml/wordprocessingml/main ",
)
DRAWING = "urn:schemas-microsoft-com:vml "
# By the last word of a relationship's type; the words of the two editions of the standard are the same.
RELATIONS = {
    "attachedTemplate": "a template that is loaded from elsewhere",
    "vbaProject": "macros",
    "wordVbaData": "macros",
    "keyMapCustomizations": "macros",
    "attachedToolbars": "macros",
    "oleObject": "an embedded object (OLE)",
    "package": "an embedded object (OLE)",
    "control": "an ActiveX control",
    "activeXControlBinary": "an ActiveX control",
    "aFChunk": "another document",
    "subDocument": "another document",
    "frame": "another document",
    "externalLink": "data of another workbook",
    "connections": "a data source",
    "mailMergeSource": "a data source",
    "mailMergeHeaderSource": "a data source",
}
# Where a document says which template it was made with, on the drive of its author: Word looks there, not elsewhere.
LOCAL = re.compile(r"file:///[a-z]:[\\/]")
LINKS = ("http:", "https:", "mailto:", "tel:", "#")
FIELDS = {
    "DDE": "a field that starts a program (DDE)",
    "DDEAUTO": "a field that starts a program (DDE)",
    "LINK": "a field that loads another file",
    "IMPORT": "a field that loads another file",
    "INCLUDE": "a field that loads another file",
    "INCLUDETEXT": "a field that loads another file",
    "INCLUDEPICTURE": "a field that loads another file",
    "EMBED": "an embedded object (OLE)",
    "CONTROL": "an ActiveX control",
    "DATABASE": "a data source",
    "RD": "another document",
    "MACROBUTTON": "macros",
}
ELSEWHERE = "content that is loaded from elsewhere"
MIXED = "a field whose kind is made by another field"


class Found(Exception):
    """The message says what stands in the way."""


def found(file: IO[bytes]) -> str | None:
    """What stands in the way in a Word document, or None. Raises for one that is damaged."""
    with zipfile.ZipFile(file) as archive:
        left = MAX_XML
        for part in archive.infolist():
            name = part.filename.lower()
            if not name.endswith((".xml", ".rels", ".vml")) and not _is_xml(archive, part):
                continue
            left -= part.file_size
            if left < 0:
                return "more text than a contract has"
            try:
                _read(archive, part, _Relations() if posixpath.splitext(name)[1] == ".rels" else _Fields())
            except Found as obstacle:
                return str(obstacle)
    return None


def _is_xml(archive: zipfile.ZipFile, part: zipfile.ZipInfo) -> bool:
    """Whether a part of any other name is XML: the content types, not the names, decide that for Word."""
    with archive.open(part) as content:
        start = content.read(64).replace(b"\0", b"").lstrip(b"\xef\xbb\xbf\xff\xfe \t\r\n")
    return start.startswith(b"<")


def _read(archive: zipfile.ZipFile, part: zipfile.ZipInfo, handler: _Relations | _Fields) -> None:
    """Give a part's elements and texts to a handler; in constant memory."""
    parser = ParserCreate(namespace_separator=SEPARATOR)
    parser.StartElementHandler, parser.EndElementHandler = handler.start, handler.end
    parser.CharacterDataHandler = handler.text
    parser.StartDoctypeDeclHandler = _declared
    with archive.open(part) as content:
        while chunk := content.read(CHUNK):
            parser.Parse(chunk)
        parser.Parse(b"", True)


def _declared(*_declaration: object) -> NoReturn:
    raise Found("entities of XML")


class _Relations:
    """Reads the relationships of a part."""

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """Judge one relationship."""
        if name.rpartition(SEPARATOR)[2] != "Relationship":
            return
        kind = attributes.get("Type", "").rpartition("/")[2]
        target = attributes.get("Target", "").strip().lower()
        if kind == "attachedTemplate" and LOCAL.match(target):
            return
        if kind in RELATIONS:
            raise Found(RELATIONS[kind])
        external = attributes.get("TargetMode", "").lower() == "external"
        if external and not (kind == "hyperlink" and target.startswith(LINKS)):
            raise Found(ELSEWHERE)

    def end(self, name: str) -> None:
        """Nothing is to do."""

    def text(self, text: str) -> None:
        """Nothing is to do."""


class _Fields:
    """Reads the fields of a part, which may stand in each other: `opened` holds the instruction of each.

    A field's instruction ends where its result begins; None stands for one that has been read.
    """

    def __init__(self) -> None:
        self.opened: list[str | None] = []
        self.instructing = False

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """Follow the beginning, the separator and the end of a field."""
        if name.startswith(DRAWING) and re.search(r"[:\\]", attributes.get("src", "")):
            raise Found(ELSEWHERE)
        if not name.startswith(WORD):
            return
        word, space, local = name.rpartition(SEPARATOR)
        if local == "instrText":
            self.instructing = True
        elif local == "fldSimple":
            _judge(attributes.get(f"{word}{space}instr", ""))
        elif local == "fldChar":
            self._mark(attributes.get(f"{word}{space}fldCharType"))

    def _mark(self, kind: str | None) -> None:
        if kind == "begin":
            if self.opened and self.opened[-1] is not None:
                _judge(self.opened[-1], more_follows=True)
            self.opened.append("")
        elif kind in ("separate", "end") and self.opened:
            if self.opened[-1] is not None:
                _judge(self.opened[-1])
                self.opened[-1] = None
            if kind == "end":
                self.opened.pop()

    def text(self, text: str) -> None:
        """Add to the instruction of the innermost field."""
        if self.instructing and self.opened and self.opened[-1] is not None and len(self.opened[-1]) < CHUNK:
            self.opened[-1] += text

    def end(self, name: str) -> None:
        """An instruction's text ends, or all fields with the part."""
        self.instructing = False


def _judge(instruction: str, more_follows: bool = False) -> None:
    """Raise Found for a field that loads or starts something; `more_follows`: another field stands next in it."""
    kind = instruction.split(None, 1)[:1]
    if more_follows and (not kind or instruction.strip() == kind[0] and not instruction[-1:].isspace()):
        raise Found(MIXED)
    if kind and (obstacle := FIELDS.get(kind[0].split("\\")[0].strip('"“”').upper())):
        raise Found(obstacle)
