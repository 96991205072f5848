"""Finds active content in Word and Excel files by relationships and content types."""

import re
import zipfile
from pyexpat import ParserCreate
from typing import BinaryIO, NoReturn

from .obstacles import UNKNOWN_PART, Obstacle
from .office_lists import judge_name, judge_relation, judge_type
from .office_parts import SEPARATOR, OfficePart

# A contract of a thousand pages has less.
MAX_XML = 24 * 1024 * 1024
CHUNK = 64 * 1024
TYPES = "[content_types].xml"
OPEN = "application/vnd.openxmlformats-officedocument"
# {kind: (main part, its type)}; Office on the web numbers the part.
MAIN = {
    "docx": (re.compile(r"/word/document\d*\.xml"), f"{OPEN}.wordprocessingml.document.main+xml"),
    "xlsx": (re.compile(r"/xl/workbook\d*\.xml"), f"{OPEN}.spreadsheetml.sheet.main+xml"),
}


def inspect(file: BinaryIO, kind: str) -> str | None:
    """The obstacle in a `docx` or `xlsx`, or None; raises if damaged."""
    with zipfile.ZipFile(file) as archive:
        parts = {part.filename.lower(): part for part in archive.infolist()}
        read = [
            name for name, part in parts.items() if name.endswith((".xml", ".rels", ".vml")) or _is_xml(archive, part)
        ]
        if sum(parts[name].file_size for name in read) > MAX_XML:
            return "more text than a contract has"
        try:
            for part in parts.values():
                judge_name(part.orig_filename)
            _judge_types(archive, parts, *MAIN[kind])
            links = {}
            for name in filter(_is_relations, read):
                links[_source(name)] = _links(archive, parts[name])
            for name in read:
                if name != TYPES and not _is_relations(name):
                    _read(archive, parts[name], OfficePart(links.get(name, frozenset())))
        except Obstacle as obstacle:
            return str(obstacle)
    return None


def _is_xml(archive: zipfile.ZipFile, part: zipfile.ZipInfo) -> bool:
    """Decides by content, because Word ignores names."""
    with archive.open(part) as content:
        start = content.read(64).replace(b"\0", b"").lstrip(b"\xef\xbb\xbf\xff\xfe \t\r\n")
    return start.startswith(b"<")


def _is_relations(name: str) -> bool:
    return name.endswith(".rels")


def _source(name: str) -> str:
    return name.replace("_rels/", "").removesuffix(".rels")


def _read(archive: zipfile.ZipFile, part: zipfile.ZipInfo, reader: OfficePart) -> None:
    parser = ParserCreate(namespace_separator=SEPARATOR)
    parser.StartDoctypeDeclHandler = _declared
    parser.StartElementHandler, parser.EndElementHandler = reader.start, reader.end
    parser.CharacterDataHandler = reader.text
    with archive.open(part) as content:
        while chunk := content.read(CHUNK):
            parser.Parse(chunk)
        parser.Parse(b"", True)
    reader.finish()


def _declared(*_declaration: object) -> NoReturn:
    raise Obstacle("entities of XML")


class _Elements(OfficePart):
    def __init__(self, *names: str) -> None:
        super().__init__()
        self.names = names
        self.found: list[tuple[str, dict[str, str]]] = []

    def start(self, name: str, attributes: dict[str, str]) -> None:
        local = name.rpartition(SEPARATOR)[2]
        if local in self.names:
            self.found.append((local, attributes))


def _judge_types(
    archive: zipfile.ZipFile, parts: dict[str, zipfile.ZipInfo], main: re.Pattern[str], main_type: str
) -> None:
    elements = _Elements("Default", "Override")
    _read(archive, parts[TYPES], elements)
    main_types, extensions = set(), {name.rpartition(".")[2] for name in parts}
    overridden = {of.get("PartName", "").lower() for _element, of in elements.found}
    listed = {of.get("Extension", "").lower() for _element, of in elements.found}
    typed = [name for name in parts if name != TYPES and not name.endswith("/")]
    if any(f"/{name}" not in overridden and name.rpartition(".")[2] not in listed for name in typed):
        raise Obstacle(UNKNOWN_PART)
    for element, of in elements.found:
        content_type = of.get("ContentType", "")
        if element == "Override" or of.get("Extension", "").lower() in extensions:
            judge_type(content_type)
        if main.fullmatch(of.get("PartName", "").lower()) or (
            of.get("Extension", "").lower() == "xml" and not any(map(main.fullmatch, overridden))
        ):
            main_types.add(content_type.lower())
    if main_types != {main_type}:
        raise Obstacle("another type than its name says")


def _links(archive: zipfile.ZipFile, part: zipfile.ZipInfo) -> frozenset[str]:
    """Returns the ids of external relationships."""
    elements, ids = _Elements("Relationship"), set()
    _read(archive, part, elements)
    for _element, relation in elements.found:
        external = relation.get("TargetMode", "").strip().lower() == "external"
        judge_relation(relation.get("Type", "").rpartition("/")[2], relation.get("Target", "").strip(), external)
        if external and not relation.get("Type", "").endswith("/attachedTemplate"):
            ids.add(relation.get("Id", ""))
    return frozenset(ids)
