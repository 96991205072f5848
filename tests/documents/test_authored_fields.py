"""Fields of a Word file: references and counts follow the values, and nothing else changes in the PDF."""

import re

import pytest

from tests.contracts.word_files import word_text
from tests.documents.numbered import item, marked, numbered
from tests.documents.test_authored import parts
from tests.documents.test_authored_copy import COPY, DOCX, PDF, lines, made
from tests.documents.word_saved import field, paragraph, run

MAIN = "word/document.xml"
DROPPED = (paragraph("{{#if Deal.id > 999999}}"), item(1, 0, "Dropped"), paragraph("{{/if}}"))


def shown(code, *blocks, result="old", kind=DOCX):
    """What a field after some blocks shows."""
    file = numbered(*blocks, paragraph(run("Shows: "), field(code, run(result))))
    return word_text(made(kind, file)).rpartition("Shows: ")[2]


@pytest.mark.parametrize(
    ("code", "result"),
    [
        (r"REF there \r \h", "1.1(a)"),
        (r"REF there \w", "1.1(a)"),
        (r"REF there \n", "(a)"),
        (r'REF "there" \h', "Fees"),
        (r"REF there \* Upper", "FEES"),
        (r"REF there \p", "old"),
        (r"REF gone \r", "old"),
    ],
)
def test_a_reference_shows_the_number_or_text_of_its_place_in_the_contract(code, result):
    place = item(1, 2, marked("there", "Fees", 7))
    assert shown(code, *DROPPED, item(1, 0), item(1, 1), place) == result


def test_a_reference_in_the_same_clause_leaves_out_what_both_share():
    place, here = item(1, 2, marked("there", "Fees", 7)), item(1, 2, run("See "), field(r"REF there \r", run("old")))
    assert word_text(made(DOCX, numbered(item(1, 0), item(1, 1), place, here))).endswith("See (a)")


def test_a_reference_to_words_shows_the_value_that_stands_there():
    assert shown(r"REF client \h", paragraph(marked("client", "{{Licensee.name}}", 7))) == "Northwind Robotics"


def test_captions_count_the_tables_that_are_left():
    tables = [paragraph(run("Table "), field(r"SEQ Table \* ROMAN", run(number))) for number in ("I", "II", "III")]
    kept = [paragraph("{{#if Deal.id > 999999}}"), tables[0], paragraph("{{/if}}"), *tables[1:]]
    assert word_text(made(DOCX, numbered(*kept))) == "Table I\nTable II"


@pytest.mark.parametrize(
    "code",
    [
        "DATE",
        "TIME",
        r"FILENAME \p",
        "TITLE",
        "SAVEDATE",
        "DOCPROPERTY Client",
        r"REF gone \r",
        r"PAGEREF gone \h",
        'IF 1 = 1 "a" "b"',
    ],
)
def test_the_pdf_shows_a_field_as_the_word_file_does(code):
    """LibreOffice would print today, the name of a temporary file, or an error."""
    file = numbered(paragraph(run("Shows: "), field(code, run("As Word"))))
    assert (shown(code), shown(code, kind=PDF)) == ("old", "old")
    assert code.split()[0].encode() in parts(made(DOCX, file))[MAIN]
    assert b"fldChar" not in parts(made(PDF, file))[MAIN]
    assert lines(made(COPY, file)) == ["Shows:AsWord"]


def test_libreoffice_counts_pages_and_signers_read_none():
    file = numbered(paragraph(field("PAGE", run("7")), run(" of "), field("NUMPAGES", run("9"))))
    codes = re.findall(rb"<w:instrText[^>]*> (\w+) <", parts(made(PDF, file))[MAIN])
    assert (codes, lines(made(COPY, file))) == ([b"PAGE", b"NUMPAGES"], ["…of…"])
