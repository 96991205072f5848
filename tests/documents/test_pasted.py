"""Lists that were pasted from Word become lists of the contract."""

import pytest

from pipeline.contracts import merge
from pipeline.documents.pdf import render as render_pdf
from pipeline.documents.word import render as render_docx
from tests.documents.support import document, pdf_text

# As Word 2019 and Word for the web put them on the clipboard.
NUMBERED = (
    "<p class=MsoListParagraphCxSpFirst style='text-indent:-18.0pt;mso-list:l0 level1 lfo1'><![if !supportLists]>"
    "<span style='mso-list:Ignore'>{}<span style='font:7.0pt \"Times New Roman\"'>&nbsp;&nbsp; </span></span>"
    "<![endif]>{}</p>\n"
)


def kept(source):
    """The HTML that a template keeps, on one line."""
    return merge.sanitize(source).replace("\n", "")


ONE, TWO, DOT = NUMBERED.format("1.", "One"), NUMBERED.format("2.", "<b>Two</b>"), NUMBERED.format("·", "Dot")
FIRST, SECOND = "<li><p>One</p></li>", "<li><p><b>Two</b></p></li>"
INNER = NUMBERED.replace("level1", "level2").format("a)", "Inner")
UNLEVELLED = '<p class="MsoListParagraph">·&nbsp;&nbsp; Dot</p><p class="MsoListParagraph">Only set in</p>'


@pytest.mark.parametrize(
    ("source", "html"),
    [
        (f"<p>a</p>{ONE}{TWO}<p>b</p>", f"<p>a</p><ol>{FIRST}{SECOND}</ol><p>b</p>"),
        (ONE + INNER + TWO, f'<ol><li><p>One</p><ol type="a"><li><p>Inner</p></li></ol></li>{SECOND}</ol>'),
        (ONE + DOT, f"<ol>{FIRST}</ol><ul><li><p>Dot</p></li></ul>"),
        (UNLEVELLED, "<ul><li><p>Dot</p></li></ul><p>Only set in</p>"),
        (f"{ONE.strip()}between{TWO}", f'<ol>{FIRST}</ol>between<ol start="2">{SECOND}</ol>'),
    ],
    ids=["numbers", "two levels", "bullets after numbers", "a marker without a level", "text between"],
)
def test_paragraphs_with_typed_markers_become_lists_without_them(source, html):
    assert kept(source) == html


@pytest.mark.parametrize(
    ("marker", "opening"),
    [("·", "<ul>"), ("o", "<ul>"), ("§", "<ul>"), ("(a)", '<ol type="a">'), ("B.", '<ol start="2" type="A">')]
    + [("i)", '<ol type="i">'), ("I.", '<ol type="I">'), ("4.", '<ol start="4">'), ("1)", "<ol>")]
    + [("(c)", '<ol start="3" type="a">'), ("IX.", '<ol start="9" type="I">'), ("2.3", '<ol start="3">')]
    + [
        ("²)", "<ol>"),
        ("99999999.", "<ol>"),
        ("h)", '<ol start="8" type="a">'),
        ("bb.", '<ol start="28" type="a">'),
        ("أ.", '<ol type="a">'),
    ],
)
def test_the_marker_says_what_kind_of_list_it_is(marker, opening):
    assert kept(NUMBERED.format(marker, "Item")).startswith(f"{opening}<li><p>Item</p></li>")


@pytest.mark.parametrize(
    ("markers", "messages"),
    [
        ("a. b. c.", []),
        ("h. i. j.", []),
        ("· ·", []),
        ("(c) (d)", ['List numbers of the form "(a)" become "a.", 2 times.']),
        ("1. 5.", ['The list number "5." becomes number 2 of its list.']),
        ("o", ['The bullet "o" becomes "•".']),
    ],
)
def test_markers_that_change_are_told(markers, messages):
    source = "".join(NUMBERED.format(marker, "Item") for marker in markers.split())
    told = [one["message"] for one in merge.warnings(source) if one["code"] == "changed_marker"]
    assert told == messages


LABELS = {"a": "b.", "A": "B.", "i": "ii.", "I": "II.", "1": "2.", "x": "2."}


def listed(type):
    """A list of this type, and a reference to its second item."""
    name = f"of-{type}-{type.isupper()}"
    return f'<ol type="{type}"><li>one</li><li id="{name}">two {name}</li></ol><p>See <a data-ref="{name}">2</a>!</p>'


@pytest.mark.parametrize("type", LABELS)
def test_the_type_of_a_list_counts_in_a_reference(type):
    number = merge.resolve(merge.sanitize(listed(type)), {}, {}).content.partition("See ")[2]
    assert f">{LABELS[type].rstrip('.')}</a>" in number


def test_the_type_of_a_list_counts_in_both_documents(office):
    made = document(merge.sanitize("".join(map(listed, LABELS))))
    expected = {f"{label} two of-{type}-{type.isupper()}" for type, label in LABELS.items()}
    for paper in (render_pdf(made), office.pdf(render_docx(made))):
        text = " ".join(pdf_text(paper).split())
        assert [words for words in sorted(expected) if words not in text] == []
