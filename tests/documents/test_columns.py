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


def table(*rows, tag="td"):
    """The HTML of a table of texts."""
    cells = ("".join(f"<{tag}>{text}</{tag}>" for text in row) for row in rows)
    return f"<table>{''.join(f'<tr>{row}</tr>' for row in cells)}</table>"


def widths(html):
    """The widths in points of the columns of a table as wide as the page."""
    return [share * TEXT_WIDTH for share in shares_of(next(content.parse(html).iter("table")))]


def test_a_long_word_leaves_the_width_to_the_sentences():
    sentence, remark = widths(table([SENTENCE, "none"], [SENTENCE, LONG_WORD]))
    assert sentence > 1.5 * remark


@pytest.mark.parametrize(
    "code", ["QX7RTB9KLM2WZP4HVN8CSD5FGJ3YEA6", "\u200eLIC-SRV-000-ENTERPRISE\u200e", "9f86d081884c7d659a2feaa0"]
)
def test_a_code_stays_on_one_line(code):
    assert widths(table([SENTENCE, code, SENTENCE]))[1] >= text_width(code)


def test_no_head_of_a_table_in_a_clause_is_broken():
    cells = table(["Artikel", "Beschreibung"], tag="th") + table(["LIC-1", SENTENCE])
    html = cells.replace("</table><table>", "")
    printed = pdf_text(render_pdf(document(f'<ol class="clauses"><li>a<ol><li>b{html}</li></ol></li></ol>')))
    assert "Artikel" in printed


def test_no_ordinary_word_is_broken_beside_a_long_one():
    row = ["1", "Response", SENTENCE, LONG_WORD, "within four hours", "Licensee", "Remark"]
    for width, word in zip(
        widths(table(row)), ("1", "Response", "characters.", "", "within", "Licensee", "Remark"), strict=True
    ):
        assert width >= text_width(word) + PADDING - 0.01


def test_an_amount_stays_on_one_line():
    html = f'<table><tr><td>{SENTENCE}</td><td class="money">1,234,567.00 EUR</td></tr></table>'
    assert widths(html)[1] >= text_width("1,234,567.00 EUR")


def test_short_texts_fill_the_page_in_proportion():
    narrow, wide = widths(table(["linux", "a perpetual licence"]))
    assert narrow + wide == pytest.approx(TEXT_WIDTH, rel=0.001)
    assert narrow < wide


@pytest.mark.parametrize(
    "html",
    [
        '<table><colgroup><col style="width: 25%"><col></colgroup><tr><td>a</td><td>b</td></tr></table>',
        '<table><col style="width: 25%"><tr><td>a</td><td>b</td></tr></table>',
        '<table><tr><td style="width: 25%">a</td><td>b</td></tr></table>',
    ],
)
def test_a_width_that_the_author_sets_stands(html):
    assert widths(html)[0] == pytest.approx(TEXT_WIDTH / 4, rel=0.01)


def test_widths_beyond_the_page_are_scaled_down_to_it():
    html = '<table><tr><td style="width: 90%">a</td><td style="width: 90%">b</td><td>c</td></tr></table>'
    first, second, third = widths(html)
    assert first == pytest.approx(second)
    assert third >= text_width("c")


def test_a_cell_that_spans_columns_gets_room_from_all_of_them():
    html = f'<table><tr><td colspan="2">{SENTENCE}</td><td>{SENTENCE}</td></tr><tr><td>a</td><td>b</td><td>c</td></tr>'
    first, second, third = widths(html + "</table>")
    assert first + second == pytest.approx(third, rel=0.2)


@pytest.mark.parametrize(
    "rows",
    [
        [["h0", "h1"], ["a", SENTENCE]],
        [[f"h{number}" for number in range(7)], ["1", "Response", SENTENCE, LONG_WORD, "within four hours", "x", "y"]],
        [["h0", "h1", "h2"], [SENTENCE, SENTENCE * 2, "z"]],
        [[f"h{number}" for number in range(12)], [LONG_WORD] * 12],
    ],
    ids=["two", "seven", "sentences", "words"],
)
def test_the_columns_begin_at_the_same_places_in_both_files(rows):
    contract = document(table(*rows))
    begins = {}

    def visit(text, _cm, tm, _font, _size):
        begins.setdefault(text.strip(), tm[4] * 0.75)  # in the pixels of CSS

    pypdf.PdfReader(io.BytesIO(render_pdf(contract))).pages[0].extract_text(visitor_text=visit)
    grid = [int(column.get(f"{W}w")) / 20 for column in word_xml(render_docx(contract)).iter(f"{W}gridCol")]
    for number in range(1, len(grid)):
        assert begins[f"h{number}"] - begins["h0"] == pytest.approx(sum(grid[:number]), abs=2)
