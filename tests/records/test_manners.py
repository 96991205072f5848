"""Rules for every kind of supporting record."""

import pytest

from tests.http.target import assert_problem

KINDS = "companies contacts deal-stages deals quotes configurator-definitions configurations teams users"


@pytest.fixture
def body(kind, organization):
    """A body of a record of a kind (the path's word)."""
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
        "users": {"email": f"kim@{organization.name}.example"},
    }[kind]


@pytest.mark.parametrize("kind", KINDS.split())
def test_a_record_is_created_shown_listed_and_deleted(kind, body, admin, organization):
    made = admin.post(f"/api/{kind}", body, status=201)
    path = f"/api/{kind}/{made.json['id']}"
    assert made.headers["Location"] == f"https://pipeline.example{path}"
    assert made.json["organization_id"] == organization.id
    shown = admin.get(path, status=200)
    assert (shown.json, shown.headers["ETag"]) == (made.json, made.headers["ETag"])
    assert made.json in admin.get(f"/api/{kind}", status=200).json["data"]
    admin.delete(path, headers={"If-Match": made.headers["ETag"]}, status=204)
    assert_problem(admin.get(path), 404, "not_found")
