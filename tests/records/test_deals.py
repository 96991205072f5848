"""Deals and their stages."""

from decimal import Decimal

import pytest

from pipeline.database import loads
from tests.http.target import assert_problem
from tests.records.support import make, shown
from tests.support import codes


def test_a_deal_shows_the_names_of_what_it_refers_to(member, organization):
    company = make(member, "companies", name="Acme")
    contact = make(member, "contacts", first_name="Ada", last_name="Lovelace")
    stage = make(member, "deal-stages", name="Offer", position=2)
    deal = make(
        member,
        "deals",
        title="Site licence",
        value=1234.5,
        currency="EUR",
        stage_id=stage["id"],
        company_id=company["id"],
        contact_id=contact["id"],
        owner_id=organization.users["member"],
        expected_close_date="2026-12-31",
        product_line="server",
    )
    names = ("stage_name", "company_name", "contact_name", "owner_name")
    assert [deal[name] for name in names] == ["Offer", "Acme", "Ada Lovelace", "Member"]
    assert (deal["value"], deal["currency"], deal["expected_close_date"]) == (1234.5, "EUR", "2026-12-31")


@pytest.mark.parametrize("value", ["0", "0.01", "0.1", "12345678901234.56", "999999999999999.99", "1e3"])
def test_a_value_is_exact_to_the_cent(value, member):
    raw = f'{{"title": "Deal", "value": {value}}}'.encode()
    made = loads(member.post("/api/deals", raw=raw, status=201).body)
    assert made["value"] == Decimal(value)


@pytest.mark.parametrize(
    ("value", "code"),
    [
        ("0.001", "too_precise"),
        ("-1", "out_of_range"),
        ('"1"', "wrong_type"),
        ("1e16", "out_of_range"),
        ("true", "wrong_type"),
    ],
)
def test_what_is_no_amount_is_refused(value, code, member):
    refused = member.post("/api/deals", raw=f'{{"title": "Deal", "value": {value}}}'.encode(), status=422)
    assert codes(refused) == [("value", code)]


def test_a_deal_without_a_currency_has_the_organizations(member, organization, owner):
    owner.execute("update app.organizations set currency = 'CHF' where id = %s", (organization.id,))
    deal = make(member, "deals", title="Site licence")
    assert (deal["currency"], deal["value"]) == ("CHF", 0)


def test_a_replaced_deal_loses_what_is_left_out(member):
    stage = make(member, "deal-stages", name="Offer")
    deal = make(member, "deals", title="Site licence", value=5, stage_id=stage["id"])
    replaced = member.put(f"/api/deals/{deal['id']}", {"title": "Renewal"}, status=200).json
    assert (replaced["title"], replaced["value"], replaced["stage_id"]) == ("Renewal", 0, None)


def test_deals_are_listed_by_what_they_refer_to(member, organization):
    stage, company = make(member, "deal-stages", name="Offer"), make(member, "companies", name="Acme")
    contact = make(member, "contacts", first_name="Ada")
    links = {
        "stage_id": stage["id"],
        "company_id": company["id"],
        "contact_id": contact["id"],
        "owner_id": organization.users["member"],
    }
    make(member, "deals", title="Linked", **links)
    make(member, "deals", title="Loose")
    for field, id in links.items():
        assert shown(member, f"/api/deals?{field}={id}", "title") == ["Linked"]
    assert shown(member, "/api/deals?search=acme", "title") == ["Linked"]


def test_deals_are_sorted_by_value_as_a_number(member):
    for title, value in (("A", 9), ("B", 100), ("C", 20)):
        make(member, "deals", title=title, value=value)
    assert shown(member, "/api/deals?sort_by=value&sort_dir=DESC", "title") == ["B", "C", "A"]


def test_an_owner_has_an_active_seat_when_the_deal_is_given_to_them(member, organization):
    refused = member.post("/api/deals", {"title": "Deal", "owner_id": organization.users["inactive"]}, status=422)
    assert codes(refused) == [("owner_id", "unknown_reference")]


def test_an_owner_whose_seat_went_off_may_stay(member, admin, organization):
    body = {"title": "Deal", "owner_id": organization.users["colleague"]}
    deal = make(member, "deals", **body)
    admin.put(f"/api/users/{body['owner_id']}", {"name": "Colleague", "seat_active": False}, status=200)
    assert member.put(f"/api/deals/{deal['id']}", body, status=200).json["owner_id"] == body["owner_id"]


def test_a_deal_with_a_quote_or_an_invite_cannot_be_deleted(member, organization, deal):
    quote = make(member, "quotes", deal_id=deal["id"])
    refused = member.delete(f"/api/deals/{deal['id']}")
    assert_problem(refused, 409, "in_use")
    assert refused.json["referred_by"] == "quotes"
    member.delete(f"/api/quotes/{quote['id']}", status=204)
    organization.invite(deal_id=deal["id"])
    assert_problem(member.delete(f"/api/deals/{deal['id']}"), 409, "in_use")


def test_stages_stand_in_the_order_of_the_sale(member):
    for name, position in (("Won", 3), ("New", 1), ("Offer", 2)):
        make(member, "deal-stages", name=name, position=position)
    assert shown(member, "/api/deal-stages", "name") == ["New", "Offer", "Won"]
    assert shown(member, "/api/deal-stages?sort_by=name", "name") == ["New", "Offer", "Won"]


def test_a_stage_that_does_not_say_where_it_stands_is_the_last_and_stays_where_it_is(member):
    """The first one is where the deals of qualified leads begin."""
    make(member, "deal-stages", name="New", position=5)
    won = make(member, "deal-stages", name="Won")
    assert won["position"] == 6
    assert member.put(f"/api/deal-stages/{won['id']}", {"name": "Sold"}).json["position"] == 6


def test_a_stage_with_a_deal_cannot_be_deleted(member):
    stage = make(member, "deal-stages", name="Offer")
    make(member, "deals", title="Site licence", stage_id=stage["id"])
    assert_problem(member.delete(f"/api/deal-stages/{stage['id']}"), 409, "in_use")
