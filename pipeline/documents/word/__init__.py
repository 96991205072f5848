"""Writes contracts as editable Word documents with python-docx.

docxcompose joins body and schedules.
"""

import io
import zipfile
from datetime import datetime
from itertools import groupby

from docx.document import Document as WordDocument
from docxcompose.composer import Composer
from lxml import etree

from pipeline.documents import content as contents
from pipeline.documents import pdf, references
from pipeline.documents.document import Document, language_tag, read_logo
from pipeline.documents.subset import clean_text
from pipeline.documents.word import header_footer, redline, toc
from pipeline.documents.word.base import new_document, text_width
from pipeline.documents.word.blocks import BlockWriter
from pipeline.documents.word.containers import Container
from pipeline.documents.word.numbering import Numbering, renumber
from pipeline.documents.word.pictures import Pictures, give_room
from pipeline.documents.word.xml import W

# A constant date makes the file reproducible.
_DATE = (1980, 1, 1, 0, 0, 0)
_LAST_MODIFIED_BY = "{http://schemas.openxmlformats.org/package/2006/metadata/core-properties}lastModifiedBy"


def render(document: Document) -> bytes:
    """The Word file; TooComplex above a limit."""
    logo = read_logo(document.logo)
    root = contents.parse(document.content, document.language, document.line)
    _number_pages(root, document)
    first, *others = _parts(root)
    body = _write_part(first, root.text, document)
    header_footer.write(body, document, logo)
    _write_properties(body, document)
    if others:
        composer = Composer(body)
        composer.restart_numbering = False  # every list has its own definition
        for elements in others:
            composer.append(_write_part(elements, None, document), remove_property_fields=False)
    renumber(body.part.numbering_part.element)
    toc.finish(body.element.body)
    _remove_distances(body.element.body)
    return _pack(body)


def render_redline(document: Document) -> bytes:
    """The Word file with tracked changes since `earlier`."""
    document = document._replace(pictures=())  # their words are compared
    earlier = render(document._replace(content=document.earlier))
    return _pack(redline.render(earlier, render(document), clean_text(document.author)[:255]))


def _number_pages(root: etree._Element, document: Document) -> None:
    """Sets `data-page` of contents entries; the PDF has the same pages."""
    entries = [entry for contents in references.CONTENTS(root) for entry in contents]
    pages = pdf.page_numbers(document) if entries else {}
    for entry in entries:
        entry.set("data-page", str(pages.get(entry[0].get("href")[1:], "")))


def _parts(root: etree._Element) -> list[list[etree._Element]]:
    stretches = groupby(enumerate(root), lambda item: item[0] if contents.has_class(item[1], "schedule") else -1)
    parts = [[element for _position, element in stretch] for _key, stretch in stretches]
    if not parts or contents.has_class(parts[0][0], "schedule") and (root.text or "").strip():
        parts.insert(0, [])
    return parts


def _write_part(elements: list[etree._Element], text: str | None, source: Document) -> WordDocument:
    document = new_document(source)
    body = document.element.body
    section = body.sectPr
    body.remove(section)
    numbering = Numbering(document.part.numbering_part.element, source.direction)
    flow = BlockWriter(numbering, Pictures(document, source))
    place = Container(body, text_width(source), direction=source.direction)
    flow.line.text(text, place.form)
    flow.write(elements, place)
    numbering.finish()
    give_room(body)
    body.append(section)
    return document


def _remove_distances(body: etree._Element) -> None:
    """After a table that fills its page, the distance would have an empty page."""
    for mark in body.iterfind(f"{W}p/{W}pPr/{W}pageBreakBefore"):
        before = mark.getparent().getparent().getprevious()
        if before is not None and before.find(f"{W}pPr/{W}pStyle[@{W}val='AfterTable']") is not None:
            body.remove(before)


def _write_properties(document: WordDocument, source: Document) -> None:
    properties = document.core_properties
    properties.title, properties.language = clean_text(source.title)[:255], language_tag(source.language)
    author = clean_text(source.author)[:255]
    properties.author, properties.comments = author, ""
    # docxcompose rebinds this prefix, so python-docx would add an unknown element.
    properties._element.find(_LAST_MODIFIED_BY).text = author
    for element in list(properties._element):
        if element.tag.endswith(("}created", "}modified", "}revision")):
            properties._element.remove(element)
    if source.created:
        properties.created = properties.modified = datetime.fromisoformat(source.created)


def _pack(document: WordDocument) -> bytes:
    written, packed = io.BytesIO(), io.BytesIO()
    document.save(written)
    with zipfile.ZipFile(written) as source, zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as target:
        for name in source.namelist():
            target.writestr(zipfile.ZipInfo(name, _DATE), source.read(name), zipfile.ZIP_DEFLATED)
    return packed.getvalue()
