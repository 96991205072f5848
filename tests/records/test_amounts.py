import json
import re
from decimal import Decimal

import pytest
from babel.numbers import get_currency_precision

from pipeline.validation.currencies import CURRENCIES, decimals
from tests.support import codes

# Babel counts the decimals of cash, ISO 4217 those of accounts.
WITHOUT_SMALL_COINS = {"AFN", "ALL", "IRR", "KPW", "LAK", "LBP", "MGA", "MMK", "RSD", "SOS", "SYP", "YER"}


def deal(organization, value, currency, status=201):
    """The answer to a new deal whose value is written as this text."""
    raw = f'{{"title": "D", "currency": {json.dumps(currency)}, "value": {value}}}'
    return organization.member.post("/api/deals", raw=raw.encode(), status=status)


@pytest.mark.parametrize(
    ("value", "currency"),
    [
        ("1500", "JPY"),
        ("12.34", "EUR"),
        ("12.5", "RSD"),
        ("999999999999.999", "KWD"),
        ("9999999999999.99", "EUR"),
        ("1000000000000000", "JPY"),
        ("1.2345", "CLF"),
    ],
)
def test_an_amount_comes_back_exactly_as_it_was_sent(organization, value, currency):
    assert f'"value":{value},' in deal(organization, value, currency).text.replace(" ", "")


@pytest.mark.parametrize(
    ("value", "currency", "code"),
    [
        ("1.50", "JPY", "too_precise"),
        ("1.234", "EUR", "too_precise"),
        ("1.2345", "KWD", "too_precise"),
        ("1000000000000.001", "KWD", "out_of_range"),
        ("10000000000000.01", "EUR", "out_of_range"),
        ("90071992547409.93", "EUR", "out_of_range"),
        ("1000000000000001", "JPY", "out_of_range"),
    ],
)
def test_an_amount_has_no_more_than_its_currency_can_have(organization, value, currency, code):
    assert codes(deal(organization, value, currency, status=422)) == [("value", code)]


@pytest.mark.parametrize("taxes", [0, 1])
def test_a_quote_is_refused_when_its_total_has_more_digits_than_a_double(organization, taxes):
    line = {"sku": "A", "quantity": 10_000, "unit_price": 1_000_000_000}
    quote = {"deal_id": organization.insert("deals", title="D", currency="EUR"), "lines": [line], "tax_total": taxes}
    made = organization.member.post("/api/quotes", quote, status=422 if taxes else 201)
    assert (codes(made) == [("lines", "out_of_range")]) if taxes else (made.json["total"] == 10_000_000_000_000)


@pytest.mark.parametrize("currency", ["JPY", "EUR", "KWD", "CLF"])
@pytest.mark.parametrize("minor", [10**15, 10**15 - 1, 123_456_789_012_345])
def test_the_largest_amounts_pass_through_a_double_unchanged(organization, currency, minor):
    places = {"JPY": 0, "EUR": 2, "KWD": 3, "CLF": 4}[currency]
    shown = deal(organization, str(Decimal(minor).scaleb(-places)), currency).text
    (value,) = re.findall('"value": ?([0-9.]+)', shown)
    assert Decimal(repr(float(value))) == Decimal(minor).scaleb(-places)


def test_a_changed_currency_keeps_the_number_of_the_amount_or_needs_another_one(organization, member):
    path = f"/api/deals/{deal(organization, '15', 'EUR').json['id']}"
    for currency in ("JPY", "KWD"):
        changed = member.patch(path, {"currency": currency}, status=200).json
        assert (changed["currency"], changed["value"]) == (currency, 15)
    member.patch(path, {"value": 1.5}, status=200)
    assert codes(member.patch(path, {"currency": "JPY"}, status=422)) == [("value", "too_precise")]
    assert member.patch(path, {"currency": "JPY", "value": 200}, status=200).json["value"] == 200


def test_deals_are_sorted_by_the_numbers_of_their_values(organization):
    for value, currency in (("20", "EUR"), ("1000", "JPY"), ("1.5", "KWD"), ("3000", "JPY")):
        deal(organization, value, currency)
    shown = organization.member.get("/api/deals?sort_by=value", status=200).json["data"]
    assert [one["value"] for one in shown] == [1.5, 20, 1000, 3000]


def test_an_amount_without_a_currency_has_its_organizations_decimals(organization, owner, member):
    owner.execute("update app.organizations set currency = 'JPY' where id = %s", [organization.id])
    lead = member.post("/api/leads", {"first_name": "Pat"}, status=201).json["id"]
    refused = member.post("/api/deals", {"title": "D", "value": 1.5}, status=422)
    assert codes(refused) == [("value", "too_precise")]
    refused = member.post(f"/api/leads/{lead}/qualify", {"create_deal": True, "deal_value": 1.5}, status=422)
    assert codes(refused) == [("deal_value", "too_precise")]


@pytest.mark.parametrize("currency", ["XYZ", "eur", "DEM"])
def test_a_currency_that_nobody_uses_is_refused(organization, member, currency):
    quoted = {"deal_id": deal(organization, "1", "CLF").json["id"], "currency": currency}
    for refused in (deal(organization, "0.1", currency, 422), member.post("/api/quotes", quoted, status=422)):
        assert codes(refused) == [("currency", "unknown_currency")]


def test_a_quote_is_computed_in_the_units_of_its_deals_currency(organization, member):
    deal_id = deal(organization, "0", "KWD").json["id"]
    lines = [{"quantity": 3, "unit_price": 1.235, "discount_percent": 12.5}]
    body = {"deal_id": deal_id, "lines": lines, "discount_total": 0.001, "tax_total": 0.125}
    quote = member.post("/api/quotes", body, status=201).json
    assert (quote["lines"][0]["unit_price"], quote["lines"][0]["net"]) == (1.235, 3.242)
    assert (quote["subtotal"], quote["total"]) == (3.242, 3.366)
    refused = member.patch(f"/api/quotes/{quote['id']}", {"currency": "EUR"}, status=422)
    assert {name for name, _ in codes(refused)} == {"discount_total", "tax_total", "lines.0.unit_price"}


def test_the_record_of_change_shows_amounts_in_the_currency_they_had(organization, owner, member):
    changed = "select changed from app.changes where organization_id = %s and action = 'updated' and changed ? %s"
    made = deal(organization, "15", "EUR").json["id"]
    quote = member.post("/api/quotes", {"deal_id": made, "lines": [{"unit_price": 12.5}]}, status=201).json["id"]
    member.patch(f"/api/deals/{made}", {"currency": "JPY", "value": 1500}, status=200)
    both = {"currency": {"old": "EUR", "new": "JPY"}, "value": {"old": 15, "new": 1500}}
    assert owner.execute(changed, [organization.id, "value"]).fetchone() == (both,)
    member.patch(f"/api/quotes/{quote}", {"currency": "JPY", "lines": [{"unit_price": 1300}]}, status=200)
    ((found,),) = owner.execute(changed, [organization.id, "lines"])
    assert [found["lines"][word][0]["unit_price"] for word in ("old", "new")] == [12.5, 1300]


def test_the_decimals_are_those_of_iso_4217_here_and_in_the_database(superuser):
    expected = {currency: get_currency_precision(currency) for currency in CURRENCIES}
    expected |= dict.fromkeys(WITHOUT_SMALL_COINS, 2) | {"IQD": 3}
    assert {currency: decimals(currency) for currency in CURRENCIES} == expected
    found = superuser.execute(
        "select currency, app.minor_unit(currency) from unnest(%s::text[]) as currency", [sorted(CURRENCIES)]
    )
    assert {currency: -unit.as_tuple().exponent for currency, unit in found} == expected
