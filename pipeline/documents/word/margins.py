"""The header and footer of a Word document: three texts at tab stops, page fields, the logo."""

import io
import re

from docx.shared import Mm

from pipeline.documents.content import clean_text
from pipeline.documents.document import LOGO_BOX, LOGO_TOP, TOP_WITH_LOGO
from pipeline.documents.word.base import TEXT_WIDTH
from pipeline.documents.word.xml import add, add_text

_COUNTERS = re.compile(r"\{\{\s*(pages?)\s*\}\}")
_FIELDS = {"page": "PAGE", "pages": "NUMPAGES"}


def write(document, source, logo):
    """Fill the header and footer of a python-docx document from a Document and its Logo."""
    section = document.sections[0]
    header, footer = section.header.paragraphs[0]._p, section.footer.paragraphs[0]._p
    if logo:
        section.top_margin, section.header_distance = Mm(TOP_WITH_LOGO), Mm(LOGO_TOP)
        width, height = logo.size()
        picture = section.header.paragraphs[0].insert_paragraph_before(style="Header")
        picture.paragraph_format.space_after = Mm(LOGO_BOX[1] - height + 3)
        shape = picture.add_run().add_picture(io.BytesIO(logo.data), Mm(width), Mm(height))
        for side in ("distT", "distB", "distL", "distR"):
            shape._inline.set(side, "0")
        shape._inline.docPr.set("descr", "Logo")
    _write_line(header, "Header", (source.header_left, source.header_center, source.header_right))
    _write_line(footer, "Footer", (source.footer_left, source.footer_center, source.footer_right))


def _write_line(paragraph, style, texts):
    properties = paragraph.get_or_add_pPr()
    for child in list(properties):
        properties.remove(child)
    add(properties, "pStyle", val=style)
    tabs = add(properties, "tabs")
    add(tabs, "tab", val="center", pos=TEXT_WIDTH // 2)
    add(tabs, "tab", val="right", pos=TEXT_WIDTH)
    for position, text in enumerate(texts):
        if position:
            add(add(paragraph, "r"), "tab")
        _write_text(paragraph, text)


def _write_text(paragraph, text):
    for position, part in enumerate(_COUNTERS.split(clean_text(text))):
        if position % 2:
            add_text(add(add(paragraph, "fldSimple", instr=_FIELDS[part]), "r"), "1")
        elif part:
            add_text(add(paragraph, "r"), part)
