"""The widths of table columns suit their texts, and are equal in the PDF and in Word."""

import io

import pypdf
import pytest

from pipeline.documents import content
from pipeline.documents.columns import PADDING, TEXT_WIDTH, shares_of, text_width
from pipeline.documents.pdf import render as render_pdf
from pipeline.documents.word import render as render_docx
from tests.documents.support import W, document, pdf_text, word_xml

SENTENCE = "What a reader needs to see in the full width of its column, of about one hundred and twenty characters."
LONG_WORD = "Donaudampfschifffahrtsgesellschaftskapitaenswitwe"


def row(*texts):
    """The HTML of a row of texts."""
    return "<tr>" + "".join(f"<td>{text}</td>" for text in texts) + "</tr>"


def widths(rows):
    """The widths in points of the columns of a table as wide as the page."""
    return [share * TEXT_WIDTH for share in shares_of(next(content.parse(f"<table>{rows}</table>").iter("table")))]


def test_no_ordinary_word_is_broken_beside_a_long_one_which_leaves_the_width_to_the_sentences():
    found = widths(row("1", "Response", SENTENCE, LONG_WORD, "within four hours", "Licensee", "Remark"))
    for width, word in zip(found, ("1", "Response", "characters.", "", "within", "Licensee", "Remark"), strict=True):
        assert width >= text_width(word) + PADDING - 0.01
    sentence, remark = widths(row(SENTENCE, "none") + row(SENTENCE, LONG_WORD))
    assert sentence > 1.5 * remark


@pytest.mark.parametrize(
    "code", ["QX7RTB9KLM2WZP4HVN8CSD5FGJ3YEA6", "\u200eLIC-SRV-000-ENTERPRISE\u200e", "9f86d081884c7d659a2feaa0"]
)
def test_a_code_stays_on_one_line(code):
    assert widths(row(SENTENCE, code, SENTENCE))[1] >= text_width(code)


def test_no_head_of_a_table_in_a_clause_is_broken():
    html = f"<table><tr><th>Artikel</th><th>Beschreibung</th></tr>{row('LIC-1', SENTENCE)}</table>"
    printed = pdf_text(render_pdf(document(f'<ol class="clauses"><li>a<ol><li>b{html}</li></ol></li></ol>')))
    assert "Artikel" in printed


def test_an_amount_stays_on_one_line():
    rows = f'<tr><td>{SENTENCE}</td><td class="money">1,234,567.00 EUR</td></tr>'
    assert widths(rows)[1] >= text_width("1,234,567.00 EUR")


@pytest.mark.parametrize(
    "rows",
    [
        f'<colgroup><col style="width: 25%"><col></colgroup>{row("a", "b")}',
        f'<col style="width: 25%">{row("a", "b")}',
        '<tr><td style="width: 25%">a</td><td>b</td></tr>',
    ],
)
def test_a_width_that_the_author_sets_stands(rows):
    assert widths(rows)[0] == pytest.approx(TEXT_WIDTH / 4, rel=0.01)


@pytest.mark.parametrize(
    "texts",
    [["1", "Response", SENTENCE, LONG_WORD, "within four hours", "x", "y"], [LONG_WORD] * 12],
    ids=["seven", "twelve"],
)
def test_the_columns_begin_at_the_same_places_in_both_files(texts):
    contract = document(f"<table>{row(*(f'h{number}' for number in range(len(texts))))}{row(*texts)}</table>")
    begins = {}

    def visit(text, _cm, tm, _font, _size):
        begins.setdefault(text.strip(), tm[4] * 0.75)  # in the pixels of CSS

    pypdf.PdfReader(io.BytesIO(render_pdf(contract))).pages[0].extract_text(visitor_text=visit)
    grid = [int(column.get(f"{W}w")) / 20 for column in word_xml(render_docx(contract)).iter(f"{W}gridCol")]
    for number in range(1, len(grid)):
        assert begins[f"h{number}"] - begins["h0"] == pytest.approx(sum(grid[:number]), abs=2)
