"""Word files as authors make them, small ones."""

import io

from docx import Document
from lxml import etree

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"


def word_file(*paragraphs, table=(), header=""):
    """A Word file; a paragraph is a text, or a list of the texts of its runs. `table` has rows of texts."""
    document = Document()
    for pieces in paragraphs:
        paragraph = document.add_paragraph()
        for number, piece in enumerate([pieces] if isinstance(pieces, str) else pieces):
            paragraph.add_run(piece).italic = bool(number % 2)
    if table:
        made = document.add_table(rows=0, cols=len(table[0]))
        for row in table:
            for cell, text in zip(made.add_row().cells, row, strict=True):
                cell.text = text
    if header:
        document.sections[0].header.paragraphs[0].text = header
    return packed(document)


def packed(document):
    made = io.BytesIO()
    document.save(made)
    return made.getvalue()


def word_text(content):
    """The text of a Word file's body, a line for each paragraph."""
    body = Document(io.BytesIO(content)).element.body
    return "\n".join("".join(_signs(paragraph)) for paragraph in body.iter(f"{W}p"))


def _signs(paragraph):
    for element in paragraph.iter(f"{W}t", f"{W}br", f"{W}tab"):
        yield element.text or "" if element.tag == f"{W}t" else {f"{W}br": "\n", f"{W}tab": "\t"}[element.tag]


def with_xml(content, xml):
    """A Word file with further content at the start of its body."""
    document = Document(io.BytesIO(content))
    space = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
    for element in reversed(etree.fromstring(f"<r {space}>{xml}</r>")):
        document.element.body.insert(0, element)
    return packed(document)
