from tests.records.support import make, shown
from tests.support import codes


def test_a_deal_shows_the_name_of_its_owner(member, organization):
    assert make(member, "deals", title="Deal", owner_id=organization.users["member"])["owner_name"] == "Member"


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
    batch = member.post("/api/deals/batch", {"create": [{"title": "Deal"}, {"title": "Deal", **foreign}]}, status=422)
    assert dict(codes(batch)) == {f"create.1.{field}": "unknown_reference" for field in foreign}
