"""Amounts: each has its currency's decimals, exact from the request to the database and back."""

import json

import pytest
from babel.numbers import get_currency_precision

from pipeline.validation.currencies import CURRENCIES, decimals
from tests.support import codes

# Babel counts the decimals of cash, ISO 4217 those of accounts.
WITHOUT_SMALL_COINS = {"AFN", "ALL", "IQD", "IRR", "KPW", "LAK", "LBP", "MGA", "MMK", "RSD", "SOS", "SYP", "YER"}


def deal(organization, value, currency, status=201, **body):
    """The answer to a new deal whose value is written as this text."""
    raw = json.dumps({"title": "D", "currency": currency, **body})[:-1] + f', "value": {value}}}'
    return organization.member.post("/api/deals", raw=raw.encode(), status=status)


@pytest.mark.parametrize(
    ("value", "currency"),
    [
        ("1500", "JPY"),
        ("12.34", "EUR"),
        ("12.5", "RSD"),
        ("1.234", "KWD"),
        ("99999999999999.999", "KWD"),
        ("999999999999999.99", "EUR"),
        ("1.2345", "CLF"),
    ],
)
def test_an_amount_comes_back_exactly_as_it_was_sent(organization, value, currency):
    assert f'"value": {value},' in deal(organization, value, currency).text.replace('":', '": ').replace("  ", " ")


@pytest.mark.parametrize(
    ("value", "currency", "code"),
    [
        ("1.50", "JPY", "too_precise"),
        ("1.234", "EUR", "too_precise"),
        ("1.2345", "KWD", "too_precise"),
        ("100000000000000.001", "KWD", "out_of_range"),
    ],
)
def test_an_amount_has_no_more_than_its_currency_can_have(organization, value, currency, code):
    assert codes(deal(organization, value, currency, status=422)) == [("value", code)]


def test_a_changed_currency_keeps_the_number_of_the_amount(organization):
    path = f"/api/deals/{deal(organization, '15', 'EUR').json['id']}"
    for currency in ("JPY", "KWD", "EUR"):
        changed = organization.member.patch(path, {"currency": currency}, status=200).json
        assert (changed["currency"], changed["value"]) == (currency, 15)


def test_a_currency_that_cannot_have_the_amount_needs_another_amount(organization):
    path = f"/api/deals/{deal(organization, '1.5', 'EUR').json['id']}"
    assert codes(organization.member.patch(path, {"currency": "JPY"}, status=422)) == [("value", "too_precise")]
    assert organization.member.patch(path, {"currency": "JPY", "value": 200}, status=200).json["value"] == 200


def test_what_is_wrong_with_an_amount_is_named_beside_everything_else(organization):
    refused = organization.member.post("/api/deals", {"currency": "JPY", "value": 1.5, "company_id": 1}, status=422)
    assert dict(codes(refused)) == {"title": "required", "company_id": "unknown_reference", "value": "too_precise"}


def test_deals_are_sorted_by_the_numbers_of_their_values(organization):
    for value, currency in (("20", "EUR"), ("1000", "JPY"), ("1.5", "KWD"), ("3000", "JPY")):
        deal(organization, value, currency)
    shown = organization.member.get("/api/deals?sort_by=value", status=200).json["data"]
    assert [one["value"] for one in shown] == [1.5, 20, 1000, 3000]


def test_an_amount_without_a_currency_has_its_organizations_decimals(organization):
    organization.owner.execute("update app.organizations set currency = 'JPY' where id = %s", [organization.id])
    assert codes(organization.member.post("/api/deals", {"title": "D", "value": 1.5}, status=422))
    lead = organization.member.post("/api/leads", {"first_name": "Pat"}, status=201).json["id"]
    qualified = {"create_deal": True, "deal_value": 1.5}
    refused = organization.member.post(f"/api/leads/{lead}/qualify", qualified, status=422)
    assert codes(refused) == [("deal_value", "too_precise")]


@pytest.mark.parametrize("currency", ["XYZ", "eur", "DEM"])
def test_a_currency_that_nobody_uses_is_refused(organization, currency):
    quoted = {"deal_id": deal(organization, "1", "CLF").json["id"], "currency": currency}
    for refused in (deal(organization, "0.1", currency, 422), organization.member.post("/api/quotes", quoted)):
        assert codes(refused) == [("currency", "unknown_currency")]


def test_a_quote_is_computed_in_the_units_of_its_deals_currency(organization):
    deal_id = deal(organization, "0", "KWD").json["id"]
    lines = [{"quantity": 3, "unit_price": 1.235, "discount_percent": 12.5}]
    body = {"deal_id": deal_id, "lines": lines, "discount_total": 0.001, "tax_total": 0.125}
    quote = organization.member.post("/api/quotes", body, status=201).json
    assert (quote["lines"][0]["unit_price"], quote["lines"][0]["net"]) == (1.235, 3.242)
    assert (quote["subtotal"], quote["total"]) == (3.242, 3.366)
    refused = organization.member.patch(f"/api/quotes/{quote['id']}", {"currency": "EUR"}, status=422)
    assert {name for name, _ in codes(refused)} == {"discount_total", "tax_total", "lines.0.unit_price"}


def test_a_quote_in_yen_rounds_each_line_to_a_yen(organization):
    deal_id = deal(organization, "0", "JPY").json["id"]
    lines = [{"quantity": 1, "unit_price": 99, "discount_percent": 50}]
    quote = organization.member.post("/api/quotes", {"deal_id": deal_id, "lines": lines}, status=201).json
    assert (quote["lines"][0]["net"], quote["total"]) == (50, 50)


def test_the_record_of_change_shows_amounts_in_the_currency_they_had(organization):
    path = f"/api/deals/{deal(organization, '15', 'EUR').json['id']}"
    organization.member.patch(path, {"currency": "JPY", "value": 1500}, status=200)
    (found,) = organization.owner.execute(
        "select changed from app.changes where organization_id = %s and action = 'updated'", [organization.id]
    ).fetchone()
    assert found == {"currency": {"old": "EUR", "new": "JPY"}, "value": {"old": 15, "new": 1500}}


def test_the_record_of_change_shows_the_lines_of_a_quote_in_the_currency_they_had(organization):
    deal_id = deal(organization, "0", "EUR").json["id"]
    quote = organization.member.post("/api/quotes", {"deal_id": deal_id, "lines": [{"unit_price": 12.5}]}, status=201)
    path, lines = f"/api/quotes/{quote.json['id']}", [{"unit_price": 1300}]
    organization.member.patch(path, {"currency": "JPY", "lines": lines}, status=200)
    (found,) = organization.owner.execute(
        "select changed -> 'lines' from app.changes where organization_id = %s and action = 'updated'"
        " and type = 'quotes' and changed ? 'lines' order by id desc",
        [organization.id],
    ).fetchone()
    assert (found["old"][0]["unit_price"], found["new"][0]["unit_price"]) == (12.5, 1300)


def test_the_decimals_are_those_of_iso_4217():
    for currency in CURRENCIES - WITHOUT_SMALL_COINS:
        assert decimals(currency) == get_currency_precision(currency), currency
    assert {currency: decimals(currency) for currency in WITHOUT_SMALL_COINS if currency != "IQD"} == dict.fromkeys(
        WITHOUT_SMALL_COINS - {"IQD"}, 2
    )


def test_the_database_knows_the_same_decimals(superuser):
    found = superuser.execute(
        "select currency, app.minor_unit(currency) from unnest(%s::text[]) as currency", [sorted(CURRENCIES)]
    ).fetchall()
    assert {currency: -unit.as_tuple().exponent for currency, unit in found} == {
        currency: decimals(currency) for currency in CURRENCIES
    }
