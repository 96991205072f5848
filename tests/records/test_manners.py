"""Rules for every kind of supporting record."""

import pytest

from tests.http.target import assert_problem
from tests.support import codes

NOWHERE = 9_000_000_000
# A change of a record of each kind.
OTHER = {
    **dict.fromkeys(("companies", "deal-stages", "configurator-definitions", "teams"), {"name": "Another"}),
    "contacts": {"first_name": "Ada"},
    "deals": {"title": "Another"},
    "quotes": {"notes": "Another"},
    "configurations": {"quantity": 7},
    "users": {"role": "admin"},
}


@pytest.fixture(params=OTHER)
def kind(request):
    """The path's word of every kind that has a list."""
    return request.param


@pytest.fixture
def body(kind, organization):
    """A body of a record of that kind."""
    deal = organization.insert("deals", title="Deal")
    definition = organization.insert("configurator_definitions", name="Server", slug="server")
    return {
        "companies": {"name": "Müller & Söhne"},
        "contacts": {"first_name": "Zoë"},
        "deal-stages": {"name": "Offer", "position": 3},
        "deals": {"title": "Site licence"},
        "quotes": {"deal_id": deal, "lines": [{"sku": "A"}]},
        "configurator-definitions": {"name": "Desktop", "slug": "desktop"},
        "configurations": {"deal_id": deal, "definition_id": definition},
        "teams": {"name": "Overseas"},
        "users": {"name": "Kim", "email": f"kim@{organization.name}.example"},
    }[kind]


def fields(kind, body):
    """The body of an update."""
    return {name: value for name, value in body.items() if not (kind == "users" and name == "email")}


def test_a_record_is_created_shown_replaced_and_deleted(kind, body, admin, organization):
    made = admin.post(f"/api/{kind}", body, status=201)
    path = f"/api/{kind}/{made.json['id']}"
    assert made.headers["Location"] == f"https://pipeline.example{path}"
    assert made.json["organization_id"] == organization.id
    assert admin.get(path, status=200).json == made.json
    assert made.json in admin.get(f"/api/{kind}", status=200).json["data"]
    assert admin.put(path, fields(kind, body), status=200).json["id"] == made.json["id"]
    admin.delete(path, status=204)
    assert_problem(admin.get(path), 404, "not_found")


@pytest.mark.parametrize(
    ("kind", "field", "table", "values"),
    [
        ("contacts", "company_id", "companies", {"name": "C"}),
        ("deals", "stage_id", "deal_stages", {"name": "S"}),
        ("deals", "company_id", "companies", {"name": "C"}),
        ("deals", "contact_id", "contacts", {"first_name": "P"}),
        ("deals", "owner_id", "users", None),
        ("quotes", "deal_id", "deals", {"title": "D"}),
        ("configurations", "deal_id", "deals", {"title": "D"}),
        ("configurations", "definition_id", "configurator_definitions", {"name": "D", "slug": "d"}),
        ("configurations", "invite_id", "interview_invites", None),
        ("users", "team_id", "teams", {"name": "T"}),
    ],
)
def test_a_reference_to_another_organizations_record_names_the_field(
    kind, field, table, values, body, admin, new_organization
):
    other = new_organization()
    made = {"users": lambda: other.users["member"], "interview_invites": lambda: other.invite()["id"]}
    foreign = made[table]() if table in made else other.insert(table, **values)
    for id in (foreign, NOWHERE):
        refused = admin.post(f"/api/{kind}", {**body, field: id}, status=422)
        assert codes(refused) == [(field, "unknown_reference")]


def test_a_record_is_changed_and_deleted_only_by_who_has_seen_the_newest(kind, body, admin):
    made = admin.post(f"/api/{kind}", body, status=201)
    path, seen = f"/api/{kind}/{made.json['id']}", made.headers["ETag"]
    assert admin.get(path, headers={"If-None-Match": seen}, status=304).headers["ETag"] == seen
    changed = {**fields(kind, body), **OTHER[kind]}
    newest = admin.put(path, changed, headers={"If-Match": seen}, status=200).headers["ETag"]
    assert newest == admin.get(path).headers["ETag"] != seen
    for refused in (
        admin.put(path, fields(kind, body), headers={"If-Match": seen}),
        admin.delete(path, headers={"If-Match": seen}),
    ):
        assert_problem(refused, 412, "precondition_failed")
    admin.delete(path, headers={"If-Match": newest}, status=204)
