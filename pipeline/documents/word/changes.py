"""Tracked changes in Word."""

import copy
import re
from difflib import SequenceMatcher
from itertools import groupby
from typing import NamedTuple

from lxml import etree

from pipeline.documents.word.xml import W, add, add_text

DELETED, INSERTED = "del", "ins"
_WORD = re.compile(r"\s+|\w+|[^\w\s]")
_BREAKS = {f"{W}tab": "\t", f"{W}br": "\n"}
_NAMES = {text: tag.removeprefix(W) for tag, text in _BREAKS.items()}


class Piece(NamedTuple):
    """A word with its run's properties, or a field."""

    text: str
    properties: etree._Element | None
    field: etree._Element | None = None


def words_of(text: str) -> list[str]:
    """Words, spaces and signs."""
    return _WORD.findall(text)


def text_of(element: etree._Element) -> str:
    """The visible text of a block or row."""
    return "".join(_BREAKS.get(part.tag, part.text or "") for part in element.iter(f"{W}t", *_BREAKS))


class Changes:
    """Writes changes of an author."""

    def __init__(self, author: str) -> None:
        self.author = author or "Pipeline"

    def paragraph(self, old: etree._Element, new: etree._Element) -> etree._Element:
        """A paragraph with differing words deleted and inserted."""
        made, (before, after) = _frame(new), (_pieces(old), _pieces(new))
        former, later = ([piece.text for piece in pieces] for pieces in (before, after))
        for kind, i, j, k, m in SequenceMatcher(None, former, later, autojunk=False).get_opcodes():
            if kind == "equal":
                _write(made, after[k:m])
            else:
                self._changed(made, before[i:j], DELETED)
                self._changed(made, after[k:m], INSERTED)
        return made

    def mark_whole(self, paragraph: etree._Element, kind: str) -> etree._Element:
        """A wholly deleted or inserted paragraph."""
        made = _frame(paragraph)
        if kind == DELETED:
            etree.strip_elements(made, f"{W}bookmarkStart", f"{W}bookmarkEnd")
        properties = made.find(f"{W}pPr")
        if properties is None:
            properties = etree.Element(f"{W}pPr")
            made.insert(0, properties)
        self.mark(add(properties, "rPr"), kind)
        self._changed(made, _pieces(paragraph), kind)
        return made

    def _changed(self, paragraph: etree._Element, pieces: list[Piece], kind: str) -> None:
        if pieces:
            _write(self.mark(paragraph, kind), [piece._replace(field=None) for piece in pieces], kind)

    def mark(self, parent: etree._Element, kind: str) -> etree._Element:
        """Appends a change mark to a paragraph or properties."""
        return add(parent, kind, id=0, author=self.author)


def _frame(paragraph: etree._Element) -> etree._Element:
    made = etree.Element(f"{W}p", nsmap=paragraph.nsmap)
    for child in paragraph.iterchildren(f"{W}pPr", f"{W}bookmarkStart", f"{W}bookmarkEnd"):
        made.append(copy.deepcopy(child))
    return made


def _pieces(paragraph: etree._Element) -> list[Piece]:
    pieces = []
    for child in paragraph.iterchildren(f"{W}r", f"{W}fldSimple"):
        if child.tag == f"{W}fldSimple":
            pieces.append(Piece(text_of(child), child.find(f"{W}r/{W}rPr"), child))
            continue
        for part in child.iterchildren(f"{W}t", *_BREAKS):
            texts = [_BREAKS[part.tag]] if part.tag in _BREAKS else words_of(part.text or "")
            pieces += [Piece(text, child.find(f"{W}rPr")) for text in texts]
    return pieces


def _write(parent: etree._Element, pieces: list[Piece], kind: str | None = None) -> None:
    for (field, _looks), group in groupby(pieces, lambda piece: (piece.field, _written(piece.properties))):
        if field is not None:
            parent.append(copy.deepcopy(field))
            continue
        first, *others = group
        run = add(parent, "r")
        if first.properties is not None:
            run.append(copy.deepcopy(first.properties))
        for name, texts in groupby([first, *others], lambda piece: _NAMES.get(piece.text)):
            if name:
                for _ in texts:
                    add(run, name)
            else:
                add_text(run, "".join(piece.text for piece in texts), "delText" if kind == DELETED else "t")


def _written(properties: etree._Element | None) -> bytes:
    return b"" if properties is None else etree.tostring(properties)
