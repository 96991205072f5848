"""Templates that are refused at the save, with helpful messages."""

import pytest

from pipeline.contracts import merge
from pipeline.contracts.merge.catalogue import REPEATS, TAGS
from tests.contracts.merging import codes, filled, text_of

SOUND = [
    "{{\u00a0Deal . title\u200b}}",
    "{<i>{Deal.</i>title}}",
    "{{Deal.title|default:“to be agreed”|upper}}",
    "{{Deal.title | default: „offen“}}",
    "{{Deal.title | default: ‘it’s open’}}",
    "{{Deal.title | default: &quot;say &quot;yes&quot; now&quot; | lower}}",
    '{{Deal.title | default: ”mixed"}}',
    '{{Quote.total | default: "none" | currency}}',
    "<p>{{Quote.lines_table}}</p>",
    "<p><b>{{Contract.signature_block}}</b><br></p>",
    "<table><tr><td>{{Contract.signature_block}}</td></tr></table>",
    '<ul><li data-each="Deal.features" data-if="Line.name">{{Line.name}}</li></ul>',
    '<table><tr data-each="Quote.lines"><td data-if="Line.sku">{{Line.sku}}{{Deal.title}}</td></tr></table>',
    '<p data-if="Quote.total &gt;= 100000.50 AND NOT (Deal.platforms has linux OR Quote.currency != EUR)">a</p>',
    "<p data-if='Quote.payment_terms = \"30 days net\"'>a</p> <p data-else>b</p>",
    "100 &lt; 200 &gt; 50, 1 &lt;&lt; 2 &gt;&gt; 3, «Licence», {a}, 5 % {b.} {.c}",
    '<p data-mce-style="color: red" data-list="bullet">a</p>',
    '<div data-if="Quote.total">a<script>b</script><select><option>c</option></select><br>d &amp; e<p>f</p></div>',
    '<table><tr data-if="Quote.total"><td>a</td><td>b</td></tr></table>',
]
# (HTML as its author wrote it, code, words of the message)
REFUSED = [
    ('<p data-if="!Quote.discount_total">NO DISCOUNT</p>', "malformed_condition", 'data-if="!Quote.discount_total": '),
    ('<p data-if="Quote.total > 5,000">a</p>', "malformed_condition", 'cannot be read from "5,000" on'),
    ('<p data-if="Quote.total > 100.000">a</p>', "malformed_condition", "can be thousands or decimals"),
    (f'<p data-if="{"Quote.total and " * 40}Quote.total">a</p>', "malformed_condition", "cannot be read from"),
    (f'<p data-if="{"not " * 21}Quote.total">a</p>', "malformed_condition", "more than 20"),
    ("<p data-else>a</p>", "malformed_condition", "directly follow"),
    ('<p data-if="Quote.total">a</p>b<p data-else>c</p>', "malformed_condition", "directly follow"),
    ('<p data-if="Quote.total">a</p><p data-else="Deal.title">b</p>', "malformed_condition", "Takes no value"),
    ('<p DATA-UNLESS="Quote.discount_total">a</p>', "unknown_attribute", 'data-unless="Quote.discount_total": '),
    ('<p data-if="Quote.total" data-if="Deal.title">a</p>', "malformed_condition", 'data-if="Deal.title": '),
    ('<p>b</p><td data-if="Quote.total">a</td>', "malformed_condition", "on this <td>"),
    ('<select data-if="Quote.total">a</select>b', "malformed_condition", "on this <select>"),
    ('<a data-if="Quote.total">a</a>', "malformed_condition", "on this <a>"),
    ('<p data-if="Quote.total">a<ul><li>b</li></ul></p>', "malformed_condition", "HTML ends this element"),
    ('<h2 data-if="Quote.total">a<table><tr><td>b</td></tr></table></h2>', "malformed_condition", "use <div>"),
    ('<table data-if="Quote.total"><tr><td>a</td></tr><p>b</p></table>', "malformed_condition", "use <div>"),
    ('<ul><li data-if="Quote.total">a<li>b</li></li></ul>', "malformed_condition", "close every element"),
    ("<p><<Kunden-Nr>> a</p>", "malformed_tag", "<<Kunden-Nr>>: A placeholder"),
    ("{Quote.total}", "malformed_tag", '"{Quote.total}" is a placeholder of another kind'),
    ("<<Deal.title>>", "malformed_tag", "<<Deal.title>>: A placeholder"),
    ("{% if Quote.total %}a{% endif %}", "malformed_tag", '"{% if Quote.total %}" is a placeholder'),
    ("{{Deal.titel}}", "unknown_tag", 'Paragraph 1, character 1: "Deal.titel" is not a tag. Did you'),
    ("{{xyzzy}}", "unknown_tag", '"xyzzy" is not a tag.'),
    ("{{Deal.title | uper}}", "unknown_filter", 'Did you mean "upper"?'),
    ("{{Quote.total | currency | number}}", "filter_misfit", "type text"),
    ('{{Quote.total | currency: "EUR"}}', "invalid_filter_argument", "takes no argument"),
    ('{{Contract.effective_date | date: "DD.MM.YYYY"}}', "invalid_filter_argument", "d, M, y and E"),
    (f'{{{{Contract.effective_date | date: "{"d" * 400}!"}}}}', "invalid_filter_argument", "d, M, y and E"),
    ("{{Deal.title | default}}", "invalid_filter_argument", "without an argument"),
    ("{{Deal.title", "malformed_tag", 'has no "}}" of its own'),
    ("<p>{{Deal.</p><p>title}}</p>", "malformed_tag", 'has no "}}" of its own'),
    ("{{{Deal.title}}}", "malformed_tag", "is no tag"),
    ("{{Deal.title | default: open}}", "malformed_tag", "is no tag"),
    ("Deal.title}}", "malformed_tag", 'without "{{"'),
    ("{{page}}", "misplaced_tag", "headers and footers only"),
    ("{{Line.name}}", "misplaced_tag", 'only inside an element with data-each="Quote.lines"'),
    ("{{Quote.lines}}", "misplaced_tag", "repeated with data-each"),
    ("<p>See {{Quote.lines_table}}</p>", "misplaced_tag", "alone in a paragraph"),
    ("<table><caption>{{Quote.lines_table}}</caption></table>", "misplaced_tag", "alone in a paragraph"),
    ('<p data-each="Deal.features">{{Line.sku}}</p>', "misplaced_tag", 'only "Line.name" and "Line.position"'),
    ('<p data-each="Quote.line">a</p>', "unknown_tag", 'Did you mean "Quote.lines"?'),
    ('<p data-each="Deal.title">a</p>', "not_a_list", "Quote.lines, Deal.platforms, Deal.features"),
    ('<div data-each="Quote.lines"><p data-each="Quote.lines">a</p></div>', "misplaced_repeat", "inside one another"),
    ('<p data-if="">a</p>', "malformed_condition", "It compares tags"),
    ('<p data-if="Quote.total = EUR">a</p>', "condition_misfit", "of type money: compare it with a number"),
    ('<p data-if="Quote.date > 2026-02-30">a</p>', "condition_misfit", "a date such as 2026-01-31"),
    ('<p data-if="Quote.lines has a">a</p>', "condition_misfit", "can only stand alone"),
    ('<p data-if="Line.sku">a</p>', "misplaced_tag", "only inside an element"),
    ('<p data-each="Deal.features" data-if="Line.net > 5">a</p>', "misplaced_tag", 'only "Line.name"'),
]


@pytest.mark.parametrize("source", SOUND)
def test_a_sound_template_is_accepted(source):
    assert merge.check(merge.sanitize(source), {}, source) == []


@pytest.mark.parametrize(("source", "code", "words"), REFUSED)
def test_a_fault_is_named_as_it_was_written_with_its_place_and_a_way_out(source, code, words):
    found = merge.check(merge.sanitize(source), {}, source)
    assert {(violation.name, violation.code) for violation in found} == {("content", code)}
    assert words in found[0].message


@pytest.mark.parametrize("name", TAGS)
def test_every_tag_can_be_asked_for(name):
    inside = f'<p data-if="{name}">a</p>'
    assert codes(f'<div data-each="{next(iter(REPEATS))}">{inside}</div>') == []


def test_positions_count_paragraphs_and_characters_of_the_text_that_the_editor_shows():
    violations = merge.check("<h1>Title</h1>\n<p></p><ul><li>a &amp; <b>b</b> {{Deal.x}} {{Deal.y}}</li></ul>", {})
    places = [violation.message.split(":")[0] for violation in violations]
    assert places == ["Paragraph 2, character 7", "Paragraph 2, character 18"]


def test_braces_that_hold_no_tag_are_one_fault_and_quoted_alone():
    (violation,) = merge.check("<p>Due {{Quote.date | date: long}}, see {{Deal.title}}</p>", {})
    assert violation.message.startswith('Paragraph 1, character 5: "{{Quote.date | date: long}}" is no tag.')
    assert codes("{{#if Deal.title}} a {{}} b }} c {{Deal.title") == ["malformed_tag"] * 4


def test_headers_and_footers_are_checked_under_their_own_names():
    margins = {"header_left": "{{Deal.title}} {{ page }}/{{pages}}", "footer_right": "{{pagess}}", "footer_left": None}
    (violation,) = merge.check("", margins)
    assert violation.name == "footer_right"
    assert violation.message == 'Character 1: "pagess" is not a tag. Did you mean "pages"?'


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("{{Quote.lines_table}}", "misplaced_tag"),
        ("{{Line.name}}", "misplaced_tag"),
        ("{{page | upper}}", "filter_misfit"),
        ("{{page", "malformed_tag"),
        ("{Deal.title}", "malformed_tag"),
        ("<<Title>>", "malformed_tag"),
        ("{% page %}", "malformed_tag"),
    ],
)
def test_a_margin_holds_plain_tags_and_page_numbers_only(text, code):
    assert codes("", header_center=text) == [code]


@pytest.mark.parametrize("content", ["{{" * 500_000, '{{Deal.title|default:"' * 40_000, "{{" + " " * 1_000_000])
def test_hostile_tags_are_refused_in_time(content):
    assert "malformed_tag" in codes(content)


FOREIGN = {
    "«Licensee.name»": "Licensee.name",
    "[Licensee.name]": "Licensee.name",
    "[LICENSEE NAME]": "Licensee.name",
    "[Client Name]": "Licensee.name",
    "[[effective_date]]": "Contract.effective_date",
    "{client_name}": "Licensee.name",
    "${dealTitle}": "Deal.title",
    "{Quote.total}": "Quote.total",
    "<<Deal title>>": "Deal.title",
    "&lt;Deal.title&gt;": "Deal.title",
    "<Deal.title>": "Deal.title",
    "%deal_title%": "Deal.title",
    "@@contract_number@@": "Contract.number",
    "##Deal.title##": "Deal.title",
    "{% Deal.title %}": None,
    "[●]": None,
    "[insert the date]": None,
    "[TBD]": None,
    "[____]": None,
}


@pytest.mark.parametrize("text", FOREIGN)
def test_placeholders_of_other_systems_are_refused_with_the_nearest_tag(text):
    (violation, *_) = merge.check(merge.sanitize(f"<p>To {text}!</p>"), {}, f"<p>To {text}!</p>")
    assert violation.code == "malformed_tag"
    assert text.replace("&lt;", "<").replace("&gt;", ">") in violation.message
    assert FOREIGN[text] is None or f'Did you mean "{{{{{FOREIGN[text]}}}}}"?' in violation.message


@pytest.mark.parametrize(
    "text",
    ["[sic]", "[1]", "[X] yes [ ] no", "[…]", "« texte »", "«Software»", "a < b > c", "10% or 20%", "#1", "a@b.example"]
    + [
        '{{Deal.title | default: "[●]"}}',
        '<span class="literal">[Licensee.name] {{x}} {a.b}</span>',
        "[Emphasis added]",
    ],
)
def test_prose_and_literal_text_is_no_placeholder(text):
    assert merge.check(merge.sanitize(f"<p>{text}</p>"), {}, f"<p>{text}</p>") == []


def test_possible_placeholders_are_named():
    assert merge.warnings("<p>[SIGNATURE PAGE FOLLOWS]</p>") == [
        {
            "code": "suspected_placeholder",
            "message": '"[SIGNATURE PAGE FOLLOWS]" looks like a placeholder and prints as it is.',
        }
    ]


def test_literal_text_prints_as_it_is_written():
    source = '<p><span class="literal">{{Deal.title}}</span> {{Deal.title}}</p>'
    assert text_of(filled(source)) == "{{Deal.title}} Planner"
