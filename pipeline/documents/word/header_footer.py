"""Writes headers and footers with page fields and logo."""

import io

from docx.document import Document as WordDocument
from docx.shared import Mm
from lxml import etree

from pipeline.documents.document import LOGO_BOX, LOGO_TOP, TOP_WITH_LOGO, Document, Logo
from pipeline.documents.layout import margins, watermark
from pipeline.documents.subset import clean_text
from pipeline.documents.word.base import TWIPS, text_width
from pipeline.documents.word.containers import ALIGN
from pipeline.documents.word.inline import Format, write_text
from pipeline.documents.word.xml import add, add_text, new

_FIELDS = {"page": "PAGE", "pages": "NUMPAGES"}
# Twips; outer padding lies outside the text width.
PADDING = round(Mm(margins.GAP / 2) / TWIPS)


def write(document: WordDocument, source: Document, logo: Logo | None) -> None:
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
    if source.watermark:
        header.append(watermark.word(source))
    _write_row(header, "Header", (source.header_left, source.header_center, source.header_right), source)
    _write_row(footer, "Footer", (source.footer_left, source.footer_center, source.footer_right), source)


def _write_row(paragraph: etree._Element, style: str, texts: tuple[str, str, str], source: Document) -> None:
    columns, direction, room = margins.columns(texts), source.direction, text_width(source) + 2 * PADDING
    _shrink(paragraph)
    if not columns:
        return
    table = new("tbl")
    properties = add(table, "tblPr")
    if direction == "rtl":  # the first column is on the right
        add(properties, "bidiVisual")
        columns.reverse()
    add(properties, "tblW", w=room, type="dxa")
    add(properties, "tblInd", w=-PADDING, type="dxa")
    add(properties, "tblLayout", type="fixed")
    padding = add(properties, "tblCellMar")
    for side in ("left", "right"):
        add(padding, side, w=PADDING, type="dxa")
    width = room // len(columns)
    grid, row = add(table, "tblGrid"), add(table, "tr")
    for alignment, text in columns:
        add(grid, "gridCol", w=width)
        cell = add(row, "tc")
        cell_properties = add(cell, "tcPr")
        add(cell_properties, "tcW", w=width, type="dxa")
        if style == "Footer":
            add(cell_properties, "vAlign", val="bottom")
        column = add(cell, "p")
        properties = add(column, "pPr")
        add(properties, "pStyle", val=style)
        own = margins.direction_of(text, direction)
        if own != direction:
            add(properties, "bidi", val=int(own == "rtl"))
        add(properties, "jc", val=ALIGN[own][alignment])
        _write_text(column, text, own)
    paragraph.addprevious(table)


def _shrink(paragraph: etree._Element) -> None:
    """Minimizes the paragraph that must follow a table."""
    properties = paragraph.get_or_add_pPr()
    add(properties, "spacing", before=0, after=0, line=20, lineRule="exact")
    add(add(properties, "rPr"), "sz", val=2)


def _write_text(paragraph: etree._Element, text: str, direction: str) -> None:
    for position, part in enumerate(margins.parts(clean_text(text))):
        if position % 2:
            add_text(add(add(paragraph, "fldSimple", instr=_FIELDS[part]), "r"), "1")
        elif part:
            write_text(paragraph, part, Format(), direction)
