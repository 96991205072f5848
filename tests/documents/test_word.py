"""The Word file of a contract: real styles, lists, tables and fields, ready for editing."""

import io
import re
import zipfile

import docx
import pytest
from lxml import etree

from pipeline.documents.word import render as render_docx
from tests.documents.support import W, document, licence, paragraphs, picture, word_text, word_xml


@pytest.fixture(scope="module")
def agreement():
    """The licence agreement's Word file."""
    return render_docx(licence())


def runs(content):
    """(text, names of properties) of every run of a content."""

    def read(run):
        names = [part.tag.removeprefix(W) for part in run.iterfind(f"{W}rPr/*")]
        return "".join(text.text for text in run.iter(f"{W}t")), names

    return [read(run) for run in word_xml(render_docx(document(content))).iter(f"{W}r")]


def cells(content):
    """Rows of (text, gridSpan, vMerge) of every cell of a table."""

    def read(cell):
        properties = cell.find(f"{W}tcPr")
        span, merge = properties.find(f"{W}gridSpan"), properties.find(f"{W}vMerge")
        text = "".join(part.text for part in cell.iter(f"{W}t"))
        merged = None if merge is None else merge.get(f"{W}val", "continue")
        return text, 1 if span is None else int(span.get(f"{W}val")), merged

    rows = word_xml(render_docx(document(f"<table>{content}</table>"))).iter(f"{W}tr")
    return [[read(cell) for cell in row.iter(f"{W}tc")] for row in rows]


def test_python_docx_opens_it(agreement):
    opened = docx.Document(io.BytesIO(agreement))
    assert opened.core_properties.title == "Software Licence Agreement"
    assert opened.core_properties.language == "en-US"
    assert {"Title", "Heading 1", "Heading 2", "Clause"} <= {paragraph.style.name for paragraph in opened.paragraphs}
    assert opened.tables[0].cell(1, 1).text == "Acme Licensing Inc."


def test_its_properties_have_the_names_that_word_knows():
    made = render_docx(document("<p>a</p>")._replace(author="Acme"))
    with zipfile.ZipFile(io.BytesIO(made)) as file:
        properties = etree.fromstring(file.read("docProps/core.xml"))
    core = "{http://schemas.openxmlformats.org/package/2006/metadata/core-properties}"
    assert [(one.tag, one.text) for one in properties.iter("{*}lastModifiedBy")] == [(f"{core}lastModifiedBy", "Acme")]


def test_text_has_the_styles_that_word_knows():
    content = """<h1 class="title">a</h1><h1>b</h1><h2>c</h2><h3>d</h3><h4>e</h4><p>f</p><blockquote>g</blockquote>
        <ul><li>h</li></ul><ol><li>i<p>j</p></li></ol><ol class="clauses"><li>k<ol><li><h3>l</h3></li></ol></li></ol>
        <table><caption>m</caption><tr><td>n</td></tr></table><table class="signatures"><tr><td>o</td></tr></table>"""
    assert [style for style, _text in paragraphs(render_docx(document(content)))] == [
        "Title",
        "Heading1",
        "Heading2",
        "Heading3",
        "Heading4",
        None,
        "Quote",
        "ListBullet",
        "ListNumber",
        "ListParagraph",
        "Clause",
        "Heading3",
        "Caption",
        "TableText",
        "SignatureText",
    ]


def test_formats_nest_and_end():
    assert runs("<p>a<b>b<em>c<u>d</u></em></b><s>e</s><sub>f</sub><sup>g</sup></p>") == [
        ("a", []),
        ("b", ["b"]),
        ("c", ["b", "i"]),
        ("d", ["b", "i", "u"]),
        ("e", ["strike"]),
        ("f", ["vertAlign"]),
        ("g", ["vertAlign"]),
    ]
    assert runs('<p style="font-weight: bold">a<span class="definition">b</span></p>') == [
        ("a", ["b"]),
        ("b", ["rStyle", "b"]),
    ]


def test_white_space_is_that_of_a_page_not_of_the_source():
    content = "<p> a \n <b> b</b> <i>c </i> <br> d&nbsp; <br></p>\n  <div> e <p>f</p> g </div>"
    assert word_text(render_docx(document(content))).strip() == "a b c\nd\u00a0\ne\nf\ng"


def test_every_list_counts_for_itself():
    content = '<ol class="clauses"><li>a<ol><li>b</li></ol></li></ol>' * 2 + "<ol><li>c</li></ol>" * 2
    found = word_xml(render_docx(document(content))).iter(f"{W}numPr")
    numbers = [(part.find(f"{W}numId").get(f"{W}val"), part.find(f"{W}ilvl").get(f"{W}val")) for part in found]
    assert numbers == [("1", "0"), ("1", "1"), ("2", "0"), ("2", "1"), ("3", "0"), ("4", "0")]


def test_clauses_are_one_multilevel_list(agreement):
    numbering = word_xml(agreement, "word/numbering.xml")
    definition = numbering.find(f"{W}abstractNum")
    assert definition.find(f"{W}multiLevelType").get(f"{W}val") == "multilevel"
    texts = [text.get(f"{W}val") for text in definition.iter(f"{W}lvlText")]
    assert texts[:4] == ["%1.", "%1.%2", "(%3)", "(%4)"]


def test_schedules_keep_their_numbering_when_they_are_joined(agreement):
    numbering = word_xml(agreement, "word/numbering.xml")
    defined = {number.get(f"{W}numId") for number in numbering.iter(f"{W}num")}
    used = {number.get(f"{W}val") for number in word_xml(agreement).iter(f"{W}numId")}
    identities = [nsid.get(f"{W}val") for nsid in numbering.iter(f"{W}nsid")]
    assert used <= defined
    assert len(used) >= 4
    assert len(set(identities)) == len(identities)


def test_merged_cells_are_merged():
    assert cells('<tr><th rowspan="2">a</th><th colspan="2">b</th></tr><tr><td>c</td><td>d</td></tr>') == [
        [("a", 1, "restart"), ("b", 2, None)],
        [("", 1, "continue"), ("c", 1, None), ("d", 1, None)],
    ]
    assert cells('<tr><td>a</td><td rowspan="9">b</td></tr><tr><td>c</td></tr>') == [
        [("a", 1, None), ("b", 1, "restart")],
        [("c", 1, None), ("", 1, "continue")],
    ]


def test_every_row_fills_the_grid():
    content = '<table><tr><td colspan="3">a</td></tr><tr><td>b</td></tr></table>'
    table = word_xml(render_docx(document(content))).find(f".//{W}tbl")
    assert len(table.findall(f"{W}tblGrid/{W}gridCol")) == 3
    assert [after.get(f"{W}val") for after in table.iter(f"{W}gridAfter")] == ["2"]


def test_the_head_of_a_table_is_repeated_and_money_stands_right():
    content = '<table><thead><tr><th>a</th></tr></thead><tr><td class="money">1.00</td></tr></table>'
    table = word_xml(render_docx(document(content))).find(f".//{W}tbl")
    assert [row.find(f"{W}trPr/{W}tblHeader") is not None for row in table.iter(f"{W}tr")] == [True, False]
    assert [align.get(f"{W}val") for align in table.iter(f"{W}jc")] == ["right"]


def test_pages_break_where_they_should():
    content = """<p>a</p><div class="page-break"></div><p>b</p><p style="page-break-before: always">c</p>
        <p style="break-after: page">d</p><table><tr><td>e</td></tr></table><div class="schedule"><h1>f</h1></div>"""
    body = word_xml(render_docx(document(content)))
    broken = [paragraph.getparent().getparent() for paragraph in body.iter(f"{W}pageBreakBefore")]
    assert ["".join(text.text for text in paragraph.iter(f"{W}t")) for paragraph in broken] == ["b", "c", "", "f"]


def row(docx, name):
    """The (alignment, text) of each cell of a header or footer."""
    return [
        (cell.find(f".//{W}jc").get(f"{W}val"), "".join(text.text for text in cell.iter(f"{W}t")))
        for cell in word_xml(docx, f"word/{name}1.xml").iter(f"{W}tc")
    ]


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        ({}, []),
        ({"header_right": "c"}, [("right", "c")]),
        ({"header_left": "a", "header_right": "c"}, [("left", "a"), ("right", "c")]),
        ({"header_center": "b"}, [("center", "b")]),
        ({"header_center": "b", "header_right": "c"}, [("left", ""), ("center", "b"), ("right", "c")]),
        (
            {"header_left": "a", "header_center": "b", "header_right": "c"},
            [("left", "a"), ("center", "b"), ("right", "c")],
        ),
    ],
)
def test_each_text_of_a_header_wraps_within_its_own_share_of_the_line(texts, expected):
    assert row(render_docx(document("<p>x</p>", **texts)), "header") == expected


def test_page_numbers_are_fields():
    contract = document("<p>x</p>", footer_center="{{page}} of {{pages}}")
    footer = word_xml(render_docx(contract), "word/footer1.xml")
    assert [field.get(f"{W}instr") for field in footer.iter(f"{W}fldSimple")] == ["PAGE", "NUMPAGES"]


def test_word_opens_it_in_its_present_mode_and_not_in_that_of_old_files(agreement):
    (mode,) = [
        setting.get(f"{W}val")
        for setting in word_xml(agreement, "word/settings.xml").iter(f"{W}compatSetting")
        if setting.get(f"{W}name") == "compatibilityMode"
    ]
    assert mode == "15"


def test_a_justified_line_before_a_line_break_keeps_its_spaces(agreement):
    assert word_xml(agreement, "word/settings.xml").find(f"{W}compat/{W}doNotExpandShiftReturn") is not None


def test_the_logo_is_in_the_header():
    with zipfile.ZipFile(io.BytesIO(render_docx(document("<p>x</p>", logo=picture("JPEG"))))) as file:
        assert [name for name in file.namelist() if name.startswith("word/media/")] == ["word/media/image1.jpg"]


def test_it_is_the_same_file_each_time(agreement):
    assert agreement == render_docx(licence())


def test_characters_that_no_file_can_hold_are_left_out():
    contract = document("<p>a\x00b&#1;c\ufffed\x0ee</p>", header_left="f\x07g")._replace(title="h\x00i")
    assert word_text(render_docx(contract)).strip() == "abcde"


def test_every_element_stands_in_the_order_that_the_format_prescribes(agreement):
    order = [
        "pStyle",
        "keepNext",
        "pageBreakBefore",
        "numPr",
        "pBdr",
        "tabs",
        "suppressAutoHyphens",
        "spacing",
        "ind",
        "jc",
    ]
    for properties in word_xml(agreement).iter(f"{W}pPr"):
        names = [child.tag.removeprefix(W) for child in properties]
        assert names == sorted(names, key=order.index)


@pytest.mark.parametrize("content", ["", " ", "<p></p>", "<table></table>", "<ol></ol>", "<tr><td>x", "</div></body>x"])
def test_odd_content_is_still_a_document(content):
    assert re.fullmatch(r"\s*x?\s*", word_text(render_docx(document(content))))
