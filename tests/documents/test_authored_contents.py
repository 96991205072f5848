"""A Word file's table of contents names the pages of the contract, although values move its headings."""

import io
import json

import pytest

from pipeline.contracts.merge.catalogue import SAMPLES
from pipeline.documents.authored import reading
from tests.contracts.word_files import word_text
from tests.documents.numbered import marked, numbered
from tests.documents.support import letters, page_texts
from tests.documents.test_authored_copy import COPY, DOCX, PDF, lines, made
from tests.documents.word_saved import control, field, paragraph, run

BEGIN = '<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText> TOC \\o "1-3" \\h </w:instrText></w:r>'
BEGIN += '<w:r><w:fldChar w:fldCharType="separate"/></w:r>'
END = paragraph('<w:r><w:fldChar w:fldCharType="end"/></w:r>')
TAB = "<w:r><w:tab/></w:r>"
HEADING = '<w:pStyle w:val="berschrift1"/>'
# More lines than a page has, where the author saw one.
MANY = {**SAMPLES, "Quote": {**SAMPLES["Quote"], "lines": SAMPLES["Quote"]["lines"] * 40}}
LONG = (paragraph("{{#each Quote.lines}}"), paragraph("{{Line.name}}"), paragraph("{{/each}}"))
GALLERY = '<w:docPartObj><w:docPartGallery w:val="Table of Contents"/><w:docPartUnique/></w:docPartObj>'


def link(name, *inside):
    return f'<w:hyperlink w:anchor="{name}" w:history="1">{"".join(inside)}</w:hyperlink>'


def page(name):
    return field(f"PAGEREF {name} \\h", run("1"))


def linked(name, text):
    """As Word writes an entry."""
    return link(name, run(text), TAB, page(name))


def in_field(name, text):
    """As Word 2003 did."""
    return field(f'HYPERLINK \\l "{name}"', run(text) + TAB + page(name))


def simple(name, text):
    return link(name, run(text), TAB, f'<w:fldSimple w:instr=" PAGEREF {name} \\h ">{run("1")}</w:fldSimple>')


def typed(name, text):
    """As LibreOffice and Google Docs do."""
    return link(name, run(text), TAB, run("1"))


def together(name, text):
    return link(name, run(text), "<w:r><w:tab/><w:t>1</w:t></w:r>")


def plain(name, text):
    """Without links."""
    return run(text) + TAB + page(name)


def contents(entry, *headings):
    """A table of contents with entries, each on page 1."""
    first, *others = (entry(name, text) for name, text in headings)
    return [paragraph(BEGIN + first), *(paragraph(one) for one in others), END]


def heading(name, text, id):
    return paragraph(marked(name, text, id), about=HEADING)


GRANT, TERM = ("_Toc1", "Grant"), ("_Toc2", "Term")
TEXT = [heading(*GRANT, 1), *LONG, heading(*TERM, 2), paragraph("The end")]


def file(entry):
    return numbered(*contents(entry, GRANT, TERM), *TEXT)


FORMS = {one.__name__: file(one) for one in (linked, in_field, simple, typed, together, plain)}
FORMS["gallery"] = numbered(control("".join(contents(linked, GRANT, TERM)), GALLERY), *TEXT)
TABLES = [one.replace('\\o "1-3"', '\\c "Table"') for one in contents(linked, GRANT, TERM)]
FORMS["list of tables"] = numbered(*TABLES, *TEXT)
SECTION = '<w:sectPr><w:pgSz w:w="11906" w:h="16838"/>{}</w:sectPr>'
PARTED = (paragraph(about=SECTION.format("")), *TEXT)
FORMS["pages that begin anew"] = numbered(
    *contents(linked, GRANT, TERM), *PARTED, paragraph(about=SECTION.format('<w:pgNumType w:start="7"/>'))
)
FORMS["a schedule's"] = FORMS["linked"]


@pytest.fixture(scope="module")
def papers(office):
    """{form: pages of the PDF}"""
    schedules = {"a schedule's": [numbered(paragraph("Schedule"))]}
    pdfs = office.pdfs([made(PDF, one, *schedules.get(form, []), values=MANY) for form, one in FORMS.items()])
    return dict(zip(FORMS, map(page_texts, pdfs), strict=True))


@pytest.mark.parametrize("form", FORMS)
def test_the_contents_of_the_pdf_name_the_page_of_a_heading_that_values_moved(papers, form):
    pages = papers[form]
    number = next(place for place, text in enumerate(pages, 1) if "The end" in text)
    assert number > 1
    assert f"Term{number + 5 if form == 'pages that begin anew' else number}" in letters(pages[0])


def test_the_contents_leave_out_a_heading_that_the_contract_does_not_have():
    dropped = (paragraph("{{#if Deal.id > 999999}}"), heading(*TERM, 2), paragraph("{{/if}}"))
    for names in ((GRANT, TERM), (TERM, GRANT)):
        source = numbered(*contents(linked, *names), heading(*GRANT, 1), *dropped)
        assert [line for line in word_text(made(DOCX, source)).split("\n") if line] == ["Grant\t1", "Grant"]


def test_the_contents_in_word_keep_the_author_s_numbers_until_word_counts():
    before, after = (word_text(one) for one in (FORMS["linked"], made(DOCX, FORMS["linked"])))
    assert after.startswith("Grant\t1\nTerm\t1\n")
    assert before.startswith("Grant\t1\nTerm\t1\n")


@pytest.mark.parametrize("form", ["linked", "typed", "in_field"])
def test_signers_read_the_contents_without_numbers_of_pages(form):
    assert lines(made(COPY, FORMS[form]))[:2] == ["Grant…", "Term…"]


def warnings(source):
    """The codes of what is told of an upload."""
    told = json.loads(reading.inspect(io.BytesIO(source), "").partition(b"\n")[0])
    return [one["code"] for one in told["warnings"]]


@pytest.mark.parametrize("code", ["INDEX \\c 2", "TOA \\c 1"])
def test_an_index_whose_numbers_nobody_can_count_is_told_at_upload(code):
    assert warnings(numbered(paragraph(field(code, run("Fees, 3"))))) == ["fixed_pages"]


def test_contents_without_links_are_told_at_upload():
    unlinked = numbered(*contents(lambda _name, text: run(text) + TAB + run("1"), GRANT), *TEXT)
    assert (warnings(unlinked), warnings(FORMS["typed"])) == (["fixed_pages"], [])
