"""The setting of lines and pages, which the PDF and the Word file have in common."""

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

GERMAN = "Nutzungsberechtigungen Rechtsnachfolgeregelungen Gewährleistungsansprüche "
SENTENCE = "The licensee pays the fees of this agreement within thirty days of the invoice. "
ARTICLES = "".join(f"<h2>Article {number}</h2><p>{SENTENCE * (3 + number % 5)}</p>" for number in range(24))
ADDRESS = "Acme Licensing Inc., 1 Harbour Road, Portland, OR 97201"


def lines_of(pdf):
    """The lines of each page of a PDF."""
    pages = pypdf.PdfReader(io.BytesIO(pdf)).pages
    return [[line for line in page.extract_text().splitlines() if line.strip()] for page in pages]


def articles(pdf):
    """The articles that begin on each page of a PDF."""
    return [[line for line in lines if line.startswith("Article")] for lines in lines_of(pdf)]


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


@pytest.mark.long
def test_the_blanks_of_signatures_stand_alike_below_a_name_of_sixty_characters(office):
    licensee = {"legal_name": "Gesellschaft für industrielle Bewegungsplanung und Robotik mbH"}
    values = {**SAMPLES, "Licensee": licensee}
    made = document(merge.resolve("<p>{{Contract.signature_block}}</p>", {}, values).content)
    for pdf in (render_pdf(made), office.pdf(render_docx(made))):
        tops = sorted(word.top for word in words(pdf) if set(word.text) == {"_"})
        assert len(tops) == 8
        assert tops[::2] == pytest.approx(tops[1::2], abs=0.1)


def test_word_parts_words_in_the_same_zone_as_the_pdf_and_none_in_capitals():
    settings = word_xml(render_docx(document("<p>x</p>")), "word/settings.xml")
    assert settings.find(f"{W}hyphenationZone").get(f"{W}val") == "720"
    assert settings.find(f"{W}doNotHyphenateCaps") is not None
    assert "hyphenate-limit-zone: 36pt" in (files("pipeline.documents") / "contract.css").read_text()


def test_words_are_parted_by_the_rules_of_the_language():
    contract = document(f"<p>{GERMAN * 6}</p>", language="de")
    (lines,) = lines_of(render_pdf(contract))
    assert sum(line.endswith("\u2010") for line in lines) >= 2
    assert pdf_text(render_pdf(contract)).split() == (GERMAN * 6).split()


def test_words_in_another_language_are_parted_by_its_rules_and_spelled_by_them_in_word():
    contract = document(f'<p lang="de">{GERMAN * 6}</p><p>{"plain words " * 9}<span lang="pl">słowa</span></p>', "xx")
    (lines,) = lines_of(render_pdf(contract))
    assert sum(line.endswith("\u2010") for line in lines) >= 2
    languages = [element.get(f"{W}val") for element in word_xml(render_docx(contract)).iter(f"{W}lang")]
    assert languages == ["de-DE", "pl-PL"]


@pytest.mark.parametrize("whole", ["legal-department@northwind-robotics.example", "https://northwind.example/terms/x"])
def test_an_address_is_never_parted_and_tears_no_line(whole):
    contract = document(f"<p>{'Notices are sent to ' * 7} {whole} {'without undue delay ' * 7}</p><p>short</p>")
    (lines,) = lines_of(render_pdf(contract))
    assert any(whole in line for line in lines)
    first, second = word_xml(render_docx(contract)).iter(f"{W}pPr")
    assert [child.tag.removeprefix(W) for child in first] == ["suppressAutoHyphens", "jc"]
    assert len(second) == 0


@pytest.mark.parametrize("gap", ["<p></p>", "<p>&nbsp;</p>", "<p><br></p>"])
def test_a_heading_stays_with_the_text_after_an_editors_empty_line(gap):
    text = "<p>" + "The fees are due. " * 12 + "</p>"
    filled = (f'<div class="schedule">{"<p>x</p>" * count}<h2>Fees</h2>{gap}{text}</div>' for count in range(29, 35))
    assert not [lines for lines in lines_of(render_pdf(document("".join(filled)))) if lines[-1] == "Fees"]


def test_no_line_ends_after_its_first_word_because_of_the_space_before_a_span():
    cell = "<tr><td>The fees of this agreement are due within a year. <b>Payment</b></td></tr>"
    tables = (f'<table style="width: {half / 2}pt">{cell}</table>' for half in range(360, 480))
    lines = pdf_text(render_pdf(document("".join(tables)))).splitlines()
    assert "The fees of this agreement are due within a year." in lines
    assert "The" not in lines


def test_a_justified_line_is_not_stretched_before_a_line_break(office):
    made = document("<p>between Acme Licensing,<br>1 Harbour Road</p>")
    for pdf in (render_pdf(made), office.pdf(render_docx(made))):
        assert max(word.right for word in words(pdf)) < 100
