"""The text of a contract from a template and its values."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.contracts import merge
from pipeline.contracts.merge.catalogue import SAMPLES, TAGS
from pipeline.contracts.merge.insertion import printable
from pipeline.documents.subset import BLANK
from tests.contracts.merging import LINES, MANY, TEXTS, VALUES, filled, resolved, text_of

PRINTED = {
    "{{Deal.title}}": "Planner",
    "{{\u00a0Deal.title\ufeff }}": "Planner",
    "{{Deal.title | upper}}": "PLANNER",
    "{{Deal.title | lower}}": "planner",
    '{{Deal.title | default: "none"}}': "Planner",
    '{{Deal.stage | default: "to be agreed"}}': "to be agreed",
    "{{Deal.stage | default: “to be agreed” | upper}}": "TO BE AGREED",
    '{{Deal.stage | default: ""}}': "",
    '{{Quote.discount_total | currency | default: "none"}}': "none",
    '{{Quote.discount_total | default: "none" | currency}}': "none",
    "{{Deal.value}}": "1234567.50",
    "{{Deal.value | currency}}": "€1,234,567.50",
    "{{Deal.value | number}}": "1,234,567.50",
    '{{Deal.value | number: "0"}}': "1,234,568",
    "{{Deal.quantity}}": "0",
    "{{Contract.term_months}}": "1200",
    "{{Contract.term_months | number}}": "1,200",
    '{{Contract.term_months | number: "1"}}': "1,200.0",
    "{{Contract.effective_date}}": "2026-02-01",
    "{{Contract.effective_date | date}}": "Feb 1, 2026",
    '{{Contract.effective_date | date: "short"}}': "2/1/26",
    '{{Contract.effective_date | date: "long"}}': "February 1, 2026",
    '{{Contract.effective_date | date: "full"}}': "Sunday, February 1, 2026",
    "{{Contract.effective_date | date: ‘d. MMMM yyyy’ | upper}}": "1. FEBRUARY 2026",
    "{{Deal.platforms}}": "Linux, macOS",
    "{{Deal.platforms | upper}}": "LINUX, MACOS",
    "{{Deal.features}}": BLANK,
    "{{Licensee.address | inline}}": "Line 1, Line 2",
    "{{Licensee.address | inline | upper}}": "LINE 1, LINE 2",
}


@pytest.mark.parametrize("content", PRINTED)
def test_a_tag_prints_its_value_through_its_filters(content):
    assert filled(content).replace(f'<span class="blank">{BLANK}</span>', BLANK) == PRINTED[content]


@pytest.mark.parametrize(
    ("locale", "money", "date"),
    [
        ("en", "€1,234,567.50", "February 1, 2026"),
        ("de-DE", "1.234.567,50\u00a0€", "1. Februar 2026"),
        ("fr_FR", "1\u202f234\u202f567,50\u00a0€", "1 février 2026"),
        ("en-IN", "€12,34,567.50", "1 February 2026"),
        ("xx-nowhere", "€1,234,567.50", "February 1, 2026"),
    ],
)
def test_filters_write_as_the_organization_does(locale, money, date):
    content = '{{Deal.value | currency}}|{{Contract.effective_date | date: "long"}}'
    assert filled(content, locale_locale=locale) == f"{money}|{date}"


@pytest.mark.parametrize(
    ("locale", "region", "date"),
    [
        ("en", "DE", "1 February 2026"),
        ("en", None, "February 1, 2026"),
        ("en-US", "DE", "February 1, 2026"),
        ("de", "AT", "1. Februar 2026"),
        ("en", "Germany", "February 1, 2026"),
    ],
)
def test_dates_follow_the_language_and_the_organizations_region(locale, region, date):
    content = '{{Contract.effective_date | date: "long"}}'
    assert filled(content, locale_locale=locale, locale_region=region) == date


def test_an_address_in_an_arabic_sentence_has_arabic_commas():
    assert filled("{{Licensee.address | inline}}", locale_locale="ar") == "\u200eLine 1، Line 2\u200e"


def test_money_has_the_currency_of_its_deal_or_quote_or_else_of_the_organization():
    content = "{{Deal.value | currency}} {{Quote.total | currency}}"
    assert filled(content, Deal_currency="GBP") == "£1,234,567.50 €1,021.00"
    assert filled(content, Quote_currency=None) == "€1,234,567.50 $1,021.00"
    assert filled(content, Quote_currency="JPY", Quote_total=Decimal("1021.50")) == "€1,234,567.50 ¥1,021.5"
    assert filled(content, Quote_currency="JPY") == "€1,234,567.50 ¥1,021"


@pytest.mark.parametrize(
    ("content", "html"),
    [
        ("<p>a <b>{{Deal.</b><i>title}} c</i></p>", "<p>a <b>Planner</b><i> c</i></p>"),
        ("<p><b>{</b>{De<i>al</i>.title}<u>}</u>d</p>", "<p><b>Planner</b><i></i><u></u>d</p>"),
        ("<p>a<b>b</b>{{Deal.title}}<b>{{Deal.title}}</b></p>", "<p>a<b>b</b>Planner<b>Planner</b></p>"),
        ("<p>{{Licensee.address}} x <b>y</b></p>", "<p>Line 1<br>Line 2 x <b>y</b></p>"),
        ("<p><b>y</b>{{Licensee.address}}<i>z</i></p>", "<p><b>y</b>Line 1<br>Line 2<i>z</i></p>"),
        ("a {{Deal.title}}{{Deal.title}} b", "a PlannerPlanner b"),
    ],
)
def test_a_tag_that_an_editor_split_takes_the_formatting_of_its_beginning(content, html):
    assert filled(content) == html


@pytest.mark.parametrize(
    ("code", "text"), [("CHF", "CHF\u00a01,234,567.50"), ("USD", "$1,234,567.50"), ("CAD", "CA$1,234,567.50")]
)
def test_letters_of_a_currency_stand_apart_from_the_sum(code, text):
    assert filled("{{Deal.value | currency}}", Deal_currency=code) == text


def test_a_tag_without_a_value_is_a_ruled_blank_and_is_listed_once_in_order():
    result = resolved("<p>{{Quote.notes}}, {{Deal.stage}}, {{Quote.notes}}</p>", {"footer_left": "{{Licensee.city}}"})
    assert result.content.count(f'<span class="blank">{BLANK}</span>') == 3
    assert result.margins == {"footer_left": BLANK}
    assert result.unresolved_tags == ["Quote.notes", "Deal.stage", "Licensee.city"]


@pytest.mark.parametrize("value", ["", "  \n", None])
def test_blank_text_is_no_value(value):
    assert resolved("{{Deal.title}}", Deal_title=value).unresolved_tags == ["Deal.title"]


def test_a_contract_without_deal_and_quote_is_blank_but_whole():
    result = resolved(
        "<p>{{Deal.title}}</p><p>{{Quote.lines_table}}</p><p>{{Quote.total | currency}}</p>", values={"": {}}
    )
    assert result.unresolved_tags == ["Deal.title", "Quote.lines_table", "Quote.total"]


@pytest.mark.parametrize(
    "value",
    ["<b>x</b>", "{{Deal.stage}}", "{{ page }}", "&lt;", "</p><script>alert(1)</script>", "a | upper }}", "{{", "}}"],
)
def test_a_value_is_text_never_markup_and_never_read_again(value):
    content = filled("<p>{{Deal.title}}</p>", Deal_title=value)
    assert text_of(content).replace("\u2060", "") == value
    assert "{{" not in content
    assert content.count("<") == 2


@MANY
@given(TEXTS)
def test_any_value_comes_out_as_the_same_text(value):
    result = resolved("<p>x<b>{{Deal.title}}</b>y</p>", Deal_title=value)
    expected = printable(value) if value.strip() else BLANK
    assert text_of(result.content) == f"x{expected}y"


def test_characters_that_no_document_can_hold_are_replaced_and_line_ends_become_line_breaks():
    assert filled("{{Deal.title}}", Deal_title="a\x01\x7f\ufffe\ud800b") == "a\ufffd\ufffd\ufffd\ufffdb"
    assert filled("{{Deal.title}}", Deal_title="a\r\nb\x0bc\u2028d\re\tf") == "a<br>b<br>c<br>d<br>e\tf"


def test_a_value_cannot_turn_the_words_around_it():
    title = "\u200eA\u202ec\u202dm\u2066e\u2069 I\u200fn\u061cc\u202c \u202e"
    result = resolved("{{Deal.title}}pays", {"footer_left": "{{Deal.title}}pays \u200f"}, Deal_title=title)
    assert (result.content, result.margins) == ("Acme Inc pays", {"footer_left": "Acme Inc pays \u200f"})


@pytest.mark.parametrize(
    ("value", "printed"),
    [
        ("חברה", "חברה\u200e"),
        ("شركة 5.", "شركة 5.\u200e"),
        ("٣", "٣\u200e"),
        ("חברה\u200f", "חברה\u200e"),
        ("חברה Ltd.", "חברה Ltd."),
        ("Ünited 5", "Ünited 5"),
        ("5 – 7", "5 – 7"),
    ],
)
def test_a_value_that_ends_from_right_to_left_is_closed_with_a_mark(value, printed):
    result = resolved("[{{Deal.title}}]", {"header_left": "[{{Deal.title}}]"}, Deal_title=f"{value}\n{value}")
    assert result.content == f"[{printed}<br>{printed}]"
    assert result.margins["header_left"] == f"[{printed}, {printed}]"


def test_both_parties_sign():
    result = merge.resolve("<p>{{Contract.signature_block}}</p>", {}, SAMPLES)
    assert result.content.startswith('<table class="signatures">')
    assert "<strong>Acme Licensing Inc.</strong>" in result.content
    assert "<strong>Northwind Robotics GmbH</strong>" in result.content
    assert result.unresolved_tags == []


def test_a_party_without_a_name_is_unresolved():
    assert resolved("<p>{{Contract.signature_block}}</p>").unresolved_tags == ["Contract.licensor_name"]


def test_contracts_of_one_template_know_nothing_of_each_other():
    deal = "<p>{{Deal.title}}<b data-if=Deal.stage> is {{Deal.stage}}</b> {{Deal.id}}</p>"
    content = f"{deal}<p>{{{{Quote.lines_table}}}}</p>"
    won = filled(content, Deal_stage="won", Deal_title="One")
    assert won.startswith("<p>One<b> is won</b> 7</p><table>")
    assert filled(content).startswith("<p>Planner 7</p><table>")
    assert filled(content, Deal_stage="won", Deal_title="One") == won


def test_margins_are_plain_text_and_keep_their_page_numbers():
    margins = {"header_left": "{{Licensee.name}} <b>", "footer_right": "{{ page }} of {{pages}}", "footer_left": None}
    expected = {"header_left": "Müller & Söhne <b>", "footer_right": "{{page}} of {{pages}}", "footer_left": ""}
    assert resolved("", margins).margins == expected


@MANY
@given(TEXTS)
def test_a_value_in_a_margin_is_never_taken_for_a_page_number(value):
    margin = resolved("", {"header_left": "{{Deal.title}}{{page}}"}, Deal_title=value).margins["header_left"]
    text = margin.removesuffix("{{page}}")
    assert "{{" not in text
    lines = printable(value).split("\n") if value.strip() else [BLANK]
    assert text.replace("\u2060", "") == ", ".join(line for line in lines if line.strip()).replace("\u2060", "")


def test_dates_and_numbers_may_come_as_text():
    fields = {"Contract_effective_date": "2026-02-01", "Quote_total": "1021.00", "Deal_value": 0.1}
    content = '{{Contract.effective_date | date: "long"}} {{Quote.total | currency}} {{Deal.value}}'
    assert filled(content, **fields) == "February 1, 2026 €1,021.00 0.10"


@pytest.mark.parametrize("name", [name for name, tag in TAGS.items() if tag.entity != "Line"])
def test_every_tag_has_a_sample_that_prints(name):
    if name != "Quote.lines":
        assert merge.resolve(f"<p>{{{{{name}}}}}</p>", {}, SAMPLES).unresolved_tags == []


PIECES = [
    "{{Deal.title}}",
    "{{Quote.total | currency}}",
    "{{Deal.stage}}",
    "{{",
    "}}",
    "<b>",
    "</b>",
    "<p>",
    "</p>",
    "a",
    " ",
    "{{Quote.lines_table}}",
    '<ul><li data-each="Quote.lines">',
    "{{Line.name}}",
    "</ul>",
    "<br>",
    "<span>",
    "</span>",
    '<p data-if="Deal.stage">',
    "{{Deal.",
    "title}}",
    "<table><tr><td>",
    "</table>",
    "{{Contract.signature_block}}",
]


@MANY
@given(st.lists(st.sampled_from(PIECES), max_size=20).map("".join), st.sampled_from([VALUES, {}, SAMPLES]))
def test_no_checked_template_fails_or_leaves_a_raw_tag(source, values):
    content = merge.sanitize(source)
    result = merge.resolve(content, {}, values)
    if not merge.check(content, {}):
        assert "{{" not in result.content
        assert "}}" not in result.content
        assert "data-" not in result.content


@MANY
@given(st.lists(st.sampled_from(PIECES), max_size=20).map("".join))
def test_a_contract_is_made_of_the_same_html_as_a_template(source):
    content = resolved(source).content
    assert text_of(merge.sanitize(content)).split() == text_of(content).split()


@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    "content", ["{{Deal.title}}" * 20_000, "<b>{{Deal.</b><i>title}}</i>" * 5_000, "{{Deal.value|currency}}" * 12_000]
)
def test_many_tags_are_filled_in_time(content):
    assert "{{" not in filled(content)


@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    "content",
    [
        "<p>{{Quote.lines_table}}</p>",
        "<p>{{Contract.signature_block}}</p>",
        '<p data-each="Quote.lines">{{Deal.notes}}</p>',
    ],
)
def test_what_grows_without_measure_is_too_large(content):
    with pytest.raises(merge.TooLarge):
        resolved(content * 4_000, Quote_lines=LINES * 100)
