"""The setting of lines: hyphenation, unbroken rows, headings with their text."""

import io

import pypdf
import pytest

from pipeline.documents.pdf import render as render_pdf
from pipeline.documents.word import render as render_docx
from tests.documents.support import W, document, pdf_text, word_xml

GERMAN = "Nutzungsberechtigungen Rechtsnachfolgeregelungen Gewährleistungsansprüche "


def lines_of(contract):
    """The lines of each page of a contract's PDF."""
    reader = pypdf.PdfReader(io.BytesIO(render_pdf(contract)))
    return [[line for line in page.extract_text().splitlines() if line.strip()] for page in reader.pages]


def test_words_are_parted_by_the_rules_of_the_language():
    contract = document(f"<p>{GERMAN * 6}</p>", language="de")
    (lines,) = lines_of(contract)
    assert sum(line.endswith("\u2010") for line in lines) >= 2
    assert pdf_text(render_pdf(contract)).split() == (GERMAN * 6).split()


def test_words_in_another_language_are_parted_by_its_rules_and_spelled_by_them_in_word():
    contract = document(f'<p lang="de">{GERMAN * 6}</p><p>{"plain words " * 9}<span lang="pl">słowa</span></p>', "xx")
    (lines,) = lines_of(contract)
    assert sum(line.endswith("\u2010") for line in lines) >= 2
    languages = [element.get(f"{W}val") for element in word_xml(render_docx(contract)).iter(f"{W}lang")]
    assert languages == ["de-DE", "pl-PL"]


@pytest.mark.parametrize("whole", ["legal-department@northwind-robotics.example", "https://northwind.example/terms/x"])
def test_an_address_is_never_parted_and_tears_no_line(whole):
    contract = document(f"<p>{'Notices are sent to ' * 7} {whole} {'without undue delay ' * 7}</p><p>short</p>")
    (lines,) = lines_of(contract)
    assert any(whole in line for line in lines)
    first, second = word_xml(render_docx(contract)).iter(f"{W}pPr")
    assert [child.tag.removeprefix(W) for child in first] == ["suppressAutoHyphens", "jc"]
    assert len(second) == 0


@pytest.mark.parametrize("gap", ["<p></p>", "<p>&nbsp;</p>", "<p><br></p>"])
def test_a_heading_stays_with_the_text_after_an_editors_empty_line(gap):
    text = "<p>" + "The fees are due. " * 12 + "</p>"
    filled = (f'<div class="schedule">{"<p>x</p>" * count}<h2>Fees</h2>{gap}{text}</div>' for count in range(29, 35))
    assert not [lines for lines in lines_of(document("".join(filled))) if lines[-1] == "Fees"]


def test_no_line_ends_after_its_first_word_because_of_the_space_before_a_span():
    cell = "<tr><td>The fees of this agreement are due within a year. <b>Payment</b></td></tr>"
    tables = (f'<table style="width: {half / 2}pt">{cell}</table>' for half in range(360, 480))
    lines = pdf_text(render_pdf(document("".join(tables)))).splitlines()
    assert "The fees of this agreement are due within a year." in lines
    assert "The" not in lines
