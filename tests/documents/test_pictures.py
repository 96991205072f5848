"""Pictures are as large in the PDF as in Word."""

import io
from base64 import b64encode

import pypdf
import pytest
from PIL import ImageOps

from pipeline.documents.pdf import render as render_pdf
from pipeline.documents.word import render as render_docx
from pipeline.documents.word import render_redline
from tests.contracts.support import image_file
from tests.documents.beside import pages
from tests.documents.support import document, faults, word_text, word_xml
from tests.documents.test_pdf import words

EMU = 12_700
PICTURES = ((7, b64encode(image_file("PNG", (200, 100))).decode()),)
CELL = '<table><colgroup><col style="width:25%"><col></colgroup><tr><td><img {}></td><td>b</td></tr></table>'


def sized(pdf):
    """(width, height) in points of the only picture of a PDF."""
    found = []

    def visit(operator, _operands, cm, _tm):
        if operator == b"Do":
            found.append((round(abs(cm[0])), round(abs(cm[3]))))

    pypdf.PdfReader(io.BytesIO(pdf)).pages[0].extract_text(visitor_operand_before=visit)
    return found


@pytest.mark.parametrize(
    ("content", "width"),
    [
        ("<p>Natural <img {}></p>", 150),
        ('<p><img style="width:90pt" {}></p>', 90),
        ('<p><img style="width:50%" {}></p>', 227),
        ('<p><img style="width:2000pt" {}></p>', 454),
        ("<ol class=clauses><li><p>Clause <img {}></p></li></ol>", 150),
        (CELL, 103),
    ],
)
def test_a_picture_has_one_size_in_both_and_its_words(content, width):
    made = document(content.format('data-picture="7" alt="A map"'), pictures=PICTURES)
    pdf = render_pdf(made)
    (extent,) = word_xml(render_docx(made)).iter("{*}extent")
    word = [int(extent.get(name)) / EMU for name in ("cx", "cy")]
    assert word == pytest.approx([width, width / 2], abs=2)
    assert sized(pdf) == [pytest.approx(word, abs=2)]
    assert faults(pdf) == {}


def test_a_picture_stands_whole_above_what_follows_and_at_the_left_of_both(office):
    made = document('<p><img data-picture="7" alt="A map" style="width:90%"></p><p>below</p>', pictures=PICTURES)
    files = render_pdf(made), office.pdf(render_docx(made))
    tops = [word.top for pdf in files for word in words(pdf)]
    # In millimetres; a line of an exact height would crop it.
    assert tops == pytest.approx([tops[0]] * 2, abs=2)
    inks = [ImageOps.invert(pages(pdf)[0].convert("L")).getbbox() for pdf in files]
    assert inks[0][:2] == pytest.approx(inks[1][:2], abs=3)


def test_a_redline_compares_the_words_of_pictures():
    earlier, later = (f'<p>See <img data-picture="7" alt="{alt}"></p>' for alt in ("a map", "a plan"))
    redline = render_redline(document(later, earlier=earlier, pictures=PICTURES))
    assert "[a plan]" in word_text(redline)
