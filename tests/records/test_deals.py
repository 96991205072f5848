"""Deals and their stages."""

from tests.records.support import make, shown
from tests.support import codes


def test_a_deal_shows_the_names_of_what_it_refers_to(member, organization):
    deal = make(
        member,
        "deals",
        title="Site licence",
        value=1234.5,
        currency="EUR",
        stage_id=make(member, "deal-stages", name="Offer", position=2)["id"],
        company_id=make(member, "companies", name="Acme")["id"],
        contact_id=make(member, "contacts", first_name="Ada", last_name="Lovelace")["id"],
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


def test_an_owner_has_an_active_seat_when_the_deal_is_given_to_them_and_may_stay_without(member, organization):
    refused = member.post("/api/deals", {"title": "Deal", "owner_id": organization.users["inactive"]}, status=422)
    assert codes(refused) == [("owner_id", "unknown_reference")]
    body = {"title": "Deal", "owner_id": organization.users["colleague"]}
    deal = make(member, "deals", **body)
    organization.deactivate("colleague")
    assert member.put(f"/api/deals/{deal['id']}", body, status=200).json["owner_id"] == body["owner_id"]


def test_stages_stand_in_the_order_of_the_sale(member):
    for name, position in (("Won", 3), ("New", 1), ("Offer", 2)):
        make(member, "deal-stages", name=name, position=position)
    assert shown(member, "/api/deal-stages", "name") == ["New", "Offer", "Won"]


def test_a_stage_that_does_not_say_where_it_stands_is_the_last_and_stays_where_it_is(member):
    """The first one is where the deals of qualified leads begin."""
    make(member, "deal-stages", name="New", position=5)
    won = make(member, "deal-stages", name="Won")
    assert won["position"] == 6
    assert member.put(f"/api/deal-stages/{won['id']}", {"name": "Sold"}).json["position"] == 6


def test_a_deal_refers_to_no_record_of_another_organization(member, new_organization):
    other = new_organization()
    foreign = {
        "company_id": other.insert("companies", name="C"),
        "contact_id": other.insert("contacts", first_name="P"),
        "stage_id": other.insert("deal_stages", name="S"),
        "owner_id": other.users["member"],
    }
    refused = member.post("/api/deals", {"title": "Deal", **foreign}, status=422)
    assert dict(codes(refused)) == dict.fromkeys(foreign, "unknown_reference")
