"""Lists, ticks, revisions and placeholders as further editors write them."""

import pytest

from pipeline.contracts import merge
from tests.documents.test_pasted import printed, told

QUILL = "<ol>{}</ol>".format
LISTS = {
    "Quill 2": (
        QUILL(
            '<li data-list="ordered"><span class="ql-ui" contenteditable="false"></span>One</li>'
            '<li data-list="ordered" class="ql-indent-1">in</li><li data-list="ordered" class="ql-indent-2">deep</li>'
            '<li data-list="ordered" class="ql-indent-1">in</li><li data-list="ordered">Two</li>'
            '<li data-list="ordered" class="ql-indent-1">in</li>'
        ),
        ["1. One", "a. in", "i. deep", "b. in", "2. Two", "a. in"],
    ),
    "Quill 1": (
        QUILL('<li>One</li><li class="ql-indent-1 ql-align-right">in</li><li>Two</li>'),
        ["1. One", "a. in", "2. Two"],
    ),
    "Quill, an item that begins indented": (QUILL('<li class="ql-indent-1">in</li><li>One</li>'), ["a. in", "1. One"]),
    "Quill, bullets and ticks between": (
        QUILL(
            '<li data-list="ordered">One</li><li data-list="bullet">dot</li><li data-list="ordered">Two</li>'
            '<li data-list="checked">done</li><li data-list="unchecked" class="ql-indent-1">open</li>'
        ),
        ["1. One", "dot", "2. Two", "☑ done", "☐ open"],
    ),
    "Lexical": (
        '<ol><li value="1"><span>One</span></li><li value="2" class="nested"><ol><li value="1">in</li></ol></li>'
        '<li value="2"><span>Two</span></li></ol>',
        ["1. One", "a. in", "2. Two"],
    ),
    "Lexical, first": ('<ol><li value="1"><ol><li>in</li></ol></li><li value="1">One</li></ol>', ["a. in", "1. One"]),
    "TipTap": (
        '<ul data-type="taskList"><li data-checked="true" data-type="taskItem"><label><input type="checkbox" checked>'
        '<span></span></label><div><p>Done</p></div></li><li data-checked="false"><label><input type="checkbox">'
        "</label><div><p>Open</p></div></li></ul>",
        ["☑ Done", "☐ Open"],
    ),
    "CKEditor": (
        '<ul class="todo-list"><li><label class="todo-list__label"><input type="checkbox" checked disabled><span '
        'class="todo-list__label__description">Done</span></label></li><li><label><input type="checkbox" disabled>'
        "<span>Open</span></label></li></ul>",
        ["☑ Done", "☐ Open"],
    ),
    "CKEditor, legal": (
        '<ol class="legal-list"><li>a<ol><li>b<ol><li>c</li></ol></li></ol></li><li>d</li></ol>',
        ["1. a", "1.1. b", "1.1.1. c", "2. d"],
    ),
    "GitHub": (
        '<ul class="contains-task-list"><li class="task-list-item"><input type="checkbox" checked> Done</li>'
        '<li><input type="checkbox"> Open</li></ul>',
        ["☑ Done", "☐ Open"],
    ),
    "Notion": (
        '<ul class="to-do-list"><li><div class="checkbox checkbox-on"></div> <span>Done</span></li></ul>'
        '<ul class="to-do-list"><li><div class="checkbox checkbox-off"></div> <span>Open</span></li></ul>',
        ["☑ Done", "☐ Open"],
    ),
    "Confluence": (
        '<ul class="inline-task-list"><li class="checked" data-inline-task-id="1"><span>Done</span></li>'
        '<li data-inline-task-id="2"><span>Open</span></li></ul>',
        ["☑ Done", "☐ Open"],
    ),
    "Word for the web": (
        '<div class="ListContainerWrapper"><ol start="1"><li data-leveltext="(%1)" data-font="" data-listid="3" '
        'data-aria-posinset="1" data-aria-level="1" style="list-style-type:upper-alpha"><p>Recital</p></li></ol></div>'
        '<ul><li data-leveltext="\uf0b7" data-font="Symbol" data-listid="4" data-aria-level="1"><p>Dot</p></li></ul>'
        '<ul><li data-leveltext="\uf0fc" data-font="Wingdings" data-listid="5"><p>Yes</p></li></ul>',
        ["(A) Recital", "Dot", "✓ Yes"],
    ),
    "Pages and TextEdit": (
        "<style>ol.ol1 {list-style-type: upper-roman} ol.ol2, ol.ol3 {list-style-type: lower-alpha}</style>"
        '<ol class="ol1"><li class="li1">One</li><ol class="ol3"><li class="li1">in</li></ol><li>Two</li></ol>',
        ["I. One", "a. in", "II. Two"],
    ),
    "Outlook, plain lists": (
        "<ol style='margin-top:0cm' start=3 type=1><li class=MsoListParagraph style='mso-list:l0 level1 lfo1'>c</li>"
        "<ol start=1 type=a><li style='mso-list:l0 level2 lfo1'>in</li></ol><li>d</li></ol>",
        ["3. c", "a. in", "4. d"],
    ),
}


@pytest.mark.parametrize("editor", LISTS)
def test_lists_and_ticks_of_editors_print_as_they_show_them_and_are_not_refused(editor):
    source, lines = LISTS[editor]
    assert printed(source) == lines
    assert merge.check(merge.sanitize(source), {}, source) == []


REVISIONS = [
    '<p>Fee <suggestion-start name="deletion:e1:u1"></suggestion-start>100<suggestion-end name="deletion:e1:u1">'
    '</suggestion-end><suggestion-start name="insertion:e2:u1"></suggestion-start>90<suggestion-end '
    'name="insertion:e2:u1"></suggestion-end></p>',
    '<p>Fee 90</p><p data-suggestion-start-before="deletion:e1:u1" data-suggestion-end-after="deletion:e1:u1">100</p>',
    '<p>Fee <span class="TrackedChange TrackChangeTextDeletion"><span>100</span></span>'
    '<span class="TrackedChange TrackChangeTextInsertion">90</span></p>',
    '<p>Fee <span data-tracking="true" data-tracking-deleted="true">100</span>90</p>',
    "<p>Fee <span class=msoDel>100</span><span class=msoIns>90</span></p>",
    "<p>Fee <s class=MsoMoveFrom>100</s>90</p>",
    "<p>Fee <del cite='mailto:a' datetime='2026-01-01'>100</del><ins>90</ins></p>",
]


@pytest.mark.parametrize("source", REVISIONS)
def test_open_revisions_of_editors_are_refused_until_they_are_accepted(source):
    assert "revisions=accept" in merge.open_revisions(source)
    assert printed(source) == ["Fee 90"]
    assert merge.check(merge.sanitize(source), {}, source) == []


@pytest.mark.parametrize(
    "source",
    [
        "<span class=MsoPlaceholderText>Click or tap here to enter text.</span>",
        "<w:Sdt ShowingPlcHdr='t'><span class=MsoPlaceholderText>Klicken Sie hier, um Text einzugeben.</span></w:Sdt>",
        "<!--[if supportFields]><span style='mso-element:field-begin'></span> MACROBUTTON NoMacro [Click here]"
        "<span style='mso-element:field-end'></span><![endif]-->",
        "<span style='mso-field-code:\" MERGEFIELD Client_Name \"'>«Client_Name»</span>",
        "<span class=MsoPlaceholderText>Wählen Sie ein Datum.</span>",
        "[Click here and type name]",
        "{!Opportunity.Name}",
        "{{!Opportunity.Name}}",
        "&lt;%= client.name %&gt;",
        "$CLIENT_NAME$",
        "#{client.name}",
        "[sig|req|signer1]",
        "[Client.FirstName]",
        "__CLIENT_NAME__",
        "【客户名称】",
    ],
)
def test_further_placeholders_are_refused(source):
    source = f"<p>To {source}!</p>"
    assert [one.code for one in merge.check(merge.sanitize(source), {}, source)][:1] == ["malformed_tag"]


@pytest.mark.parametrize(
    ("source", "line"),
    [
        ("<span style='mso-field-code:\" PAGE \"'>3</span>", "To"),
        ("<span style='mso-field-code:\" REF _Ref1 \\\\r \"'>2.1</span>", "To 2.1"),
        ("<sdfield type=page subtype=random format=arabic>7</sdfield>", "To"),
        ("<sdfield type=docstat subtype=page>12</sdfield>", "To"),
        ("<sdfield type=author>Ada</sdfield>", "To Ada"),
    ],
)
def test_simple_fields_lose_numbers_of_pages_and_keep_other_text(source, line):
    assert printed(f"<p>To {source}</p>") == [line]
    assert told(f"<p>To {source}</p>")["removed_field"]
