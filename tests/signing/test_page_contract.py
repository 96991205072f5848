import re

from lxml import html

from pipeline.documents.document import Document
from pipeline.documents.pdf import render as render_pdf
from pipeline.signing.pages.contract import readable
from tests.documents.support import document, letters, licence, pdf_text


def shown(contract: Document):
    """The element that the page shows of a document."""
    return html.fromstring(readable(contract.content, contract.language, contract.direction, "Table", "/p?id="))


def test_the_page_says_what_the_pdf_of_the_licence_says_word_for_word_and_number_for_number():
    content = re.sub('<div class="contents">.*?</div>', "", licence().content, flags=re.DOTALL)  # it tells pages
    contract = licence()._replace(content=content)
    # Bullets are no text of the page.
    printed = pdf_text(render_pdf(contract), body_only=True).replace("•", "")
    assert letters(" ".join(shown(contract).itertext())) == letters(printed)


def test_the_table_of_contents_names_headings_with_their_numbers():
    content = shown(licence())
    (contents,) = content.find_class("contents")
    entries = [entry.text_content() for entry in contents]
    headings = [" ".join(found.text_content().split()) for found in content.iter("h3", "h4", "h5")]
    assert len(entries) > 10
    assert entries == headings[-len(entries) :]


def test_an_arabic_contract_counts_in_arabic_letters():
    clauses = '<ol class="clauses"><li>ا<ol><li>ب<ol><li>ج</li></ol></li></ol></li></ol>'
    numbers = [found.text for found in shown(document(clauses, "ar", direction="rtl")).find_class("number")]
    assert numbers == ["1. ", "1.1 ", "(أ) "]


def test_headings_begin_below_those_of_the_page_and_leave_none_out():
    content = shown(document("<h1>A</h1><h3>B</h3><h4>C</h4><h3>D</h3>"))
    headings = [(found.tag, found.get("class")) for found in content.iter("h3", "h4", "h5")]
    assert headings == [("h3", "h1"), ("h4", "h3"), ("h5", "h4"), ("h4", "h3")]


def test_nothing_in_a_contract_meets_the_policy_or_the_ids_of_the_page():
    content = shown(
        document(
            '<p style="text-align:center" onclick="x()">A <a href="https://example.com">link</a>'
            '<a href="javascript:x()">no</a> <a data-ref="main"></a></p><p id="main">there</p>'
            '<table><col style="width:30%"><tr><td style="vertical-align:middle">B</td></tr></table>'
        )
    )
    assert content.xpath("//@style | //@onclick | //@data-field | //@data-ref") == []
    assert content.xpath("//@id") == ["c-main"]
    assert content.xpath("//@href") == ["https://example.com", "#c-main"]
    assert content.xpath("//p[1]/@class") == ["text-align-center"]


def test_a_wide_table_scrolls_by_itself_and_by_keyboard_and_an_empty_head_is_none():
    content = shown(document("<table><tr><th></th><th>A</th></tr></table>"))
    (around,) = content.find_class("table")
    assert (around.get("tabindex"), around.get("role"), around.get("aria-label")) == ("0", "group", "Table")
    assert [cell.tag for cell in content.iter("td", "th")] == ["td", "th"]
