"""What is pasted prints as it looked: numbers, ticks, borders; what was hidden does not print."""

import re

import pytest

from pipeline.contracts import merge
from pipeline.documents.content import parse
from pipeline.documents.pdf import render as render_pdf
from pipeline.documents.word import render as render_docx
from pipeline.signing.pages.contract import readable
from tests.documents.beside import pages
from tests.documents.pasting import field, filtered, google, unseen_field, word
from tests.documents.support import document, pdf_text


def kept(source):
    """The HTML that a template keeps, on one line."""
    return merge.sanitize(source).replace("\n", "")


def printed(source):
    """The lines of the contract as its page prints them, with the markers of its lists."""
    page = readable(merge.sanitize(source), "en", "ltr", "Table", "/p?id=")
    lines = re.sub(r"<br>|</(?:p|h[1-6]|td|li|div)>", "\n", str(page).replace("\n", " "))
    return [" ".join(line.split()) for line in re.sub(r"<[^>]*>", "", lines).split("\n") if line.strip()]


def told(source):
    """{code: messages} of the warnings that tell a change."""
    found = {}
    for one in merge.warnings(source):
        found.setdefault(one["code"], []).append(one["message"])
    return found


ONE, TWO, DOT = word("1.", "One"), word("2.", "<b>Two</b>"), word("·", "Dot")
FIRST, SECOND = "<li><p>One</p></li>", "<li><p><b>Two</b></p></li>"
UNLEVELLED = '<p class="MsoListParagraph">·&nbsp;&nbsp; Dot</p><p class="MsoListParagraph">Only set in</p>'
LEGAL = word("1.", "Grant", tag="h1") + word("1.1", "Use", 2) + word("(a)", "here", 3) + word("2.", "Term", tag="h1")


@pytest.mark.parametrize(
    ("source", "html"),
    [
        (f"<p>a</p>{ONE}{TWO}<p>b</p>", f"<p>a</p><ol>{FIRST}{SECOND}</ol><p>b</p>"),
        (
            ONE + word("a.", "Inner", 2) + TWO,
            f'<ol><li><p>One</p><ol type="a"><li><p>Inner</p></li></ol></li>{SECOND}</ol>',
        ),
        (ONE + DOT, f"<ol>{FIRST}</ol><ul><li><p>Dot</p></li></ul>"),
        (UNLEVELLED, "<ul><li><p>Dot</p></li></ul><p>Only set in</p>"),
        (f"{ONE.strip()}between{TWO}", f'<ol>{FIRST}</ol>between<ol start="2">{SECOND}</ol>'),
        (
            LEGAL,
            '<ol class="clauses"><li><h1>Grant</h1><ol><li><p>Use</p><ol><li><p>here</p></li></ol></li></ol></li>'
            "<li><h1>Term</h1></li></ol>",
        ),
    ],
    ids=["numbers", "two levels", "bullets after numbers", "a marker without a level", "text between", "clauses"],
)
def test_paragraphs_of_word_become_lists_with_the_same_markers(source, html):
    assert kept(source) == html


KEPT_AS_TEXT = {
    "2. 2.1. 2.2.": word("2.", "", tag="h1") + word("2.1.", "", 2) + word("2.2.", "", 2),
    "(A) (B) 1.": word("(A)", "") + word("(B)", "") + word("1.", "", list="l1", tag="h1"),
    "Article I Section 1.01 (a)": word("Article I", "") + word("Section 1.01", "", 2) + word("(a)", "", 3),
    "1. (a) (i) 2.": word("1.", "") + word("(a)", "", 1, "l1") + word("(i)", "", 2, "l1") + word("2.", ""),
    "– –": word("–", "") + word("–", ""),
    "1) 2)": word("1)", "") + word("2)", ""),
    "²)": word("²)", ""),
    "01. 02.": word("01.", "") + word("02.", ""),
    "أ.": word("أ.", ""),
    "99999.": word("99999.", ""),
    "3. 3.1. a)": filtered("3.", "", 18, "h1") + filtered("3.1.", "") + filtered("a)", "", 72),
    "α. β.": '<ol style="list-style-type: lower-greek"><li><li></ol>',
    "01. a. 02.": '<ol style="list-style-type:decimal-leading-zero"><li><ol><li value=1></ol><li></ol>',
    "0. 1.": '<ol start="0" style="list-style:decimal"><li><li></ol>',
    "aa. ab.": '<ol start="27" style="list-style-type:lower-alpha"><li><li></ol>',
    "☑ ☐": '<ul class="tox-checklist"><li class="tox-checklist--checked"><li></ul>',
    "☐ ☑": '<ul><li role="checkbox" aria-checked="false"><li role="checkbox" aria-checked="true"></ul>',
    "☑": '<ul><li data-list="checked"></ul>',
    "2. 2.1. 2.2. 2.3.": '<ol start="2"><li data-leveltext="%1." data-listid="7" data-aria-posinset="2"></ol>'
    + "".join(
        f'<ol><li data-leveltext="%1.%2." data-listid="7" data-aria-level="2" data-aria-posinset="{number}"></ol>'
        for number in (1, 2, 3)
    ),
}


@pytest.mark.parametrize("markers", KEPT_AS_TEXT)
def test_markers_that_contracts_would_not_print_stay_as_text(markers):
    source = re.sub("(<li[^>]*>)", r"\1x", KEPT_AS_TEXT[markers])
    assert " ".join(line.removesuffix(" x") for line in printed(source)) == markers
    assert told(source)["kept_marker"]


@pytest.mark.parametrize("step", [14, 18, 21, 28, 36])
def test_markers_that_stay_as_text_are_as_deep_as_they_were_pasted(step):
    markers = ["2.", "2.1", "(a)", "(i)", "(b)", "2.2", "5."]
    depths = [1, 2, 3, 4, 3, 2, 1]
    pasted = "".join(
        filtered(marker, "x", 18 + step * (depth - 1)) for marker, depth in zip(markers, depths, strict=True)
    )
    assert [int(depth) for depth in re.findall(r'class="marked-(\d)"', kept(pasted))] == depths


@pytest.mark.parametrize(
    ("source", "lines"),
    [
        ('<ol style="list-style-type:lower-alpha"><li>a<li>b</ol>', ["a. a", "b. b"]),
        ('<ol style="list-style: upper-roman inside"><li>a<li>b</ol>', ["I. a", "II. b"]),
        ("<ol><li>a<li value=5>b<li>c</ol>", ["1. a", "5. b", "6. c"]),
        ("<ol reversed><li>a<li>b</ol>", ["2. a", "1. b"]),
        ('<ol><li type="A">a<li type="A">b</ol>', ["A. a", "B. b"]),
        (google("decimal", "a", google("lower-alpha", "b", level=2), "c"), ["1. a", "a. b", "2. c"]),
        (google("decimal", "a", google("decimal", "b", "c", level=2)), ["1. a", "1. b", "2. c"]),
        ("<ol><li>a<ol><li>b</ol></ol>", ["1. a", "a. b"]),
        ('<ol class="clauses"><li value="7">a<ol><li>b</ol></ol>', ["1. a", "1.1 b"]),
        ("<style>ol.x {list-style-type: upper-alpha}</style><ol class=x><li>a</ol>", ["A. a"]),
        ('<ul style="list-style-type: lower-roman"><li>a<li>b</ul>', ["i. a", "ii. b"]),
    ],
)
def test_lists_of_editors_print_the_markers_that_they_show(source, lines):
    assert printed(source) == lines


LIBREOFFICE = """<html><head><meta name="generator" content="LibreOffice 7.4"/>
<style>p { text-align: justify }</style></head>
<body><p align="center"><font size="5" style="font-size: 21pt"><b>Licence</b></font></p><ol><li><h2>Grant</h2><ol>
<li><p>Use</p><ol type="a"><li><p>here</p></ol></ol></ol><p>Name:	Bob</p></body></html>"""


def test_a_text_of_libreoffice_keeps_its_title_its_figures_and_its_columns():
    assert kept(LIBREOFFICE).strip().startswith('<h1 style="text-align:center" class="title">')
    assert printed(LIBREOFFICE) == ["Licence", "1. Grant", "1. Use", "a. here", "Name:", "Bob"]


GOOGLE_EXPORT = """<style>ol.lst-kix_a-0{list-style-type:none}.lst-kix_a-0>li{counter-increment:lst-ctn-kix_a-0}
.lst-kix_a-0 > li:before{content:"" counter(lst-ctn-kix_a-0,decimal) ". "}
.lst-kix_a-1 > li:before{content:"" counter(lst-ctn-kix_a-0,decimal) "." counter(lst-ctn-kix_a-1,decimal) " "}
</style><ol class="c1 lst-kix_a-0 start" start="1"><li>a</ol><ol class="lst-kix_a-0" start="2"><li>b</ol>
<ol class="lst-kix_a-1 start" start="1"><li>c<li>d</ol>"""


def test_an_exported_google_document_keeps_its_legal_numbers():
    assert printed(GOOGLE_EXPORT) == ["1. a", "2. b", "2.1 c", "2.2 d"]
    assert '<p class="marked-2"><span class="marker">2.2</span> d</p>' in kept(GOOGLE_EXPORT)
    assert '"2.1" to "2.2", from "c" on, stay' in told(GOOGLE_EXPORT)["kept_marker"][0]


@pytest.mark.parametrize(
    ("marker", "message"),
    [("o", 'The bullet "o" becomes "•".'), ("2.1.", 'The list numbers "2.1.", from "Item" on, stay as text.')],
)
def test_each_change_of_a_marker_is_told_with_its_place(marker, message):
    assert [message] in told(word(marker, "Item")).values()


SECRET = "floor price 60"
HIDDEN = [
    "<p style='display:none'>{}</p>",
    "<p style='DISPLAY: none !important'><b>{}</b></p>",
    "<p>a <span style='mso-hide:all'>{}</span></p>",
    "<p hidden>{}</p>",
    "<div style='visibility:hidden'><p>{}</p></div>",
    "<table><tr><td hidden>{}</td><td>b</td></tr></table>",
    "<style>.c7{{display:none}}</style><p class='c7'>{}</p>",
    "<p style='font-size:0'>{}</p>",
    "<p style='opacity:0'>{}</p>",
    "<input type=hidden value='{}'>",
    "<div style='mso-element:comment-list'><p class=MsoCommentText>{}</p></div>",
    "<p>a<span class=MsoCommentReference><a class=msocomanchor href='#_msocom_1'>[{}]</a></span></p>",
    "<div><hr class=msocomoff><div class=msocomtxt id='_com_1'><p>{}</p></div></div>",
    "<div style='border:1px solid black'><p><a href='#cmnt_ref1' id='cmnt1'>[a]</a><span>{}</span></p></div>",
    "<!-- {} -->",
    "<!--[if gte mso 9]><xml>{}</xml><![endif]-->",
    "<p>a<span style='color:white'> {}</span></p>",
    "<p>a<span style='background:white;color:#FFFFFF'> {}</span></p>",
    "<p>a<span style='color:transparent'> {}</span></p>",
    "<p>a<font color='#ffffff'> {}</font></p>",
    "<p style='position:absolute;left:-9999px'>{}</p>",
    "<p style='text-indent:-9999px'>{}</p>",
    "<div style='max-height:0;overflow:hidden'><p>{}</p></div>",
    "<span style='position:absolute;width:1px;height:1px;overflow:hidden;clip:rect(0,0,0,0)'>{}</span>",
    "<style>.preview{{clip-path:inset(50%)}}</style><span class=preview>{}</span>",
    "<p>a<span class='sr-only'>{}</span></p>",
    "<p>a<span style='font-size:1px;line-height:0'>{}</span></p>",
    "<style>.doc .note{{display:none}}</style><div class=doc><p class=note>{}</p></div>",
    "<style>div > p#n {{display:none}}</style><div><p id=n>{}</p></div>",
    "<table><tr style='visibility:collapse'><td>{}</td></tr><tr><td>b</td></tr></table>",
    "<table><col width=64><col width=0 style='display:none'><tr><td>a</td><td>{}</td></tr></table>",
    "<dialog>{}</dialog>",
    "<span style='transform:scale(0)'>{}</span>",
]
SEEN = [
    "<table><tr><td style='background:#1F3864'><span style='color:white'>on</span></td></tr></table>",
    "<table><tr><td bgcolor='#1F3864'><font color=white>on</font></td></tr></table>",
    "<style>.head{background-color:navy}</style><div class=head><p style='color:#fff'>on</p></div>",
    "<p style='text-indent:-18pt;position:relative;left:-2px'>on</p>",
    "<p style='overflow:hidden;max-height:90px;font-size:2pt'>on</p>",
    "<style>.other p{display:none}</style><div><p>on</p></div>",
]


@pytest.mark.parametrize("seen", SEEN)
def test_white_text_on_colours_and_small_text_stay(seen):
    assert printed(f"<p>Seen</p>{seen}") == ["Seen", "on"]


def test_a_text_that_is_white_throughout_stays():
    assert printed("<p style='color:white'>Copied</p><p style='color:white'>from a dark window</p>")


@pytest.mark.parametrize("hidden", HIDDEN)
def test_hidden_elements_are_removed_with_their_content(hidden):
    source = f"<p>Seen</p>{hidden.format(SECRET)}<p>on</p>"
    assert SECRET not in merge.sanitize(source)
    assert {"Seen", "on"} <= set(printed(source))


def test_the_warning_of_hidden_text_names_its_place_and_not_its_words():
    warnings = merge.warnings(f"<p>Price on request</p><p style='display:none'>{SECRET}</p>")
    assert warnings[0] == {
        "code": "removed_hidden",
        "message": 'Hidden text of 12 characters after "Price on request" is removed.',
    }
    assert SECRET not in str(warnings)


@pytest.mark.parametrize("write", [field, unseen_field])
@pytest.mark.parametrize(
    ("code", "shown", "left"),
    [("REF _Ref1 \\h", "2.1", "2.1"), ("PAGEREF _Toc1 \\h", "3", ""), ("XE &quot;a&quot;", "", "")],
)
def test_the_code_of_a_field_goes_and_its_text_stays_unless_it_is_a_page(write, code, shown, left):
    source = f"<p>Clause {write(code, shown)} applies</p>"
    assert printed(source) == [" ".join(f"Clause {left} applies".split())]
    assert told(source)["removed_field"]


def test_a_table_of_contents_over_several_paragraphs_loses_its_codes():
    begin, separator, end = (
        f"<span style='mso-element:field-{name}'></span>" for name in ("begin", "separator", "end")
    )
    entries = f"<p class=MsoToc1>{begin} TOC \\o {separator}Grant{field('PAGEREF _Toc1 ', '3')}</p><p>Term{end}</p>"
    assert printed(f"{entries}<p>Text</p>") == ["Grant", "Term", "Text"]


def test_an_unfinished_field_loses_no_text():
    assert printed("<p>a<span style='mso-element:field-begin'></span>b</p><p>c</p>") == ["ab", "c"]


@pytest.mark.parametrize(
    ("source", "line"),
    [
        ("<input type=checkbox checked> Yes <input type=checkbox> No", "☑ Yes ☐ No"),
        ("<input type=radio checked> Yes <input type=radio> No", "◉ Yes ○ No"),
        ("Name <input value='Ada Brandt'>", "Name Ada Brandt"),
        ("<span style='font-family:Wingdings'>þ</span> Yes <font face='Wingdings'>¨</font> No", "☑ Yes ☐ No"),
        ("<span style='font-family:\"Wingdings 2\"'>R</span> Yes", "☑ Yes"),
        ("<span style='font-family:Symbol'>a £ 3</span>", "α ≤ 3"),
        ("\uf0fe Yes", "☑ Yes"),
        ("☒ Yes", "☒ Yes"),
        (field("FORMCHECKBOX", ""), "☐"),
    ],
)
def test_ticks_and_symbols_print_as_signs(source, line):
    assert printed(f"<p>{source}</p>") == [line]


def test_a_sign_of_a_symbol_font_without_counterpart_is_told():
    source = "<p><span style='font-family:Webdings'>q</span></p>"
    assert printed(source) == ["□"]
    assert told(source)["changed_symbol"] == ['The sign "q" of the font Webdings is unknown and prints as "□".']


NO_LINES = "border-bottom:none;border-left:none;border-right:none;border-top:none"


@pytest.mark.parametrize(
    ("source", "html"),
    [
        ("<p class=MsoTitle>Licence</p>", '<h1 class="title">Licence</h1>'),
        ('<p><span style="font-size:26pt">Licence</span></p>', '<h1 class="title"><span>Licence</span></h1>'),
        ('<p><span style="font-size:11pt">Licence</span></p>', "<p><span>Licence</span></p>"),
        (
            '<p style="text-transform:uppercase;font-variant:small-caps">a</p>',
            '<p style="font-variant:small-caps;text-transform:uppercase">a</p>',
        ),
        (
            "<p>By:<span style='mso-tab-count:1'>&nbsp; </span><u><span style='mso-tab-count:4'>&nbsp; </span></u></p>",
            f'<table style="{NO_LINES}"><tbody><tr><td><p>By:</p></td><td><p>'
            '<span class="blank">________________</span></p></td></tr></tbody></table>',
        ),
    ],
)
def test_titles_capitals_and_lines_to_write_on_are_kept(source, html):
    assert kept(source) == html


TAB = "<span style='mso-tab-count:1'>&nbsp;&nbsp; </span>"


@pytest.mark.parametrize(
    "tab", [TAB, '<span style="white-space:pre">\t</span>', "\t", '<span class="Apple-tab-span">\t</span>']
)
def test_tabs_become_the_columns_of_a_table_without_lines(tab):
    root = parse(merge.sanitize(f"<p><b>Name:</b>{tab}Bob</p><p>Title:{tab}CFO</p><p>End</p>"))
    assert [[cell.text_content() for cell in row] for row in root.iter("tr")] == [["Name:", "Bob"], ["Title:", "CFO"]]
    assert all("solid" not in cell.get("style") for cell in root.iter("td"))


def test_a_typed_number_before_a_tab_keeps_its_paragraph():
    assert printed(f"<p>1.{TAB}Definitions</p><p>(a){TAB}Use</p>") == ["1. Definitions", "(a) Use"]


CELLS = {
    "<table style='border:none'><tr><td>a<td>b</table>": ["", ""],
    "<table border=0><tr><td>a<td>b</table>": ["", ""],
    "<table border=1><tr><td>a<td>b</table>": [None, None],
    "<table><tr><td>a<td>b</table>": [None, None],
    "<table border=0><tr><td style='border:none;border-bottom:solid windowtext 1.0pt'>a<td>b</table>": ["bottom", ""],
    "<table style='border:none'><tr><td style='border:solid 1pt'>a<td style='border-right:dotted'>b</table>": [
        "bottom left right top",
        "left",
    ],
    "<table border=0><tr><td style='border-right:1px solid #fff'>a<td style='border-top:0'>b</table>": ["", ""],
    "<table><tr><td style='border-width:0pt;border-style:solid'>a<td style='border-style:none'>b</table>": ["", ""],
    "<table style='border:1px solid'><tr><td>a<td>b</table>": ["bottom left top", "bottom right top"],
}


@pytest.mark.parametrize("source", CELLS)
def test_cells_have_the_borders_that_were_pasted(source):
    styles = [cell.get("style") or "" for cell in parse(merge.sanitize(source)).iter("td")]
    drawn = [" ".join(re.findall(r"border-(\w+):solid", style)) if "border" in style else None for style in styles]
    assert drawn == CELLS[source]


MIXED = (
    LEGAL
    + word("2.1.", "Other", 2, "l3")
    + google("lower-alpha", "letter", "second")
    + "<p style='text-transform:uppercase'>capitals <i>too</i></p><p><input type=checkbox checked> Yes</p>"
    + "<table border=0><tr><td style='border-bottom:solid 1pt'>line<td>none</table>"
)


def test_both_documents_print_the_same_markers_ticks_and_capitals(office):
    made = document(merge.sanitize(MIXED))
    expected = ["1. Grant", "1.1 Use", "(a) here", "2.1. Other", "a. letter", "b. second", "CAPITALS TOO", "☑"]
    for paper in (render_pdf(made), office.pdf(render_docx(made))):
        text = " ".join(pdf_text(paper).split())
        assert [words for words in expected if words not in text] == []


def test_libreoffice_draws_each_sign_of_the_word_file(office):
    signs = "☑☐☒☎✉⚠→❤✔"
    files = [render_docx(document(f"<p>{sign}</p>")) for sign in signs]
    dark = [pages(pdf)[0].convert("L").getextrema()[0] < 128 for pdf in office.pdfs(files)]
    assert [sign for sign, is_dark in zip(signs, dark, strict=True) if not is_dark] == []


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
