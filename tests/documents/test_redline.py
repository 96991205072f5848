"""A redline: accepting all changes gives the later content, rejecting all the earlier one."""

import io

import docx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.documents.word import render as render_docx
from pipeline.documents.word import render_redline
from tests.documents.support import W, document, word_text, word_xml

CLAUSES = '<ol class="clauses"><li><h2>Scope</h2><ol><li>{}</li><li>Second clause</li></ol></li></ol>'
TABLE = "<table><tr><th>A</th><th>B</th></tr><tr><td>{}</td><td>1</td></tr></table>"
PAIRS = {
    "the same": ("<p>One</p>", "<p>One</p>"),
    "a word": ("<p>The fee is <b>100</b> EUR.</p>", "<p>The fee is <b>250</b> EUR, at once.</p>"),
    "a paragraph more": ("<p>One</p><p>Two</p>", "<p>One</p><p>Between the two</p><p>Two</p>"),
    "a clause less": (CLAUSES.format("First one</li><li>Gone for good"), CLAUSES.format("First one")),
    "a list more": ("<p>One</p>", "<p>One</p><ul><li>a<ol><li>b</li></ol></li></ul>"),
    "a list less": ("<p>One</p><ul><li>a<ol><li>b</li></ol></li></ul>", "<p>One</p>"),
    "a cell": (TABLE.format("old words"), TABLE.format("new words")),
    "a row": (TABLE.format("x"), TABLE.format("x</td><td>2</td></tr><tr><td>entirely other")),
    "a column": (TABLE.format("x"), TABLE.format("x</td><td>y")),
    "a table for a text": ("<p>x</p>", TABLE.format("x")),
    "a reference": ('<p>See <a data-ref="x">1</a></p><ol><li id="x">a</li></ol>', "<p>See 2</p><ol><li>a</li></ol>"),
    "line breaks": ("<p>a<br>b c</p>", "<p>a b<br>c</p>"),
    "a table of contents": ("<h1>A</h1>", '<div class="contents"></div><h1>A</h1>'),
    "schedules": ('<p>x</p><div class="schedule"><ol><li>a</li></ol></div>', '<p>x</p><div class="schedule">b</div>'),
    "nothing before": ("<p></p>", "<p>All of it</p>"),
    "another script": ("<p>السعر 100</p>", "<p>السعر 200</p>"),
}


def redline(earlier, later):
    """The file of what has changed."""
    return render_redline(document(later, author="Acme")._replace(earlier=earlier))


def settled(redline, drop):
    """The text of a redline when changes of one kind are dropped and the others kept, as Word does it."""
    body = word_xml(redline)
    for mark in list(body.iter(f"{W}{drop}")):
        parent = mark.getparent()
        if parent.tag == f"{W}trPr":
            row = parent.getparent()
            row.getparent().remove(row)
        elif parent.tag != f"{W}rPr":
            parent.remove(mark)
    for text in body.iter(f"{W}delText"):
        text.tag = f"{W}t"
    breaks = {f"{W}br": "\n", f"{W}tab": "\t"}
    return "".join(breaks.get(part.tag, part.text or "") for part in body.iter(f"{W}t", *breaks))


def says_both(earlier, later):
    made = redline(earlier, later)
    for content, drop in ((earlier, "ins"), (later, "del")):
        expected = word_text(render_docx(document(content))).replace("\n", "")
        assert settled(made, drop).replace("\n", "") == expected
    return made


@pytest.mark.parametrize("pair", PAIRS)
def test_accepting_gives_the_later_text_and_rejecting_the_earlier(pair):
    made = says_both(*PAIRS[pair])
    docx.Document(io.BytesIO(made))
    assert bool(list(word_xml(made).iter(f"{W}ins", f"{W}del"))) == (pair != "the same")


WORDS = st.lists(st.sampled_from(["fee", "term", "licence", "100", "(a)", "x"]), max_size=6).map(" ".join)
CONTENTS = st.lists(
    st.builds(
        lambda form, words: form.format(words), st.sampled_from(["<p>{}</p>", "<h2>{}</h2>", CLAUSES, TABLE]), WORDS
    ),
    max_size=5,
).map("".join)


@settings(max_examples=15)
@given(CONTENTS, CONTENTS)
def test_so_it_does_whatever_has_changed(earlier, later):
    says_both(earlier, later)


def marked(xml):
    """The (kind, text) of every mark."""
    return [(mark.tag.removeprefix(W), "".join(mark.itertext())) for mark in xml.iter(f"{W}ins", f"{W}del")]


def test_only_the_words_that_differ_are_marked():
    made = word_xml(redline(*PAIRS["a word"]))
    assert marked(made) == [("del", "100"), ("ins", "250"), ("ins", ", at once")]
    assert {mark.get(f"{W}author") for mark in made.iter(f"{W}ins", f"{W}del")} == {"Acme"}
    assert made.find(f".//{W}del/{W}r/{W}rPr/{W}b") is not None


def test_only_differing_cells_of_a_table_are_marked():
    row = "<tr><td>{}</td><td>{}</td></tr>"
    fees = f"<table><tr><th>Fee</th><th>Amount</th></tr>{row}{row}</table>"
    made = redline(fees.format("Licence", "100", "Support", "5"), fees.format("Licence", "257", "Training", "5"))
    assert marked(word_xml(made)) == [("del", "100"), ("ins", "257"), ("del", "Support"), ("ins", "Training")]


def test_deleted_clauses_count_in_the_list_that_is_left():
    made = word_xml(redline(*PAIRS["a clause less"]))
    assert len({number.get(f"{W}val") for number in made.iter(f"{W}numId")}) == 1


def test_marks_are_numbered_once():
    made = word_xml(redline("".join(old for old, _new in PAIRS.values()), "".join(new for _old, new in PAIRS.values())))
    ids = [mark.get(f"{W}id") for mark in made.iter(f"{W}ins", f"{W}del")]
    assert len(set(ids)) == len(ids) > 20
