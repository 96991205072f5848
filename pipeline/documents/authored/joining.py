"""Joins the Word files of a contract, and marks a draft."""

import copy
import io
from collections.abc import Sequence

from docx import Document as open_document
from docx.document import Document as WordDocument
from docxcompose.composer import Composer
from lxml import etree

from pipeline.documents import watermark
from pipeline.documents.authored.package import W
from pipeline.documents.document import Document

# Headers and footers of the first file go on.
REFERENCES = (f"{W}headerReference", f"{W}footerReference", f"{W}titlePg")


def joined(files: Sequence[bytes]) -> bytes:
    """One Word file; each further one begins a section with its own paper, and keeps its numbering."""
    if len(files) == 1:
        return files[0]
    composer = Composer(open_document(io.BytesIO(files[0])))
    # Each file's lists have their own definitions.
    composer.restart_numbering = False
    for file in files[1:]:
        further = open_document(io.BytesIO(file))
        _begin_section(composer.doc, further)
        composer.append(further, remove_property_fields=False)
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


def _begin_section(document: WordDocument, further: WordDocument) -> None:
    """Ends the section of a document, so that what follows has that of `further`."""
    body = document.element.body
    last = body.sectPr
    following = copy.deepcopy(further.element.body.sectPr)
    for reference in following.findall("*"):
        if reference.tag in REFERENCES:
            following.remove(reference)
    body.replace(last, following)
    end = etree.SubElement(etree.SubElement(etree.Element(f"{W}p"), f"{W}pPr"), last.tag)
    end.getparent().replace(end, last)
    following.addprevious(last.getparent().getparent())
