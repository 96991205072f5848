"""Compares two revisions' Word files and tracks the changes.

Accepted, they give the later text, rejected the earlier one.
"""

from __future__ import annotations

import copy
import io
from collections.abc import Iterator
from difflib import SequenceMatcher

from docx import Document
from docx.document import Document as WordDocument
from lxml import etree

from pipeline.documents.word.changes import DELETED, INSERTED, Changes, text_of, words_of
from pipeline.documents.word.toc import PART
from pipeline.documents.word.xml import W, add

# Least similarity of a changed block or row, and the number of candidates compared.
ALIKE, REACH = 0.5, 20
# Of a body or cell; in a pair one side may be missing.
Blocks = list[etree._Element]
Pair = tuple[etree._Element | None, etree._Element | None]
_BLOCKS = (f"{W}p", f"{W}tbl")
# {container: part to compare}.
_PARTS = {f"{W}tbl": f"{W}tr", f"{W}tr": f"{W}tc"}


def render(earlier: bytes, later: bytes, author: str) -> WordDocument:
    """The later of two Word files, with tracked changes since the earlier."""
    former, document = Document(io.BytesIO(earlier)), Document(io.BytesIO(later))
    before, body = former.element.body, document.element.body
    for one in (before, body):
        _settle_fields(one)
    lists = _Lists(former.part.numbering_part.element, document.part.numbering_part.element)
    redline = _Redline(Changes(author), lists)
    redline.fill(body, redline.blocks(_blocks(before), _blocks(body)))
    for number, mark in enumerate(body.iter(f"{W}{INSERTED}", f"{W}{DELETED}")):
        mark.set(f"{W}id", str(number))
    return document


def _blocks(parent: etree._Element) -> Blocks:
    return list(parent.iterchildren(*_BLOCKS))


def _settle_fields(body: etree._Element) -> None:
    """Turns the table of contents into text; fields cannot hold changes."""
    for mark in list(body.iter(f"{W}fldChar", f"{W}instrText")):
        mark.getparent().getparent().remove(mark.getparent())
    for link in list(body.iter(f"{W}hyperlink")):
        for run in link:
            link.addprevious(run)
        link.getparent().remove(link)
    for start in [start for start in body.iter(f"{W}bookmarkStart") if start.get(f"{W}name") == PART]:
        for mark in [*body.iterchildren(f"{W}bookmarkEnd"), start]:
            mark.getparent().remove(mark)


class _Redline:
    def __init__(self, changes: Changes, lists: _Lists) -> None:
        self.changes, self.lists = changes, lists

    def fill(self, parent: etree._Element, blocks: Blocks) -> None:
        """Replaces the blocks of a body or cell."""
        for block in _blocks(parent):
            parent.remove(block)
        section = parent.find(f"{W}sectPr")
        for block in blocks:
            parent.append(block) if section is None else section.addprevious(block)

    def blocks(self, before: Blocks, after: Blocks) -> Blocks:
        """The merged blocks of a body or cell."""
        pairs = list(_aligned(before, after))
        for old, new in pairs:
            self.lists.note(old, new)
        return [block for old, new in pairs for block in self._block(old, new)]

    def _block(self, old: etree._Element | None, new: etree._Element | None) -> Blocks:
        if old is None or new is None:
            return [self._mark_whole(*((new, INSERTED) if old is None else (old, DELETED)))]
        if text_of(old) == text_of(new):
            return [new]
        if new.tag == f"{W}p":
            return [self.changes.paragraph(old, new)]
        if len(old.find(f"{W}tblGrid")) != len(new.find(f"{W}tblGrid")):
            return [self._mark_whole(old, DELETED), self._mark_whole(new, INSERTED)]
        return [self._table(old, new)]

    def _table(self, old: etree._Element, new: etree._Element) -> etree._Element:
        rows = [row for pair in _aligned(old.findall(f"{W}tr"), new.findall(f"{W}tr")) for row in self._row(*pair)]
        for row in new.findall(f"{W}tr"):
            new.remove(row)
        new.extend(rows)
        return new

    def _row(self, old: etree._Element | None, new: etree._Element | None) -> Blocks:
        cells = [[] if row is None else row.findall(f"{W}tc") for row in (old, new)]
        if len(cells[0]) != len(cells[1]):
            return [self._mark_whole(row, kind) for row, kind in ((old, DELETED), (new, INSERTED)) if row is not None]
        for before, after in zip(*cells, strict=True):
            self.fill(after, self._cell(_blocks(before), _blocks(after)))
        return [new]

    def _cell(self, before: Blocks, after: Blocks) -> Blocks:
        """Compares two single paragraphs by words, even very different ones."""
        if [block.tag for block in (*before, *after)] == [f"{W}p", f"{W}p"] and len(before) == len(after):
            return self._block(before[0], after[0])
        return self.blocks(before, after)

    def _mark_whole(self, element: etree._Element, kind: str) -> etree._Element:
        if kind == DELETED:
            self.lists.take_over(element)
        for row in list(element.iter(f"{W}tr")):
            self.changes.mark(row.find(f"{W}trPr"), kind)
        if element.tag == f"{W}p":
            return self.changes.mark_whole(element, kind)
        for paragraph in list(element.iter(f"{W}p")):
            paragraph.getparent().replace(paragraph, self.changes.mark_whole(paragraph, kind))
        return element


def _aligned(before: Blocks, after: Blocks) -> Iterator[Pair]:
    """(old, new) in order; None for a missing side."""
    former, later = ([(block.tag, text_of(block)) for block in side] for side in (before, after))
    for kind, i, j, k, m in SequenceMatcher(None, former, later, autojunk=False).get_opcodes():
        if kind == "equal":
            yield from zip(before[i:j], after[k:m], strict=True)
        else:
            yield from _paired(before[i:j], after[k:m])


def _paired(before: Blocks, after: Blocks) -> Iterator[Pair]:
    """Same as `_aligned` for different blocks; similar ones form pairs."""
    position = 0
    for new in after:
        near = range(position, min(len(before), position + REACH))
        found = next((place for place in near if _alike(before[place], new)), None)
        if found is None:
            yield None, new
        else:
            yield from ((old, None) for old in before[position:found])
            yield before[found], new
            position = found + 1
    yield from ((old, None) for old in before[position:])


def _alike(old: etree._Element, new: etree._Element) -> bool:
    """Whether tables share a row, rows a cell, or the words are similar."""
    if old.tag != new.tag:
        return False
    if part := _PARTS.get(new.tag):
        before, after = ([text_of(one) for one in side.iterfind(part)] for side in (old, new))
        same_columns = new.tag == f"{W}tbl" or len(before) == len(after)
        if same_columns and any(text.strip() and text in before for text in after):
            return True
    matcher = SequenceMatcher(None, words_of(text_of(old)), words_of(text_of(new)), autojunk=False)
    return matcher.real_quick_ratio() >= ALIKE and matcher.quick_ratio() >= ALIKE and matcher.ratio() >= ALIKE


class _Lists:
    def __init__(self, former: etree._Element, numbering: etree._Element) -> None:
        self.former, self.numbering = former, numbering
        self.known: dict[str, str] = {}

    def note(self, old: etree._Element | None, new: etree._Element | None) -> None:
        numbers = [[] if one is None else one.findall(f"{W}pPr/{W}numPr/{W}numId") for one in (old, new)]
        if all(numbers):
            (before,), (after,) = numbers
            self.known.setdefault(before.get(f"{W}val"), after.get(f"{W}val"))

    def take_over(self, element: etree._Element) -> None:
        """Moves a deleted block's items to the later document's lists."""
        for number in element.iter(f"{W}numId"):
            id = number.get(f"{W}val")
            if id not in self.known:
                self.known[id] = self._copied(id)
            number.set(f"{W}val", self.known[id])

    def _copied(self, id: str) -> str:
        definition = self.former.find(f"{W}num[@{W}numId='{id}']/{W}abstractNumId").get(f"{W}val")
        fresh = str(1 + max((int(one.get(f"{W}numId")) for one in self.numbering.iter(f"{W}num")), default=0))
        abstract = copy.deepcopy(self.former.find(f"{W}abstractNum[@{W}abstractNumId='{definition}']"))
        # Identifies a list in Word.
        abstract.find(f"{W}nsid").set(f"{W}val", f"{0x60000000 + int(fresh):08X}")
        own = str(10_000 + int(fresh))
        abstract.set(f"{W}abstractNumId", own)
        self.numbering.insert(0, abstract)
        add(add(self.numbering, "num", numId=fresh), "abstractNumId", val=own)
        return fresh
