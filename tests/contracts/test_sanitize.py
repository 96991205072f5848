import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.contracts import merge
from pipeline.documents.content import parse
from pipeline.documents.document import BLANK
from pipeline.documents.pdf import render as render_pdf
from pipeline.documents.reading import read
from pipeline.documents.subset import CONTRACT, ELEMENTS, TEMPLATE, serialized
from pipeline.documents.word import render as render_docx
from pipeline.validation import Invalid
from tests.contracts.merging import LINES, MANY, filled, resolved, text_of
from tests.documents.support import document, letters, pdf_text, word_text

KEPT = [
    "<h1>a</h1><h2>b</h2><h3>c</h3><h4>d</h4><p>e<br>f</p><hr>",
    "<p><strong>a</strong> <b>b</b> <em>c</em> <i>d</i> <u>e</u> <s>f</s> <sub>g</sub> <sup>h</sup> <span>i</span></p>",
    '<ul><li>a</li></ul><ol start="3"><li>b<ol><li>c</li></ol></li></ol><blockquote>d</blockquote>',
    '<table><caption>a</caption><colgroup><col span="2"></colgroup><thead><tr><th colspan="2">b</th></tr></thead>'
    '<tbody><tr><td rowspan="2">c</td><td>d</td></tr></tbody><tfoot><tr><td>e</td></tr></tfoot></table>',
    '<ol class="clauses"><li>a</li></ol><div class="schedule">b</div><div class="page-break"></div>',
    '<p style="text-align:right">a</p><p style="break-before:page">b</p>',
    '<p>{{Deal.title | default: "a"}}&nbsp;b</p>',
    '<p><a href="https://x.example/a?b=1&amp;c=%20#d">a</a> <a href="mailto:legal@x.example">b</a></p>',
    '<p data-if="Deal.title">a</p><p data-each="Quote.lines">b</p>',
    "text without a paragraph",
    "a &amp; b &lt;c&gt; “d” ü 契約",
]
CHANGED = {
    '<p onclick="x()" id="a">b</p>': "<p>b</p>",
    "a<script>alert(1)</script>b<style>p{}</style>c": "abc",
    "a<svg><script>x</script><text>t</text></svg>b": "ab",
    "a<iframe src=x>in</iframe>b<object>in</object>c<math>in</math>d": "abcd",
    '<a href="https://x.example" onclick="y" target="_blank">link</a> <img src="x" onerror="y">': (
        '<a href="https://x.example">link</a> '
    ),
    '<a href="http://x.example">a</a> <a href="javascript:x">b</a> <a href="/c">c</a> <a name="d">d</a>': "a b c d",
    '<a href="https://x.example/{{Deal.id}}">a</a><a href="https://x.example/&quot;b">b</a>': "ab",
    "<p>a<!-- note -->b</p>": "<p>ab</p>",
    "<h6>a</h6><del>b</del><ins>c</ins><strike>d</strike>": "<h4>a</h4>c<s>d</s>",
    "<center>a</center>": '<div style="text-align:center">a</div>',
    "<pre>\na\nb <b>c\nd</b>\n\ne</pre>\nf": "<p>a<br>b <b>c<br>d</b><br><br>e</p>\nf",
    '<p style="color:red; TEXT-ALIGN: Center !important; b:url(x)">a</p>': '<p style="text-align:center">a</p>',
    '<p style="width:expression(1);text-align:url(x)">a</p>': "<p>a</p>",
    '<span style="text-decoration: underline solid rgb(0, 0, 0)">a</span>': (
        '<span style="text-decoration:underline">a</span>'
    ),
    '<p class="MsoNormal title money">a</p>': '<p class="money title">a</p>',
    '<table><tr><td colspan="0" rowspan="9999" width="50">a</table>': (
        '<table><tbody><tr><td style="width:37.5pt">a</td></tr></tbody></table>'
    ),
    '<p style="page-break-before:always;font-weight:700;text-align:start">a</p>': (
        '<p style="break-before:page;font-weight:bold;text-align:left">a</p>'
    ),
    "<p style='width:1mm;width:33.33333333%'>a</p><p style='width:2furlong'>b</p>": (
        '<p style="width:33.3333%">a</p><p>b</p>'
    ),
    "<p>a<p>b<ul><li>c<li>d</ul>": "<p>a</p><p>b</p><ul><li>c</li><li>d</li></ul>",
    "a < b > c & d": "a &lt; b &gt; c &amp; d",
    "a\x00b\x07c&#1;d\ufffe": "abcd",
    "a\x0bb\r\nc\u2028d": "a\nb\nc\nd",
    '<p data-if="<b>Deal.title">a</p>': '<p data-if="&lt;b&gt;Deal.title">a</p>',
    "a<p title='>' class=\"title\">b": 'a<p class="title">b</p>',
    "a<title>b": "a",
    "</p></div></body></html>a": "a",
}
BROKEN = """<p> <div> </div> <b> </b> <table> <tr> <td> </table> <ul> <li> <h1> <span> <br> <caption> <svg> <a> <button>
<select> <!-- --> <p|x=' '> text {{a}}""".replace("|", "\0").split()
BROKEN = [" ", *(piece.replace("\0", " ") for piece in BROKEN)]


@pytest.mark.parametrize("source", KEPT)
def test_supported_html_stays_as_it_is(source):
    assert merge.sanitize(source) == source


@pytest.mark.parametrize("source", CHANGED)
def test_the_rest_becomes_what_is_nearest_to_it_or_goes(source):
    assert merge.sanitize(source) == CHANGED[source]


def test_nothing_that_loads_or_runs_is_left():
    source = "<link rel=stylesheet href=x><base href=x><form action=x><input name=a></form><video src=x></video>"
    source += "<meta http-equiv=refresh content=x><embed src=x><style>@import 'x'</style><p style='b:url(x)'>"
    assert merge.sanitize(source) == "<div></div><p></p>"


@MANY
@given(st.lists(st.sampled_from(BROKEN), max_size=25).map("".join) | st.text(max_size=80))
def test_cleaning_what_is_clean_changes_nothing(source):
    cleaned = merge.sanitize(source)
    assert merge.sanitize(cleaned) == cleaned


@MANY
@given(st.text("ab<>&\"' {}|.\u00a0é", max_size=80))
def test_escaped_text_stays_the_same_text(text):
    escaped = text.replace("&", "&amp;").replace("<", "&lt;")
    assert text_of(merge.sanitize(f"<p>{escaped}</p>")) == text


@pytest.mark.parametrize(
    ("source", "code"),
    [
        ("<div>" * 20_000, "too_deep"),
        ("<b>" * 61 + "x", "too_deep"),
        ("<p>x</p>" * 30_001, "too_large"),
        ("<pre>" + "\n" * 30_001 + "x</pre>", "too_large"),
        ("x" * (TEMPLATE.characters + 1), "too_large"),
        ("&" * TEMPLATE.characters, "too_large"),
        ('<p style="width:9000cm">x</p>', "not_printable"),
    ],
)
def test_deep_and_large_html_is_refused_with_the_reason(source, code):
    with pytest.raises(Invalid) as refused:
        merge.sanitize(source)
    assert [(one.name, one.code) for one in refused.value.violations] == [("content", code)]
    assert [one.code for one in merge.check(source, {})] == [code]


HOSTILE = {
    "attributes": "<p " + " ".join(f"a{i}" for i in range(150_000)) + ">x",
    "attributes after a quotation": '<p x=" > " ' + " ".join(f"a{i}" for i in range(100_000)) + ">x",
    "open quotations": "<a '" * 100_000,
    "comments": "<!--" * 100_000,
    "comments with text": "<!--a" * 100_000,
    "scripts": "<script>" * 100_000,
    "formatting": "<p>" + "".join(f"<b style=width:{i}px>" for i in range(50)) + "</p>" + "<p>x" * 90_000,
    "styles": '<p style="' + "a:b;" * 250_000 + '">x',
    "pictures": "<svg>" * 50 + "<p>x" * 1000,
    "unknown elements": "<x>" * 80_000,
    "links to nowhere": "<a>x" * 29_000,
    "lists in lists": "<ol>" + "<li data-list=ordered class=ql-indent-7>x<li data-list=ordered>x" * 4_000,
    "rules": f"<style>{'.a p{border:solid}p{border:none}' * 2_000}</style><div class=a>" + "<p>x" * 10_000,
}


@pytest.mark.timeout(60)
@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_input_ends_in_time(name):
    refused = merge.check(HOSTILE[name], {})
    assert len(refused) <= 1
    assert refused or len(merge.warnings(HOSTILE[name])) <= 50


EDITORS = {
    "Word": (
        """<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><meta charset="utf-8"><style><!--
p.MsoNormal {margin:0cm;} --></style><!--[if gte mso 9]><xml><o:x/></xml><![endif]--></head><body lang=EN-GB>
<!--StartFragment--><p class=MsoNormal align=center style='margin-bottom:8.0pt;text-align:center'><b><span
style='font-size:14.0pt'>For {{</span></b><span class=SpellE><b><span style='font-size:14.0pt'>Deal.title</span></b>
</span><b><span style='font-size:14.0pt'>}}<o:p></o:p></span></b></p><table class=MsoTableGrid border=1 width=604><tr
style='mso-yfti-irow:0'><td width=301 valign=top style='width:225.4pt;border:solid windowtext 1.0pt'><p
class=MsoNormal>{{<span class=SpellE>Deal.value</span><span style='mso-spacerun:yes'>&nbsp; </span>| currency}}<o:p>
&nbsp;</o:p></p></td></tr></table><!--EndFragment--></body></html>""",
        '\n<p style="text-align:center"><b><span>For Planner</span></b><span><b><span></span></b></span><b><span>'
        '</span></b></p><table style="width:453pt"><tbody><tr><td style="border-bottom:solid;border-left:solid;'
        'border-right:solid;border-top:solid;vertical-align:top;width:225.4pt"><p>'
        "€1,234,567.50<span></span><span></span>\n\xa0</p></td></tr></tbody></table>",
    ),
    "TinyMCE": (
        '<p>To\u00a0{{Deal.title&nbsp;| default: &ldquo;none&rdquo;}}<br data-mce-bogus="1"></p>\n'
        '<p style="padding-left: 40px; text-align: right;">{{\ufeffDeal.value | currency}}</p>\n<p>&nbsp;</p>',
        '<p>To\u00a0Planner<br></p>\n<p style="text-align:right">€1,234,567.50</p>\n<p>\u00a0</p>',
    ),
    "CKEditor": (
        '<h2><strong>For {{Deal.</strong><i><strong>title</strong></i><strong>}}</strong></h2><figure class="table" '
        'style="width:50%;"><table class="ck-table-resized"><tbody><tr><td style="width:30.5%;" colspan="2">'
        "{{Deal.value&nbsp;|&nbsp;currency}}</td></tr></tbody></table></figure>",
        '<h2><strong>For Planner</strong><i><strong></strong></i><strong></strong></h2><div style="width:50%"><table>'
        '<tbody><tr><td style="width:30.5%" colspan="2">€1,234,567.50</td></tr></tbody></table></div>',
    ),
    "Google Docs": (
        '<meta charset="utf-8"><b style="font-weight:normal;" id="docs-internal-guid-0a1b"><p dir="ltr" '
        'style="line-height:1.38;"><span style="font-size:11pt;font-weight:400;white-space:pre;">For '
        '{{Deal</span><span style="font-weight:700;">.title | upper}}</span></p><br /></b>',
        '<b style="font-weight:normal"></b><p dir="ltr"><span style="font-weight:normal">For PLANNER</span>'
        '<span style="font-weight:bold"></span></p><br>',
    ),
}


@pytest.mark.parametrize("editor", EDITORS)
def test_tags_survive_what_editors_do_to_them(editor):
    source, expected = EDITORS[editor]
    assert merge.check(merge.sanitize(source), {}) == []
    assert filled(source) == expected


BLOCK = {"Quote.lines_table": "Setup", "Contract.signature_block": "For the Licensee"}


@pytest.mark.parametrize("block", BLOCK)
def test_the_deepest_template_prints_with_a_ready_block_in_its_innermost_place(block):
    content = "<div>" * TEMPLATE.depth + "{{" + block + "}}" + "</div>" * TEMPLATE.depth
    assert merge.check(merge.sanitize(content), {}) == []
    contract = document(resolved(content).content)
    for text in (pdf_text(render_pdf(contract)), word_text(render_docx(contract))):
        assert letters(BLOCK[block]) in letters(text)


def test_the_largest_contract_that_is_made_can_be_printed():
    parse(resolved('<p data-each="Quote.lines">{{Line.name}}</p>', Quote_lines=LINES * 20_000).content)


def test_saved_html_is_read_unchanged_for_the_page():
    content = "".join(f"<{tag}>x</{tag}>" for tag in sorted(ELEMENTS - {"br", "hr", "col"}))
    content += (
        '<table width="50"><col span="2" style="width:1in"><tr><td align=right colspan=2 class="x money">1</table>'
    )
    saved = merge.sanitize(content)
    assert serialized(read(saved, CONTRACT)) == saved


def test_every_blank_is_equally_long():
    made = resolved('<p>{{Deal.stage}}<span class="blank"></span></p>').content
    assert letters(word_text(render_docx(document(made)))) == BLANK * 2
