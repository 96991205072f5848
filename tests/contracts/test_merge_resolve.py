"""The text of a contract from a template and its values, repeated for each line of its quote."""

import datetime
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.contracts import merge
from pipeline.contracts.merge.catalogue import SAMPLES, TAGS
from pipeline.contracts.merge.values import filters
from pipeline.contracts.merge.values.insertion import printable
from pipeline.documents.document import BLANK
from pipeline.documents.layout.margins import COUNTERS, parts
from tests.contracts.merging import LINES, MANY, TEXTS, VALUES, codes, filled, resolved, text_of

PRINTED = {
    "{{Deal.title}}": "Planner",
    "{{Deal.title | upper}}": "PLANNER",
    '{{Deal.stage | default: "to be agreed"}}': "to be agreed",
    "{{Deal.stage | default: “to be agreed” | upper}}": "TO BE AGREED",
    '{{Deal.stage | default: ""}}': "",
    '{{Quote.discount_total | currency | default: "none"}}': "none",
    "{{Deal.value}}": "1234567.50",
    "{{Deal.value | currency}}": "€1,234,567.50",
    "{{Deal.value | number}}": "1,234,567.50",
    '{{Deal.value | number: "0"}}': "1,234,568",
    "{{Deal.quantity}}": "0",
    "{{Contract.term_months}}": "1200",
    "{{Contract.term_months | number}}": "1,200",
    "{{Contract.effective_date}}": "2026-02-01",
    "{{Contract.effective_date | date}}": "Feb 1, 2026",
    '{{Contract.effective_date | date: "long"}}': "February 1, 2026",
    "{{Contract.effective_date | date: ‘d. MMMM yyyy’ | upper}}": "1. FEBRUARY 2026",
    "{{Deal.platforms}}": "Linux, macOS",
    "{{Deal.features}}": BLANK,
    "{{Licensee.address | inline | upper}}": "LINE 1, LINE 2",
}


@pytest.mark.parametrize("content", PRINTED)
def test_a_tag_prints_its_value_through_its_filters(content):
    assert merge.check(merge.sanitize(content), {}) == []
    assert filled(content).replace(f'<span class="blank">{BLANK}</span>', BLANK) == PRINTED[content]


DATE = '{{Contract.effective_date | date: "long"}}'
DEAL, QUOTE = "{{Deal.value | currency}}", "{{Quote.total | currency}}"


@pytest.mark.parametrize(
    ("content", "fields", "printed"),
    [
        (DEAL, {"locale_locale": "de-DE"}, "1.234.567,50\u00a0€"),
        (DEAL, {"locale_locale": "fr_FR"}, "1\u202f234\u202f567,50\u00a0€"),
        (DEAL, {"locale_locale": "en-IN"}, "€12,34,567.50"),
        (DEAL, {"locale_locale": "xx-nowhere"}, "€1,234,567.50"),
        (DEAL, {"Deal_currency": "CHF"}, "CHF\u00a01,234,567.50"),
        (QUOTE, {"Deal_currency": "GBP"}, "€1,021.00"),
        (QUOTE, {"Quote_currency": None}, "$1,021.00"),
        (QUOTE, {"Quote_currency": "JPY"}, "¥1,021"),
        (QUOTE, {"Quote_currency": "JPY", "Quote_total": Decimal("1021.50")}, "¥1,021.5"),
        (DATE, {"locale_locale": "de-DE"}, "1. Februar 2026"),
        (DATE, {"locale_locale": "en-IN"}, "1 February 2026"),
        (DATE, {"locale_locale": "en", "locale_region": None}, "February 1, 2026"),
        (DATE, {"locale_locale": "en", "locale_region": "DE"}, "1 February 2026"),
        (DATE, {"locale_locale": "en-US", "locale_region": "DE"}, "February 1, 2026"),
        ("{{Licensee.address | inline}}", {"locale_locale": "ar"}, "\u200eLine 1، Line 2\u200e"),
        (QUOTE, {"locale_locale": "ar"}, "\u200e1,021.00\xa0€\u200e"),
        ("{{Deal.title}}", {"locale_locale": "ar", "locale_direction": "ltr"}, "Planner"),
    ],
)
def test_sums_dates_and_addresses_are_written_as_language_region_and_currency_want(content, fields, printed):
    assert filled(content, **fields) == printed


@pytest.mark.parametrize(
    ("content", "html"),
    [
        ("<p>a <b>{{Deal.</b><i>title}} c</i></p>", "<p>a <b>Planner</b><i> c</i></p>"),
        ("<p><b>{</b>{De<i>al</i>.title}<u>}</u>d</p>", "<p><b>Planner</b><i></i><u></u>d</p>"),
        ("<p>a<b>b</b>{{Deal.title}}<b>{{Deal.title}}</b></p>", "<p>a<b>b</b>Planner<b>Planner</b></p>"),
        ("<p>{{Licensee.address}} x <b>y</b></p>", "<p>Line 1<br>Line 2 x <b>y</b></p>"),
    ],
)
def test_a_tag_that_an_editor_split_takes_the_formatting_of_its_beginning(content, html):
    assert filled(content) == html


def test_a_tag_without_a_value_is_a_ruled_blank_and_is_listed_once_in_order():
    taken_out = '<p data-if="Quote.notes">{{Quote.number}}</p>'
    content = f"<p>{{{{Quote.notes}}}}, {{{{Deal.stage}}}}, {{{{Quote.notes}}}}</p>{taken_out}"
    result = resolved(content, {"footer_left": "{{Licensee.city}}"})
    assert result.content.count(f'<span class="blank">{BLANK}</span>') == 3
    assert result.margins == {"footer_left": BLANK}
    assert result.unresolved_tags == ["Quote.notes", "Deal.stage", "Licensee.city"]


@pytest.mark.parametrize(
    "value",
    ["<b>x</b>", "{{Deal.stage}}", "{{ page }}", "&lt;", "</p><script>alert(1)</script>", "a | upper }}", "{{", "}}"],
)
def test_a_value_is_text_never_markup_and_never_read_again(value):
    content = filled("<p>{{Deal.title}}</p>", Deal_title=value)
    assert text_of(content) == value
    assert merge.check(content, {}, content) == []
    assert content.replace('<span class="literal">', "").replace("</span>", "").count("<") == 2


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
        ("חברה\u200f", "חברה\u200e"),
        ("חברה Ltd.", "חברה Ltd."),
        ("Ünited 5", "Ünited 5"),
    ],
)
def test_a_value_that_ends_from_right_to_left_is_closed_with_a_mark(value, printed):
    result = resolved("[{{Deal.title}}]", {"header_left": "[{{Deal.title}}]"}, Deal_title=f"{value}\n{value}")
    assert result.content == f"[{printed}<br>{printed}]"
    assert result.margins["header_left"] == f"[{printed}, {printed}]"


def test_both_parties_sign_and_one_without_a_name_is_unresolved():
    result = merge.resolve("<p>{{Contract.signature_block}}</p>", {}, SAMPLES)
    assert result.content.startswith('<table class="signatures">')
    assert "<strong>Acme Licensing Inc.</strong>" in result.content
    assert "<strong>Northwind Robotics GmbH</strong>" in result.content
    for told in ("Name: Ada Brandt", "Title: Head of Engineering"):
        assert told in text_of(result.content)
    assert result.unresolved_tags == []
    assert resolved("<p>{{Contract.signature_block}}</p>").unresolved_tags == ["Contract.licensor_name"]


def test_contracts_of_one_template_know_nothing_of_each_other():
    content = "<p>{{Deal.title}}<b data-if=Deal.stage> is {{Deal.stage}}</b></p><p>{{Quote.lines_table}}</p>"
    won = filled(content, Deal_stage="won", Deal_title="One")
    assert won.startswith("<p>One<b> is won</b></p><table>")
    assert filled(content).startswith("<p>Planner</p><table>")
    assert filled(content, Deal_stage="won", Deal_title="One") == won


def test_margins_are_plain_text_and_keep_their_page_numbers():
    margins = {"header_left": "{{Licensee.name}} <b>", "footer_right": "{{ page }} of {{pages}}", "footer_left": None}
    expected = {"header_left": "Müller & Söhne <b>", "footer_right": "{{page}} of {{pages}}", "footer_left": ""}
    assert resolved("", margins).margins == expected


@MANY
@given(TEXTS)
def test_a_value_in_a_margin_is_never_taken_for_a_page_number(value):
    margin = resolved("", {"header_left": "{{Deal.title}}{{page}}"}, Deal_title=value).margins["header_left"]
    text, page, _ = margin.rpartition("{{page}}")
    assert (page, COUNTERS.search(text)) == ("{{page}}", None)
    lines = printable(value).split("\n") if value.strip() else [BLANK]
    assert parts(margin)[0] == ", ".join(line for line in lines if line.strip())


@pytest.mark.parametrize("name", [name for name, tag in TAGS.items() if tag.entity != "Line"])
def test_every_tag_has_a_sample_that_prints(name):
    if name != "Quote.lines":
        assert merge.resolve(f"<p>{{{{{name}}}}}</p>", {}, SAMPLES).unresolved_tags == []


# Tags whole and in parts, ready blocks, conditions, repeats, and elements that begin and end anywhere.
PIECES = ["{{Deal.title}}", "{{Quote.total | currency}}", "{{Deal.stage}}", "{{Line.name}}", "{{Deal.", "title}}"]
PIECES += ["{{Quote.lines_table}}", "{{Contract.signature_block}}", '<ul><li data-each="Quote.lines">', "</ul>"]
PIECES += ['<p data-if="Deal.stage">', "<p>", "</p>", "<b>", "</b>", "<table><tr><td>", "</table>", "{{", "}}", "a"]


@MANY
@given(st.lists(st.sampled_from(PIECES), max_size=20).map("".join), st.sampled_from([VALUES, {}, SAMPLES]))
def test_no_checked_template_fails_or_leaves_a_raw_tag(source, values):
    content = merge.sanitize(source)
    result = merge.resolve(content, {}, values)
    if not merge.check(content, {}):
        assert "{{" not in result.content
        assert "}}" not in result.content
        assert "data-" not in result.content


@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    "content", ["{{Deal.title}}" * 20_000, "<b>{{Deal.</b><i>title}}</i>" * 5_000, "{{Deal.value|currency}}" * 12_000]
)
def test_many_tags_are_filled_in_time(content):
    assert "{{" not in filled(content)


BLOCKS = ["<p>{{Quote.lines_table}}</p>", "<p>{{Contract.signature_block}}</p>"]


@pytest.mark.timeout(60)
@pytest.mark.parametrize("content", [*BLOCKS, '<p data-each="Quote.lines">{{Deal.notes}}</p>'])
def test_a_text_that_grows_without_bound_is_too_large(content):
    with pytest.raises(merge.TooLarge):
        resolved(content * 4_000, Quote_lines=LINES * 100)


@pytest.mark.parametrize(
    ("content", "html"),
    [
        (
            '<table><tr data-each="Quote.lines"><td>{{Line.position}} {{Line.name}}</td><td>{{Line.net | currency}}'
            "</td></tr><tr><td>e</td></tr></table>",
            "<table><tbody><tr><td>1 Seat &lt;b&gt;</td><td>€21.00</td></tr><tr><td>2 Setup</td><td>€1,000.00</td></tr>"
            "<tr><td>e</td></tr></tbody></table>",
        ),
        (
            'a <b data-each="Deal.platforms">[{{Line.position}} {{Line.name}}]</b> b',
            "a <b>[1 Linux]</b><b>[2 macOS]</b> b",
        ),
        ('a <b data-each="Deal.features">[{{Line.name}}]</b> b', "a  b"),
    ],
)
def test_an_element_is_repeated_for_each_line_in_its_place(content, html):
    assert filled(content) == html


def test_the_table_of_lines_takes_the_place_of_its_paragraph_and_shows_discounts_where_there_are_some():
    content = filled("<p>a</p><p><b>{{Quote.lines_table}}</b></p>b")
    assert content.startswith("<p>a</p><table><thead><tr><th>Item</th>")
    assert content.endswith("</table>b")
    cells = ("<td>Seat &lt;b&gt;</td>", *(f'<td class="money">{figure}</td>' for figure in ("2", "€10.50", "€21.00")))
    assert "".join(cells) in content
    assert [word in content for word in ("Discount", "Tax")] == [False, False]
    content = merge.resolve("<div>{{Quote.lines_table}}<p>b</p></div>", {}, SAMPLES).content
    assert content.startswith("<div><table>")
    assert content.endswith("</table><p>b</p></div>")
    for text in ("10\u00a0%", "-€1,000.00", "<strong>€51,170.00</strong>", 'colspan="4"'):
        assert text in content


@pytest.mark.parametrize(
    ("country", "locale", "printed"),
    [("DE", "en", "Germany"), ("AT", "de_CH", "Österreich"), ("Germany", "de", "Germany"), ("XX", "en", "XX")],
)
def test_a_country_prints_by_its_name(country, locale, printed):
    assert merge.country_name(country, locale) == printed


@pytest.mark.parametrize(
    ("interval", "date"),
    [
        ("30 days", "2026-03-02"),
        ("1 month", "2026-02-28"),
        ("-2 weeks", "2026-01-17"),
        ("2 years", "2028-01-31"),
        ("9999 years", BLANK),
    ],
)
def test_a_date_plus_an_interval_is_a_date(interval, date):
    values = {"Contract": {"effective_date": datetime.date(2026, 1, 31)}}
    content = f'<p>{{{{Contract.effective_date | plus: "{interval}"}}}}</p>'
    assert text_of(resolved(content, values=values).content) == date


@pytest.mark.parametrize(
    ("locale", "currency", "total", "printed"),
    [
        ("en", "EUR", "1234.50", "one thousand two hundred and thirty-four and 50/100 euros"),
        ("en", "EUR", "1", "one and 00/100 euro"),
        ("de", "EUR", "21001", "einundzwanzigtausendein 00/100 Euro"),
        ("fr", "EUR", "80.05", "quatre-vingts et 05/100 euros"),
        ("es", "EUR", "21021", "veintiún mil veintiún con 00/100 euros"),
        ("it", "CHF", "1", "un e 00/100 franco svizzero"),
        ("nl", "JPY", "2", "twee Japanse yen"),
        ("ar", "KWD", "3.125", "ثلاثة و125/1000 دينار كويتي"),
        ("pl", "EUR", "5", "5,00\u00a0€"),
    ],
)
def test_an_amount_is_printed_in_words(locale, currency, total, printed):
    style = filters.style_of(locale, currency)
    assert filters.printed("money", Decimal(total), [("words", None)], style) == printed


def test_a_number_is_printed_in_words():
    style = filters.style_of("de-AT", None)
    assert filters.printed("number", Decimal("1.5"), [("words", None)], style) == "eins Komma fünf"


def test_an_interval_has_a_number_and_a_unit_and_a_date_before_it():
    assert codes('{{Contract.effective_date | plus: "30"}}{{Quote.total | plus: "1 day"}}') == [
        "invalid_filter_argument",
        "filter_misfit",
    ]
    assert codes('{{Contract.effective_date | plus: "1 day" | date: "long"}}') == []
