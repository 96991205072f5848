"""Deals and their stages."""

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


def test_a_deal_without_a_currency_has_the_organizations(member, organization, owner):
    owner.execute("update app.organizations set currency = 'CHF' where id = %s", (organization.id,))
    deal = make(member, "deals", title="Site licence")
    assert (deal["currency"], deal["value"]) == ("CHF", 0)


def test_an_owner_has_an_active_seat_when_the_deal_is_given_to_them_and_may_stay_without(member, admin, organization):
    refused = member.post("/api/deals", {"title": "Deal", "owner_id": organization.users["inactive"]}, status=422)
    assert codes(refused) == [("owner_id", "unknown_reference")]
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
