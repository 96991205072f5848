"""The meaning of a template's conditions, as in the table of docs/merge-tags.md; any other text is refused."""

from html import escape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.contracts import merge
from pipeline.documents.content import parse
from tests.contracts.merging import MANY, codes, filled, text_of

FIELDS = {
    "Deal_platforms": [merge.Labelled("GNU/Linux", "linux"), "macOS"],
    "Deal_license_type": merge.Labelled("Perpetual", "perpetual"),
    "Licensee_country": merge.Labelled("Germany", "DE"),
    "Quote_notes": "it's “final”",
}
# Quote.total is 1021.00, Quote.tax_total 0, Quote.date 2026-01-31, Quote.currency EUR; Deal.stage has no value.
TRUE = [
    "Quote.total > 0.125 and Quote.total < 1021.0001",
    "Quote.total>=1021 and Quote.total <= 1021 and Quote.total = 1021.00",
    "Quote.total != -5",
    "Quote.total or Deal.stage and Deal.stage",
    "not Deal.stage or Quote.total",
    "not Deal.stage = Won and Deal.stage != Won",
    "Deal.title != and and Deal.title = Planner",
    "Quote.currency = EUR",
    "Quote.currency = “EUR”",
    "Quote.notes = ‘it’ or Quote.total",
    "Deal.platforms has linux",
    "Deal.platforms has macOS and not Deal.platforms has 'GNU/Linux'",
    "Deal.license_type = perpetual",
    "Licensee.country = DE",
    "Quote.date < 2026-02-01 AND Contract.effective_date > 2026-01-31",
    "Quote.date = 2026-01-31 and Quote.date >= 2026-01-31 and Quote.date != 2026-02-01",
    "not (Deal.stage or Quote.tax_total)",
    "\u00a0Quote.total\u200b > 5",
]
FALSE = [
    "Quote.total and Deal.stage",
    "Quote.discount_total < 5",
    "Quote.total < 1021 or Quote.total > 1021",
    "Quote.date < 2026-01-31 or Quote.date > 2026-01-31",
    "Quote.currency = eur",
    "Quote.currency != EUR",
    "Deal.platforms has windows",
    "Deal.features has a",
]


@pytest.mark.parametrize(
    ("condition", "kept", "else_kept"),
    [*((condition, "yes", "no") for condition in TRUE), *((condition, "no", "yes") for condition in FALSE)],
)
def test_a_condition_keeps_either_its_element_or_the_alternative(condition, kept, else_kept):
    for text, left in ((condition, kept), (f"not ({condition})", else_kept)):
        content = f'<p data-if="{escape(text)}">yes</p><p data-else>no</p>'
        assert codes(merge.sanitize(content)) == []
        assert text_of(filled(content, **FIELDS)) == left


def test_each_copy_of_a_repeated_element_is_asked_by_its_own_line():
    sizes = '<b data-if="Line.net > 100"> big</b><b data-else> small</b>'
    content = f'<ul><li data-each="Quote.lines">{{{{Line.name}}}}{sizes}</li></ul>'
    assert text_of(filled(content)) == "Seat <b> smallSetup big"


MALFORMED = ["and", "not", "()", "(Quote.total", "Quote.total)", "Quote.total Deal.title", "Quote.total and or Deal.id"]
MALFORMED += [
    "Quote.total == 5",
    "Quote.total > ",
    "Quote.total && Deal.title",
    "5 < Quote.total",
    "Quote.total > x > 5",
]
WORDS = sorted({word for text in (*TRUE, *FALSE, *MALFORMED) for word in text.split()} | {",", "<>", "!", "'not'"})


@pytest.mark.parametrize("text", MALFORMED)
def test_any_other_text_is_refused(text):
    assert codes(merge.sanitize(f'<p data-if="{escape(text)}">a</p>')) == ["malformed_condition"]


@MANY
@given(st.lists(st.sampled_from(WORDS), max_size=8).map(" ".join) | st.text(max_size=40))
def test_a_condition_is_refused_or_kept_word_for_word(text):
    source = f'<p data-if="{escape(text)}">yes</p>'
    content = merge.sanitize(source)
    if codes(content) == []:
        assert merge.check(content, {}, source) == []
        assert merge.sanitize(content) == content


LINE_ROW = (
    '<tr data-each="Quote.lines"><td>{{Line.name}}</td><td data-if="Line.net > 100">big</td><td>{{Line.sku}}</td></tr>'
)
ROWS = {
    f"<table>{LINE_ROW}</table>": [["Seat <b>", "", "S-1"], ["Setup", "big", "________________"]],
    f"<table>{LINE_ROW.replace('> 100', '> 9000')}</table>": [["Seat <b>", "S-1"], ["Setup", "________________"]],
    "<table><tr><th>a</th><th data-if='Quote.tax_total'>b</th></tr>"
    "<tr><td>c</td><td data-if='Quote.tax_total'>d</td></tr><tr><td colspan=2>e</td></tr></table>": [
        ["a"],
        ["c"],
        ["e"],
    ],
    "<table><tr><td data-if='Quote.tax_total'>a</td><td data-else>b</td><td>c</td></tr></table>": [["b", "c"]],
}


@pytest.mark.parametrize("source", ROWS)
def test_a_row_keeps_its_columns_when_the_condition_of_a_cell_is_false(source):
    root = parse(filled(source))
    assert [[cell.text_content() for cell in row if cell.tag in ("td", "th")] for row in root.iter("tr")] == ROWS[
        source
    ]
