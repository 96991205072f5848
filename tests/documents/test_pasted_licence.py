"""One licence of 1,700 words as Word, Outlook, Google Docs and LibreOffice write it: both papers say what it says."""

import re

import pytest

from pipeline.contracts import merge
from pipeline.documents.pdf import render as render_pdf
from pipeline.documents.word import render as render_docx
from tests.documents import licences
from tests.documents.support import document, pdf_text
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


def test_both_documents_print_the_licence_line_for_line(office):
    made = document(merge.sanitize(licences.write("word")))
    for paper in (render_pdf(made), office.pdf(render_docx(made))):
        text = "".join(pdf_text(paper).split())
        # The text of LibreOffice's PDF has signs of another font after their line.
        assert [line for line in licences.shown() if "".join(line.strip("☑☐ ").split()) not in text] == []
        assert (text.count("☑"), text.count("☐")) == (2, 1)
