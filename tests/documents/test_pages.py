"""The PDF and the Word file of a contract break their pages at the same places."""

import io
from importlib.resources import files

import pypdf
import pytest

from pipeline.contracts import merge
from pipeline.contracts.merge.catalogue import SAMPLES
from pipeline.documents.pdf import render as render_pdf
from pipeline.documents.word import render as render_docx
from tests.documents.support import W, document, pdf_text, word_xml
from tests.documents.test_pdf import words

SENTENCE = "The licensee pays the fees of this agreement within thirty days of the invoice. "
ARTICLES = "".join(f"<h2>Article {number}</h2><p>{SENTENCE * (3 + number % 5)}</p>" for number in range(24))
ADDRESS = "Acme Licensing Inc., 1 Harbour Road, Portland, OR 97201"


def articles(pdf):
    """The articles that begin on each page of a PDF."""
    texts = [page.extract_text() for page in pypdf.PdfReader(io.BytesIO(pdf)).pages]
    return [[line for line in text.split("\n") if line.startswith("Article")] for text in texts]


@pytest.mark.parametrize("footer", [pytest.param("Acme", marks=pytest.mark.long), ADDRESS], ids=["one", "two"])
def test_a_footer_of_any_height_leaves_both_the_same_pages(footer, office):
    made = document(ARTICLES, footer_left=footer, footer_center="{{page}} / {{pages}}", footer_right="Licence")
    pages = articles(render_pdf(made))
    assert len(pages) > 2
    assert pages == articles(office.pdf(render_docx(made)))


def test_a_code_is_broken_at_its_own_hyphens_alone():
    row = "<tr><td>LIC-SRV-000-ENTERPRISE</td><td>a</td><td>b</td><td>c</td><td>d</td><td>e</td></tr>"
    table = f'<table><colgroup><col style="width: 60pt"></colgroup>{row}</table>'
    printed = pdf_text(render_pdf(document(table)))
    assert "ENTERPRISE" in printed
    assert "LIC-" in printed


def test_the_columns_of_signatures_are_equal():
    cells = "<td>For the Licensor</td><td>For a licensee whose registered name is long beyond all reason GmbH</td>"
    made = render_docx(document(f'<table class="signatures"><tr>{cells}</tr></table>'))
    widths = [column.get(f"{W}w") for column in word_xml(made).iter(f"{W}gridCol")]
    assert len(widths) == 2
    assert widths[0] == widths[1]


@pytest.mark.long
def test_the_blanks_of_signatures_stand_alike_below_a_name_of_sixty_characters(office):
    licensee = {"legal_name": "Gesellschaft für industrielle Bewegungsplanung und Robotik mbH"}
    values = {**SAMPLES, "Licensee": licensee}
    made = document(merge.resolve("<p>{{Contract.signature_block}}</p>", {}, values).content)
    for pdf in (render_pdf(made), office.pdf(render_docx(made))):
        tops = sorted(word.top for word in words(pdf) if set(word.text) == {"_"})
        assert len(tops) == 8
        assert tops[::2] == pytest.approx(tops[1::2], abs=0.1)


@pytest.mark.long
def test_the_columns_of_a_footer_end_on_the_same_line(office):
    made = document(
        "<p>x</p>", footer_left=f"{ADDRESS}, {ADDRESS}, end", footer_right="{{page}}. end", footer_center="c"
    )
    for pdf in (render_pdf(made), office.pdf(render_docx(made))):
        ends = [word.top for word in words(pdf) if word.text == "end"]
        assert len(ends) == 2
        assert ends[0] == pytest.approx(ends[1], abs=0.1)


def test_word_parts_words_in_the_same_zone_as_the_pdf():
    settings = word_xml(render_docx(document("<p>x</p>")), "word/settings.xml")
    assert settings.find(f"{W}hyphenationZone").get(f"{W}val") == "720"
    assert "hyphenate-limit-zone: 36pt" in (files("pipeline.documents") / "contract.css").read_text()
