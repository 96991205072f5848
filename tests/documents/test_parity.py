"""PDF and Word document of a contract have the same words and clause numbers."""

import re
import unicodedata

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from lxml import html

from pipeline.contracts.merge.values.insertion import printable
from pipeline.documents.document import BLANK
from pipeline.documents.pdf import render as render_pdf
from pipeline.documents.word import render as render_docx
from pipeline.validation.types import DIRECTION_MARKS
from tests.contracts.merging import TEXTS, resolved
from tests.documents.support import (
    FOOTER,
    HEADER,
    document,
    letters,
    licence,
    page_texts,
    pdf_margins,
    pdf_text,
    word_text,
)

# What has no shape of its own (soft hyphens, joiners, fillers, variation selectors, tags), no reader finds in a PDF.
SHAPELESS = re.compile(
    "[\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f"
    "\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)


@pytest.fixture(scope="module")
def files(office):
    """The licence agreement as PDF, and as the PDF that LibreOffice makes of its Word file."""
    return render_pdf(licence()), office.pdf(render_docx(licence()))


def test_both_files_say_all_that_the_content_says_and_its_headings_once_more_in_the_table_of_contents(files):
    # Word leads an eye along its table of contents by dots.
    pdf, word = (re.sub(r"\.{4,}", "", pdf_text(file, body_only=True)) for file in files)
    assert letters(pdf) == letters(word)
    content = html.fromstring(licence().content)
    listed = content.xpath("//div[@class='contents']/following::*[self::h1 or self::h2]//text()")
    expected = " ".join([*content.itertext(), *listed])
    assert sorted(re.findall(r"[A-Za-z]{4,}", pdf)) == sorted(re.findall(r"[A-Za-z]{4,}", expected))


@pytest.mark.parametrize("side", [0, 1], ids=["pdf", "word"])
def test_each_of_nine_pages_has_all_six_texts_of_the_margins(files, side):
    pages = pdf_margins(files[side])
    assert len(pages) == 9
    for number, (header, footer) in enumerate(pages, 1):
        assert letters(header) == letters("Acme Licensing Software Licence Agreement RO-000042")
        assert letters(footer) == letters(f"Northwind Robotics Confidential Page {number} of 9")


def test_the_table_of_contents_names_the_pages_of_both(files):
    entries = [entry.split("\t") for entry in word_text(render_docx(licence())).splitlines() if "\t" in entry]
    assert len(entries) > 10
    for pages in (page_texts(file, HEADER, FOOTER) for file in files):
        assert [heading for heading, page in entries if letters(heading) not in letters(pages[int(page) - 1])] == []


LISTS = """
<ol class="clauses" start="4"><li><h2>Fourth</h2>
<ol><li>a<ol><li>b</li></ol><p>between</p><ol><li>again b</li></ol></li>
<li>c</li></ol><p>then</p><ol><li>again d<ol start="27"><li>e</li><li>f</li></ol></li></ol></li><li>Fifth
<ol><li>g<ul><li>h<ol><li>i</li></ol></li></ul></li></ol></li></ol>
<ol start="3"><li>j<ol><li>k<ol><li>l</li></ol></li></ol></li><li>m</li></ol><ol><li>n</li></ol>
<div class="schedule"><ol class="clauses"><li>o<ol><li>p</li></ol></li></ol></div>
<div class="schedule"><ol class="clauses"><li>q</li></ol><ol><li>r</li></ol></div>
"""
NUMBERED = (
    "4.Fourth 4.1a (a)b between (a)again b 4.2c then 4.1again d (aa)e (bb)f 5.Fifth 5.1g •h 1.i "
    "3.j a.k i.l 4.m 1.n 1.o 1.1p 1.q 1.r"
)
MERGED = """<table><thead><tr><th rowspan="2">A</th><th colspan="2">B</th></tr><tr><th>C</th><th>D</th></tr></thead>
<tbody><tr><td rowspan="2">E</td><td>F</td><td class="money">1.00</td></tr><tr><td colspan="2">G</td></tr>
<tr><td>H</td><td>I</td><td>J</td></tr></tbody></table>"""
TITLES = {"Acme \u202e": "Acme", "\u2067Acme": "Acme", "חברה": "חברה", "شركة": "شركة", "Acme חברה": "Acme חברה"}
SENTENCE = "Licensee {}, 123 EUR in 30 days"
TURNED = "".join(resolved(f"<p>{SENTENCE.format('{{Deal.title}}')}</p>", Deal_title=title).content for title in TITLES)


def test_lists_merged_cells_and_values_of_any_direction_read_alike_in_both(office):
    contract = document(LISTS + MERGED + TURNED)
    expected = NUMBERED + "ABCDEF1.00GHIJ" + "".join(map(SENTENCE.format, TITLES.values()))
    for pdf in (render_pdf(contract), office.pdf(render_docx(contract))):
        assert letters(DIRECTION_MARKS.sub("", pdf_text(pdf))) == letters(expected)


@pytest.mark.parametrize("content", ["", " ", "<p></p>", "<table></table>", "<ol></ol>", "<tr><td>x", "</div></body>x"])
def test_odd_content_is_still_a_document(content):
    contract = document(content)
    for text in (pdf_text(render_pdf(contract)), word_text(render_docx(contract))):
        assert letters(text) in ("", "x")


@settings(max_examples=15)
@given(TEXTS)
@example("{{Deal.stage}} {{page}} { } [0] </p><b>&amp;")
@example("Line 1\r\nLine 2\rLine 3\u2028Line 4\tx")
@example("契約 😀 αβγ Жя Łódź ẞ ﬁ e\u0308 \u00a0€ – “x”")
@example("a\u00adb\u200bc\ufeff\u200d\ufe0f")
@example("\x01\x7f\ufffe ٣ עברית")
def test_any_value_of_a_tag_comes_out_of_both_as_it_went_in(value):
    contract = document(resolved("<p>[{{Deal.title}}]</p>", Deal_title=value).content)
    expected = letters(f"[{printable(value) if value.strip() else BLANK}]")
    assert letters(word_text(render_docx(contract))) == expected
    # Of letters from right to left pdftotext guesses, wrongly beside brackets, in which order they are read.
    if not any(unicodedata.bidirectional(char) in ("R", "AL", "AN") for char in value):
        assert SHAPELESS.sub("", letters(pdf_text(render_pdf(contract)))) == SHAPELESS.sub("", expected)


BLOCKS = ["p", "h2", "div", "blockquote", "ul", "ol", "li", "b", "span"]
BLOCKS += ['ol class="clauses"', 'div class="schedule"']


def nested(children):
    """Elements of the subset with words in and after them, in whatever order."""
    return st.lists(st.tuples(st.sampled_from(BLOCKS), children, st.booleans()), max_size=3)


def written(tree, words):
    """The HTML of nested elements; every word is another one, and is added to `words`."""
    parts = []
    for opening, children, followed in tree:
        words.append(f"w{len(words)}x")
        parts.append(f"<{opening}>{words[-1]}{written(children, words)}</{opening.split()[0]}>")
        if followed:
            words.append(f"w{len(words)}x")
            parts.append(words[-1])
    return "".join(parts)


@settings(max_examples=15)
@given(st.recursive(st.just([]), nested, max_leaves=12))
def test_however_elements_are_nested_no_word_is_lost_or_moved(tree):
    words = []
    contract = document(written(tree, words))
    for text in (pdf_text(render_pdf(contract)), word_text(render_docx(contract))):
        assert re.findall(r"w\d+x", letters(text)) == words
