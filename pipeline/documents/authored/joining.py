"""Joins the Word files of a contract, and marks a draft."""

import copy
import io
from collections.abc import Callable, Sequence
from functools import partial

from docx import Document as open_document
from docx.document import Document as WordDocument
from docx.opc.constants import RELATIONSHIP_TYPE as RT
from docx.opc.oxml import serialize_part_xml
from docx.opc.part import Part
from docx.oxml import parse_xml
from docx.package import Package
from docxcompose.composer import Composer
from lxml import etree

from pipeline.documents.authored.package import R, W
from pipeline.documents.document import Document
from pipeline.documents.layout import watermark

MARGINS = {f"{W}headerReference": RT.HEADER, f"{W}footerReference": RT.FOOTER}
ID = f"{W}id"
# An attribute of Word 2013; the first file may not declare its namespace as one to ignore.
RESTARTS = "{http://schemas.microsoft.com/office/word/2012/wordml}restartNumberingAfterBreak"
NEW_PAGES = ("nextPage", "oddPage", "evenPage")


def joined(files: Sequence[bytes]) -> bytes:
    """One Word file; each further one begins a section with its own paper, margins and numbering.

    It continues the headers and footers before it if it has none.
    """
    if len(files) == 1:
        return files[0]
    composer = Composer(open_document(io.BytesIO(files[0])))
    # Each file's lists have their own definitions.
    composer.restart_numbering = False
    for file in files[1:]:
        further = open_document(io.BytesIO(file))
        _drop_restarts(further)
        _begin_section(composer.doc, further)
        endnotes = _endnotes_after(composer.doc, further)
        composer.append(further, remove_property_fields=False)
        _add_endnotes(composer, further, endnotes)
        _end_sections(composer, further)
    return _saved(composer.doc)


def watermarked(file: bytes, document: Document) -> bytes:
    """The file with the watermark of a Document in each header."""
    made = open_document(io.BytesIO(file))
    for position, section in enumerate(made.sections):
        headers = [section.header]
        if section.different_first_page_header_footer:
            headers.append(section.first_page_header)
        if made.settings.odd_and_even_pages_header_footer:
            headers.append(section.even_page_header)
        for header in headers:
            if not position or not header.is_linked_to_previous:
                header.paragraphs[0]._p.append(watermark.word(document))
    return _saved(made)


def _saved(document: WordDocument) -> bytes:
    written = io.BytesIO()
    document.save(written)
    return written.getvalue()


def _drop_restarts(document: WordDocument) -> None:
    for part in (one.target_part for one in document.part.rels.values() if one.reltype == RT.NUMBERING):
        for definition in part.element:
            definition.attrib.pop(RESTARTS, None)


def _begin_section(document: WordDocument, further: WordDocument) -> None:
    body = document.element.body
    last = body.sectPr
    following = copy.deepcopy(further.element.body.sectPr)
    for reference in list(following.iterchildren(*MARGINS)):
        following.remove(reference)
    body.replace(last, following)
    end = etree.SubElement(etree.SubElement(etree.Element(f"{W}p"), f"{W}pPr"), last.tag)
    end.getparent().replace(end, last)
    following.addprevious(last.getparent().getparent())


def _end_sections(composer: Composer, further: WordDocument) -> None:
    """Restores parts that docxcompose drops or mixes."""
    theirs = [section._sectPr for section in further.sections]
    ours = [section._sectPr for section in composer.doc.sections][-len(theirs) :]
    for place, (own, given) in enumerate(zip(ours, theirs, strict=True)):
        kept = [copy.deepcopy(one) for one in given]
        if place == 0:
            # A schedule begins a page.
            kept = [one for one in kept if one.tag != f"{W}type" or one.get(f"{W}val") in NEW_PAGES]
            if not any(one.tag in MARGINS for one in kept):
                kept = [one for one in kept if one.tag != f"{W}titlePg"]
        own[:] = kept
        for reference in own.iterchildren(*MARGINS):
            part = further.part.related_parts[reference.get(f"{R}id")]
            reference.set(f"{R}id", _margin(composer, further, part, MARGINS[reference.tag]))


def _endnotes_after(document: WordDocument, further: WordDocument) -> etree._Element | None:
    """The endnotes of `further`, numbered on; docxcompose takes footnotes alone."""
    theirs, ours = (_endnotes(one) for one in (further, document))
    if theirs is None:
        return None
    notes, former = (None if one is None else parse_xml(one.blob) for one in (theirs, ours))
    shift = 0 if former is None else max(int(one.get(ID)) for one in former) + 1
    for one in [*further.element.body.iter(f"{W}endnoteReference"), *_own_notes(notes)]:
        one.set(ID, str(int(one.get(ID)) + shift))
    return notes


def _add_endnotes(composer: Composer, further: WordDocument, notes: etree._Element | None) -> None:
    if notes is None:
        return
    composer.add_styles(further, notes)
    ours = _endnotes(composer.doc)
    if ours is None:
        relate = partial(composer.doc.part.relate_to, reltype=RT.ENDNOTES)
        _copy(composer.pkg, further.part.part_related_by(RT.ENDNOTES), serialize_part_xml(notes), relate)
    else:
        former = parse_xml(ours.blob)
        former.extend(_own_notes(notes))
        ours._blob = serialize_part_xml(former)


def _endnotes(document: WordDocument) -> Part | None:
    return next((one.target_part for one in document.part.rels.values() if one.reltype == RT.ENDNOTES), None)


def _own_notes(notes: etree._Element) -> list[etree._Element]:
    return [one for one in notes if one.get(f"{W}type") is None]


def _margin(composer: Composer, further: WordDocument, part: Part, kind: str) -> str:
    element = parse_xml(part.blob)
    composer.add_styles(further, element)
    composer.add_numberings(further, element)
    ids: list[str] = []
    _copy(
        composer.pkg,
        part,
        serialize_part_xml(element),
        lambda made: ids.append(composer.doc.part.relate_to(made, kind)),
    )
    return ids[0]


def _copy(package: Package, part: Part, content: bytes, relate: Callable[[Part], object]) -> None:
    """Copies a part and those that it relates to."""
    folder, name = part.partname.baseURI.rstrip("/"), part.partname.filename
    stem = name.removesuffix(f".{part.partname.ext}").rstrip("0123456789").replace("%", "")
    path = package.next_partname(f"{folder}/{stem}%d.{part.partname.ext}")
    made = type(part).load(path, part.content_type, content, package)
    relate(made)
    for relation in part.rels.values():
        if relation.is_external:
            made.load_rel(relation.reltype, relation.target_ref, relation.rId, True)
        else:
            add = partial(made.load_rel, relation.reltype, rId=relation.rId)
            _copy(package, relation.target_part, relation.target_part.blob, add)
