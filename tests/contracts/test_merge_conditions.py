"""The meaning of a template's conditions, as in the table of docs/merge-tags.md."""

import datetime
from html import escape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.contracts import merge
from tests.contracts.merging import MANY, codes, filled, text_of

FIELDS = {
    "Deal_platforms": [merge.Labelled("GNU/Linux", "linux"), "macOS"],
    "Deal_license_type": merge.Labelled("Perpetual", "perpetual"),
    "Licensee_country": merge.Labelled("Germany", "DE"),
    "Quote_notes": "it's “final”",
}
# Quote.total is 1021.00, Quote.tax_total 0, Quote.date 2026-01-31, Quote.currency EUR; Deal.stage has no value.
TRUE = [
    "Quote.total",
    "Quote.total > 1020.99",
    "Quote.total > 0.125 and Quote.total < 1021.0001",
    "Quote.total>=1021",
    "Quote.tax_total = 0",
    "not Quote.tax_total",
    "not Deal.stage",
    "Deal.stage != Won",
    "not Deal.stage = Won",
    "Quote.currency = EUR",
    "Quote.currency = “EUR”",
    "Quote.notes = ‘it’ or Quote.total",
    "Deal.platforms has linux",
    "Deal.platforms has macOS and not Deal.platforms has 'GNU/Linux'",
    "Deal.license_type = perpetual",
    "Licensee.country = DE",
    "Quote.date < 2026-02-01 AND Contract.effective_date > 2026-01-31",
    "not Deal.stage and Quote.total",
    "Quote.total or Deal.stage and Deal.stage",
    "not (Deal.stage or Quote.tax_total)",
    "Deal.platforms and Quote.lines_table and Contract.signature_block",
    "\u00a0Quote.total\u200b > 5",
]
FALSE = [
    "Quote.tax_total",
    "Deal.stage",
    "Deal.stage = Won",
    "Quote.currency = eur",
    "Deal.platforms has windows",
    "Deal.features has a",
    "Deal.features",
    "Deal.quantity",
    "Quote.discount_total",
    "(Quote.total or Deal.stage) and Deal.stage",
    "not Quote.total or Deal.stage",
]


def answer(condition, fields):
    """What a template with a condition keeps; None if it is refused."""
    source = f'<p data-if="{escape(condition)}">yes</p><p data-else>no</p>'
    content = merge.sanitize(source)
    if merge.check(content, {}, source):
        return None
    return {"yes": True, "no": False}[text_of(filled(content, **fields))]


@pytest.mark.parametrize("condition", TRUE)
def test_a_condition_that_holds_keeps_its_element_and_drops_the_alternative(condition):
    assert answer(condition, FIELDS) is True
    assert answer(f"not ({condition})", FIELDS) is False


@pytest.mark.parametrize("condition", FALSE)
def test_a_condition_that_does_not_hold_keeps_the_alternative_alone(condition):
    assert answer(condition, FIELDS) is False
    assert answer(f"not ({condition})", FIELDS) is True


def test_each_copy_of_a_repeated_element_is_asked_by_its_own_line():
    sizes = '<b data-if="Line.net > 100"> big</b><b data-else> small</b>'
    content = f'<ul><li data-each="Quote.lines">{{{{Line.name}}}}{sizes}</li></ul>'
    assert text_of(filled(content)) == "Seat <b> smallSetup big"
    content = f'<ul><li data-each="Quote.lines" data-if="Line.sku">{{{{Line.sku}}}}{sizes}</li></ul>'
    assert text_of(filled(content)) == "S-1 small"


# {operator: which of no value, 4, 5 and 6 it finds when it is asked for 5}
COMPARED = {"=": [5], "!=": [None, 4, 6], "<": [4], "<=": [4, 5], ">": [6], ">=": [5, 6]}


@pytest.mark.parametrize("operator", COMPARED)
def test_amounts_are_compared_by_their_size_and_none_only_differs(operator):
    found = [value for value in (None, 4, 5, 6) if answer(f"Quote.total {operator} 5.00", {"Quote_total": value})]
    assert found == COMPARED[operator]


@pytest.mark.parametrize("operator", COMPARED)
def test_dates_are_compared_by_their_day_and_none_only_differs(operator):
    days = {None: None, **{day: datetime.date(2026, 1, day) for day in (4, 5, 6)}}
    asked = f"Quote.date {operator} 2026-01-05"
    assert [day for day, date in days.items() if answer(asked, {"Quote_date": date})] == COMPARED[operator]


WORDS = ["Quote.total", "Quote.total>5", "Deal.title=and", "Deal.platforms", "not", "AND", "or", "has", "=", "==", "<>"]
WORDS += [">=", "!", "&&", "(", ")", "5", "-7.25", "2026-01-31", "EUR", "'a'", "'not'", ",", "…"]


@MANY
@given(st.lists(st.sampled_from(WORDS), max_size=8).map(" ".join) | st.text(max_size=40))
def test_a_condition_is_refused_or_kept_word_for_word(text):
    quoted = text.replace("&", "&amp;").replace('"', "&quot;").replace("<", "&lt;")
    content = merge.sanitize(f'<p data-if="{quoted}">yes</p>')
    if codes(content) == []:
        assert merge.check(content, {}, f'<p data-if="{quoted}">yes</p>') == []
        assert merge.sanitize(content) == content
