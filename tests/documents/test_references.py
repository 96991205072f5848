"""References and tables of contents are equal in the PDF, in Word, and after an update of Word's fields."""

import io
import re

import pypdf
import pytest

from pipeline.documents.pdf import render as render_pdf
from pipeline.documents.word import render as render_docx
from tests.documents.support import W, document, letters, paragraphs, pdf_text, word_text, word_xml

CONTENT = (
    '<h1 class="title">Licence</h1><h2>Contents</h2><div class="contents"></div><p>See <a data-ref="late">2.1(a)</a>,'
    ' <a data-ref="far">1.1</a>, <a data-ref="plain">1.b</a>.</p><table><tr><td><h2>In a cell</h2></td></tr></table>'
    '<ol class="clauses"><li><h2>Scope</h2></li><li><h2>Fees</h2><ol><li>x<ol>'
    '<li id="late">late</li></ol></li></ol></li>'
    f'</ol>{"<p>Filling lines of text.</p>" * 60}<ol><li>a<ol><li>b</li><li id="plain">c</li></ol></li></ol>'
    "<h3>Last</h3>"
    '<div class="schedule"><h1>Schedule</h1><ol class="clauses"><li>a<ol><li id="far">b</li></ol></li></ol></div>'
)
SCHEDULES = (
    '<p>Schedule <a data-ref="prices">1</a>, item <a data-ref="support">1</a>, <a data-ref="own">2</a>, Schedule '
    '<a data-ref="terms">2</a>.</p><div class="contents"></div><div class="schedule" id="prices">'
    '<h1>Schedule <a data-ref="prices">1</a></h1><table><tr id="support"><td>Support</td></tr>'
    '<tr id="own"><td><a data-ref="own">2</a></td></tr></table></div>'
    '<div class="schedule"><h1 id="terms">Terms</h1></div>'
)
ENTRIES = ["1. Scope 1", "2. Fees 1", "Last 3", "Schedule 4"]


@pytest.fixture(scope="module")
def pdf():
    return render_pdf(document(CONTENT))


@pytest.fixture(scope="module")
def docx():
    return render_docx(document(CONTENT))


@pytest.fixture(scope="module")
def again(office, docx):
    """The PDFs that LibreOffice makes of the Word files of the content and of SCHEDULES, whose fields it counts."""
    return office.pdfs([docx, render_docx(document(SCHEDULES))])


def test_the_contents_list_the_headings_that_follow_with_their_pages(pdf, docx):
    assert pdf_text(pdf).splitlines()[2:6] == ENTRIES
    assert word_text(docx).splitlines()[2:6] == [re.sub(r" (?=\d$)", "\t", entry) for entry in ENTRIES]


def test_no_empty_paragraph_follows_the_contents_that_could_fall_upon_a_page_of_its_own(docx):
    assert [style for style, _text in paragraphs(docx)][2:7] == ["TOC2", "TOC2", "TOC3", "TOC1", None]
    assert word_xml(docx).findall(f".//{W}spacing")[0].get(f"{W}after") == "220"


def test_both_say_the_same_when_an_office_has_counted_anew(pdf, again):
    assert letters(re.sub(r"\.{4,}", "", pdf_text(again[0]))) == letters(pdf_text(pdf))


def test_entries_and_references_lead_to_their_places(pdf, docx):
    reader = pypdf.PdfReader(io.BytesIO(pdf))
    links = [link["/Dest"] for page in reader.pages for link in page.get("/Annots", ())]
    assert len(set(links)) == 7
    assert set(links) <= set(reader.named_destinations)
    names = [mark.get(f"{W}name") for mark in word_xml(docx).iter(f"{W}bookmarkStart")]
    targets = [one.get(f"{W}anchor") for one in word_xml(docx).iter(f"{W}hyperlink")]
    fields = [one.get(f"{W}instr").split()[1] for one in word_xml(docx).iter(f"{W}fldSimple")]
    assert len(set(names)) == len(names) == 8
    assert {*targets, *fields, "_contents"} == set(names)


def test_a_second_table_of_contents_and_a_reference_to_nothing_are_left_out():
    content = '<div class="contents"></div><div class="contents"><p>x</p></div><h1>A</h1><p><a data-ref="no">7</a></p>'
    assert letters(word_text(render_docx(document(content)))) == "A1A7"
    assert letters(pdf_text(render_pdf(document(content)))) == "A1A7"


def test_references_to_schedules_and_rows_are_fields_and_links_that_keep_their_numbers(again):
    docx, pdf = render_docx(document(SCHEDULES)), render_pdf(document(SCHEDULES))
    fields = [one.get(f"{W}instr") for one in word_xml(docx).iter(f"{W}fldSimple")]
    assert fields == ["REF _prices \\h", 'HYPERLINK \\l "_support"', "REF _own \\h", 'HYPERLINK \\l "_terms"']
    names = {mark.get(f"{W}name") for mark in word_xml(docx).iter(f"{W}bookmarkStart")}
    assert {"_prices", "_support", "_own", "_terms"} <= names
    reader = pypdf.PdfReader(io.BytesIO(pdf))
    links = [link["/Dest"] for link in reader.pages[0]["/Annots"]]
    assert {"prices", "support", "own", "terms"} <= set(links) <= set(reader.named_destinations)
    for text in (pdf_text(pdf), pdf_text(again[1])):
        assert text.startswith("Schedule 1, item 1, 2, Schedule 2.\n")
