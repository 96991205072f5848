"""Active content in a Word or Excel file: what would run or load when it is opened. Run by inspection.py.

Word finds everything by relationships, so those decide, whatever a part is called; and by fields, whose instructions
may be spread over many runs of text.
"""

from __future__ import annotations

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
# What stands in the way: by the last words of relationships' types, which are the same in the two editions of the
# standard, and by the first words of fields' instructions.
OBSTACLES = {
    "a template that is loaded from elsewhere": ("attachedTemplate", ""),
    "macros": ("vbaProject wordVbaData keyMapCustomizations attachedToolbars", "MACROBUTTON"),
    "an embedded object (OLE)": ("oleObject package", "EMBED"),
    "an ActiveX control": ("control activeXControlBinary", "CONTROL"),
    "another document": ("aFChunk subDocument frame", "RD"),
    "data of another workbook": ("externalLink", ""),
    "a data source": ("connections mailMergeSource mailMergeHeaderSource", "DATABASE"),
    "a field that starts a program (DDE)": ("", "DDE DDEAUTO"),
    "a field that loads another file": ("", "LINK IMPORT INCLUDE INCLUDETEXT INCLUDEPICTURE"),
}
RELATIONS = {word: obstacle for obstacle, (words, _) in OBSTACLES.items() for word in words.split()}
FIELDS = {word: obstacle for obstacle, (_, words) in OBSTACLES.items() for word in words.split()}
# Where a document says which template it was made with, on the drive of its author: Word looks there, not elsewhere.
LOCAL = re.compile(r"file:///[a-z]:[\\/]")
LINKS = ("http:", "https:", "mailto:", "tel:", "#")
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
                _read(archive, part, of_relations=name.endswith(".rels"))
            except Found as obstacle:
                return str(obstacle)
    return None


def _is_xml(archive: zipfile.ZipFile, part: zipfile.ZipInfo) -> bool:
    """Whether a part of any other name is XML: the content types, not the names, decide that for Word."""
    with archive.open(part) as content:
        start = content.read(64).replace(b"\0", b"").lstrip(b"\xef\xbb\xbf\xff\xfe \t\r\n")
    return start.startswith(b"<")


def _read(archive: zipfile.ZipFile, part: zipfile.ZipInfo, of_relations: bool) -> None:
    """Judge the relationships of a part, or its fields; in constant memory."""
    parser = ParserCreate(namespace_separator=SEPARATOR)
    parser.StartDoctypeDeclHandler = _declared
    if of_relations:
        parser.StartElementHandler = _judge_relation
    else:
        fields = _Fields()
        parser.StartElementHandler, parser.EndElementHandler = fields.start, fields.end
        parser.CharacterDataHandler = fields.text
    with archive.open(part) as content:
        while chunk := content.read(CHUNK):
            parser.Parse(chunk)
        parser.Parse(b"", True)


def _declared(*_declaration: object) -> NoReturn:
    raise Found("entities of XML")


def _judge_relation(name: str, attributes: dict[str, str]) -> None:
    """Raise Found for an element that is a relationship which loads or starts something."""
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
