"""A Word file as parts; only changed ones are written anew."""

import io
import posixpath
import zipfile

from lxml import etree

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
RELATION = "{http://schemas.openxmlformats.org/package/2006/relationships}Relationship"
ROOT, TYPES = "_rels/.rels", "[Content_Types].xml"
# Of all parts with text.
FOLDER = "word"
# Kinds of relationships to parts with text, in the order of the reading copy.
STORIES = ("footnotes", "endnotes", "header", "footer")
# Before the first value; a contract of three hundred pages has less.
MAX_TEXT = 8 * 1024 * 1024
# A constant date makes the file reproducible.
_DATE = (1980, 1, 1, 0, 0, 0)


class Refused(Exception):
    """A file that cannot be a template, with the reason."""


class Package:
    """The parts of a DOCX that the inspection has passed."""

    def __init__(self, data: bytes) -> None:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            self.parts = {part.filename: archive.read(part) for part in archive.infolist() if not part.is_dir()}
        self.trees: dict[str, etree._Element] = {}
        relations = self.tree(ROOT) if ROOT in self.parts else ()
        targets = [
            one.get("Target", "").lstrip("/") for one in relations if one.get("Type", "").endswith("/officeDocument")
        ]
        self.main = next(iter(targets), "")
        self.forget(ROOT)
        if posixpath.dirname(self.main) != FOLDER or self.main not in self.parts or TYPES not in self.parts:
            raise Refused("The file is not named as Word does it; save it with Word as a Word document (.docx).")
        if not self.tree(self.main).tag.startswith(W):
            raise Refused("The file is a Strict Open XML Document; save it as a Word document (.docx).")

    def tree(self, name: str) -> etree._Element:
        """A part as a tree; a change of it changes the file."""
        if name not in self.trees:
            parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, remove_comments=False)
            self.trees[name] = etree.fromstring(self.parts[name], parser)
        return self.trees[name]

    def relations(self) -> etree._Element | None:
        """The relationships of the document, or None."""
        name = relations_of(self.main)
        return self.tree(name) if name in self.parts else None

    def stories(self) -> list[str]:
        """The names of the parts with text: the body, notes, headers and footers."""
        return [self.main, *(name for kind in STORIES for name in self._related(kind))]

    def check_size(self) -> None:
        """Raises Refused for a long text."""
        if sum(len(self.parts[name]) for name in self.stories()) > MAX_TEXT:
            raise Refused(f"The file has more than {MAX_TEXT >> 20} MiB of text with its formats.")

    def related(self, kind: str) -> str | None:
        """The name of the document's only part of a kind such as `styles`, or None."""
        return next(iter(self._related(kind)), None)

    def _related(self, kind: str) -> list[str]:
        relations = self.relations()
        found = [] if relations is None else relations.findall(RELATION)
        names = [one.get("Target", "") for one in found if one.get("Type", "").endswith(f"/{kind}")]
        known = [part_named(name) for name in names]
        return list(dict.fromkeys(name for name in known if name in self.parts))

    def forget(self, name: str) -> None:
        """Leaves a part as it is in the file."""
        self.trees.pop(name, None)

    def pack(self) -> bytes:
        """The file; each part that was not read is the same bytes."""
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, content in self.parts.items():
                if name in self.trees:
                    content = etree.tostring(self.trees[name], xml_declaration=True, encoding="UTF-8", standalone=True)
                archive.writestr(zipfile.ZipInfo(name, _DATE), content, zipfile.ZIP_DEFLATED)
        return packed.getvalue()


def part_named(target: str) -> str:
    """The name of the part that a relationship of the document leads to."""
    return posixpath.normpath(posixpath.join(FOLDER, target)).lstrip("/")


def relations_of(name: str) -> str:
    """The name of the part with a part's relationships."""
    folder, base = posixpath.split(name)
    return posixpath.join(folder, "_rels", f"{base}.rels")
