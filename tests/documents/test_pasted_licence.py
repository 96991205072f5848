"""One licence of 1,700 words as Word, Outlook, Google Docs and LibreOffice write it: both papers say what it says."""

import re
from itertools import pairwise

import pytest

from pipeline.contracts import merge
from pipeline.documents.pdf import render as render_pdf
from pipeline.documents.word import render as render_docx
from tests.documents import licences
from tests.documents.beside import pages
from tests.documents.support import document, letters, page_texts, pdf_text
from tests.documents.test_pasted import kept, printed, told

# Its HTML has no numbers such as 1.1.
NUMBERED = [program for program in licences.PROGRAMS if program != "libreoffice"]
MARKER = re.compile(r"^(?:\d+(?:\.\d*)?|\(?[A-Za-z]+[.)])\s")


def unbulleted(lines):
    return [line.removeprefix("• ") for line in lines]


@pytest.mark.parametrize("program", NUMBERED)
def test_every_number_tick_and_word_is_as_pasted(program):
    assert unbulleted(printed(licences.write(program))) == unbulleted(licences.shown())


def test_a_licence_of_libreoffice_keeps_its_words_and_its_numbers_are_called_a_guess():
    source = licences.write("libreoffice")
    words = [[MARKER.sub("", line) for line in unbulleted(lines)] for lines in (printed(source), licences.shown())]
    assert words[0] == words[1]
    assert [message[:22] for message in told(source)["guessed_marker"]] == ["The numbers of lists, "]


@pytest.mark.parametrize("program", licences.PROGRAMS)
def test_the_fees_have_lines_and_the_definitions_have_none(program):
    tables = re.findall(r"<table.*?</table>", kept(licences.write(program)))[:2]
    cells = [set(re.findall(r"border-\w+:(\w+)", " ".join(re.findall("<td.*?>", table)))) for table in tables]
    assert cells == [{"none"}, {"solid"}]


@pytest.fixture(scope="module")
def papers(office):
    """{program: (its licence as PDF, as LibreOffice's PDF of its Word file)}."""
    made = [document(merge.sanitize(licences.write(program))) for program in licences.PROGRAMS]
    words = office.pdfs([render_docx(one) for one in made])
    return dict(zip(licences.PROGRAMS, zip(map(render_pdf, made), words, strict=True), strict=True))


@pytest.mark.parametrize("program", licences.PROGRAMS)
def test_both_documents_print_the_licence_line_for_line(program, papers):
    lines = [letters(line.strip("☑☐ ")) for line in printed(licences.write(program))]
    for paper in papers[program]:
        text = letters(pdf_text(paper))
        # The text of LibreOffice's PDF has signs of another font after their line.
        assert [line for line in lines if line not in text] == []
        assert (text.count("☑"), text.count("☐")) == (2, 1)


@pytest.mark.parametrize("program", licences.PROGRAMS)
def test_both_documents_draw_the_lines_of_the_fees_alone(program, papers):
    for paper in papers[program]:
        ruled = dict(enumerate(map(rules, pages(paper))))
        fees = {place for place, text in enumerate(page_texts(paper)) if "14,400.00" in text or "3,480.00" in text}
        assert {place for place, count in ruled.items() if count} == fees
        # A page that ends within the table needs one more.
        assert sum(ruled.values()) == 5 + len(fees) - 1


def rules(page):
    """The number of horizontal lines across most of the text of a page's picture."""
    rows, line = page.convert("L").point(lambda grey: 0 if grey < 200 else 255), bytes(page.width * 2 // 3)
    found = [line in rows.crop((0, y, page.width, y + 1)).tobytes() for y in range(page.height)]
    return sum(here and not above for above, here in pairwise([False, *found]))
