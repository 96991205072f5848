import pytest

from pipeline.documents.word import render as render_docx
from tests.documents.support import W, document, licence, paragraphs, word_text, word_xml


@pytest.fixture(scope="module")
def agreement():
    return render_docx(licence())


def body(content):
    return word_xml(render_docx(document(content)))


def runs(content):
    """(text, names of properties) of every run of a content."""
    return [
        ("".join(run.itertext()), [part.tag.removeprefix(W) for part in run.iterfind(f"{W}rPr/*")])
        for run in body(content).iter(f"{W}r")
    ]


def test_text_has_the_styles_that_word_knows():
    content = """<h1 class="title">a</h1><h1>b</h1><h2>c</h2><h3>d</h3><h4>e</h4><blockquote>f</blockquote>
        <ul><li>g</li></ul><ol><li>h<p>i</p></li></ol><ol class="clauses"><li>j<ol><li><h3>k</h3></li></ol></li></ol>
        <table><caption>l</caption><tr><td>m</td></tr></table><table class="signatures"><tr><td>n</td></tr></table>"""
    expected = (
        "Title Heading1 Heading2 Heading3 Heading4 Quote ListBullet ListNumber ListParagraph Clause Heading3 "
        "Caption TableText SignatureText"
    )
    assert [style for style, _text in paragraphs(render_docx(document(content)))] == expected.split()


def test_formats_nest_and_end():
    assert runs("<p>a<b>b<em>c<u>d</u></em></b><s>e</s><sub>f</sub></p>") == [
        ("a", []),
        ("b", ["b"]),
        ("c", ["b", "i"]),
        ("d", ["b", "i", "u"]),
        ("e", ["strike"]),
        ("f", ["vertAlign"]),
    ]
    assert runs('<p style="font-weight: bold">a<span class="definition">b</span></p>') == [
        ("a", ["b"]),
        ("b", ["rStyle", "b"]),
    ]


def test_white_space_is_that_of_a_page_not_of_the_source():
    content = "<p> a \n <b> b</b> <i>c </i> <br> d&nbsp; <br></p>\n  <div> e <p>f</p> g </div>"
    assert word_text(render_docx(document(content))).strip() == "a b c\nd\u00a0\ne\nf\ng"


def test_schedules_keep_their_numbering_when_they_are_joined(agreement):
    numbering = word_xml(agreement, "word/numbering.xml")
    defined = {number.get(f"{W}numId") for number in numbering.iter(f"{W}num")}
    used = {number.get(f"{W}val") for number in word_xml(agreement).iter(f"{W}numId")}
    identities = [nsid.get(f"{W}val") for nsid in numbering.iter(f"{W}nsid")]
    assert used <= defined
    assert len(used) >= 4
    assert len(set(identities)) == len(identities)


def test_merged_cells_are_merged_and_every_row_fills_the_grid():
    cells = '<tr><th rowspan="2">a</th><th colspan="2">b</th></tr><tr><td>c</td></tr>'
    table = body(f"<table>{cells}</table>").find(f".//{W}tbl")
    assert len(table.findall(f"{W}tblGrid/{W}gridCol")) == 3
    assert [merge.get(f"{W}val", "continue") for merge in table.iter(f"{W}vMerge")] == ["restart", "continue"]
    assert [span.get(f"{W}val") for span in table.iter(f"{W}gridSpan")] == ["2"]
    assert [after.get(f"{W}val") for after in table.iter(f"{W}gridAfter")] == ["1"]


def test_the_head_of_a_table_is_repeated_and_money_stands_right():
    content = '<table><thead><tr><th>a</th></tr></thead><tr><td class="money">1.00</td></tr></table>'
    table = body(content).find(f".//{W}tbl")
    assert [row.find(f"{W}trPr/{W}tblHeader") is not None for row in table.iter(f"{W}tr")] == [True, False]
    assert [align.get(f"{W}val") for align in table.iter(f"{W}jc")] == ["right"]


def test_pages_break_where_they_should():
    content = """<p>a</p><div class="page-break"></div><p>b</p><p style="page-break-before: always">c</p>
        <p style="break-after: page">d</p><table><tr><td>e</td></tr></table><div class="schedule"><h1>f</h1></div>"""
    broken = [mark.getparent().getparent() for mark in body(content).iter(f"{W}pageBreakBefore")]
    assert ["".join(paragraph.itertext()) for paragraph in broken] == ["b", "c", "", "f"]


def test_a_table_that_fills_a_page_is_followed_by_no_empty_page():
    table = '<table class="signatures"><tr><td>a</td></tr></table>'
    made = body(
        f'{table}<p>b</p>{table}<div class="schedule"><h1>c</h1></div>{table}<div class="schedule">{table}</div>'
    )
    after = [element.getnext() for element in made.iter(f"{W}tbl")]
    styles = [paragraph.find(f"{W}pPr/{W}pStyle") for paragraph in after]
    assert [None if style is None else style.get(f"{W}val") for style in styles] == [
        "AfterTable",
        "Heading1",
        None,
        "AfterTable",
    ]


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        ({}, []),
        ({"header_right": "c"}, [("right", "c")]),
        ({"header_left": "a", "header_right": "c"}, [("left", "a"), ("right", "c")]),
        ({"header_center": "b", "header_right": "c"}, [("left", ""), ("center", "b"), ("right", "c")]),
    ],
)
def test_each_text_of_a_header_wraps_within_its_own_share_of_the_line(texts, expected):
    header = word_xml(render_docx(document("<p>x</p>", **texts)), "word/header1.xml")
    cells = [(cell.find(f".//{W}jc").get(f"{W}val"), "".join(cell.itertext())) for cell in header.iter(f"{W}tc")]
    assert cells == expected
