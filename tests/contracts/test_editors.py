"""Templates from real editors: HTML of word processors and of web editors."""

import pytest

from pipeline.contracts import merge
from tests.contracts.merging import filled

WORD = """<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><meta charset="utf-8"><style><!--
p.MsoNormal {margin:0cm; font-family:"Calibri",sans-serif;} --></style><!--[if gte mso 9]><xml><o:x/></xml><![endif]-->
</head><body lang=EN-GB style='tab-interval:36.0pt'><!--StartFragment-->
<p class=MsoNormal align=center style='margin-bottom:8.0pt;text-align:center'><b><span style='font-size:14.0pt'>For
{{</span></b><span class=SpellE><b><span style='font-size:14.0pt'>Deal.title</span></b></span><b><span
style='font-size:14.0pt'>}}<o:p></o:p></span></b></p>
<table class=MsoTableGrid border=1 cellspacing=0 width=604><tr style='mso-yfti-irow:0'><td width=301 valign=top
style='width:225.4pt;border:solid windowtext 1.0pt'><p class=MsoNormal>{{<span
class=SpellE>Deal.value</span><span style='mso-spacerun:yes'>&nbsp; </span>| currency}}<o:p>&nbsp;</o:p></p></td></tr>
</table>
<!--EndFragment--></body></html>"""
EDITORS = {
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
    "Quill": (
        '<p class="ql-align-center">For <span style="color: rgb(230, 0, 0);">{{Deal.title}}</span></p>'
        '<ol><li data-list="ordered"><span class="ql-ui" contenteditable="false"></span>{{Deal.id}}</li></ol>',
        "<p>For <span>Planner</span></p><ol><li><span></span>7</li></ol>",
    ),
    "LibreOffice": (
        '<!DOCTYPE html><html><head><title></title><style type="text/css">p { line-height: 115% }</style></head>'
        '<body lang="de-DE" dir="ltr"><p align="justify">\n<font face="Liberation Serif, serif"><font size="3">Für '
        "{{Deal.title}}</font></font></p>\n</body></html>",
        '<p style="text-align:justify">\nFür Planner</p>\n',
    ),
}


def test_a_page_from_word_becomes_a_plain_contract():
    content = merge.sanitize(WORD)
    assert merge.check(content, {}) == []
    assert "Mso" not in content
    assert ":p>" not in content
    assert '<p style="text-align:center"><b><span>For\nPlanner</span></b>' in filled(WORD)
    assert '<td style="vertical-align:top;width:225.4pt"><p>€1,234,567.50<' in filled(WORD)


@pytest.mark.parametrize("editor", EDITORS)
def test_tags_survive_what_editors_do_to_them(editor):
    source, expected = EDITORS[editor]
    assert merge.check(merge.sanitize(source), {}) == []
    assert filled(source) == expected
