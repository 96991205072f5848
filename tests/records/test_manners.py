"""What holds for every kind of supporting record."""

import pytest

from pipeline.http.endpoints.contract import endpoints
from tests.http.target import assert_problem
from tests.support import codes

NOWHERE = 9_000_000_000


def kinds(organization):
    """{path's word: a body} of every kind that has a list."""
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
    }


KINDS = [
    "companies",
    "contacts",
    "deal-stages",
    "deals",
    "quotes",
    "configurator-definitions",
    "configurations",
    "teams",
    "users",
]
# A change of a record of each kind.
OTHER = {
    **dict.fromkeys(("companies", "deal-stages", "configurator-definitions", "teams"), {"name": "Another"}),
    "contacts": {"first_name": "Ada"},
    "deals": {"title": "Another"},
    "quotes": {"notes": "Another"},
    "configurations": {"quantity": 7},
    "users": {"role": "admin"},
}
ADMINS = ("configurator-definitions", "teams", "users")


@pytest.fixture(params=KINDS)
def kind(request):
    return request.param


@pytest.fixture
def body(kind, organization):
    return kinds(organization)[kind]


def fields(kind, body):
    """The body of an update."""
    return {name: value for name, value in body.items() if not (kind == "users" and name == "email")}


def test_a_record_is_created_shown_replaced_and_deleted(kind, body, admin, organization):
    made = admin.post(f"/api/{kind}", body, status=201)
    path = f"/api/{kind}/{made.json['id']}"
    assert made.headers["Location"] == f"https://pipeline.example{path}"
    assert made.json["organization_id"] == organization.id
    assert {"created_at", "updated_at"} < set(made.json)
    assert admin.get(path, status=200).json == made.json
    assert admin.put(path, fields(kind, body), status=200).json["id"] == made.json["id"]
    admin.delete(path, status=204)
    assert_problem(admin.get(path), 404, "not_found")


def test_what_is_not_there_is_not_found(kind, body, admin):
    path = f"/api/{kind}/{NOWHERE}"
    admin.get(path, status=404)
    admin.put(path, fields(kind, body), status=404)
    admin.delete(path, status=404)


def test_unknown_and_missing_fields_are_named(kind, body, admin):
    refused = admin.post(f"/api/{kind}", {"colour": "red"}, status=422)
    assert ("colour", "unknown_field") in codes(refused)
    assert {code for _, code in codes(refused)} == {"unknown_field", "required"}


def test_a_list_has_pages_links_and_both_directions(kind, body, admin):
    made = admin.post(f"/api/{kind}", body, status=201).json
    first = admin.get(f"/api/{kind}?per_page=1&sort_by=created_at&sort_dir=DESC", status=200)
    assert first.json["data"] == [made]
    assert (first.json["current_page"], first.json["per_page"]) == (1, 1)
    assert first.json["last_page"] == first.json["total"] >= 1
    assert 'rel="last"' in first.headers["Link"]
    assert admin.get(f"/api/{kind}?page=1000", status=200).json["data"] == []


def test_a_wrong_query_is_refused(kind, admin):
    refused = admin.get(f"/api/{kind}?colour=red&page=0&sort_by=id&sort_dir=up", status=422)
    assert {name for name, _ in codes(refused)} == {"colour", "page", "sort_by", "sort_dir"}


def test_every_order_is_that_of_its_field_and_its_reverse(kind, body, admin, wsgi):
    admin.post(f"/api/{kind}", body, status=201)
    total = admin.get(f"/api/{kind}", status=200).json["total"]
    (contract,) = [
        contract for contract in endpoints(wsgi.registry) if (contract.method, contract.path) == ("GET", f"/api/{kind}")
    ]
    sorts = next(node.typ.values for node in contract.query.children if node.name == "sort_by")
    for sort in sorts:
        for direction in ("ASC", "DESC"):
            listed = admin.get(f"/api/{kind}?sort_by={sort}&sort_dir={direction}&per_page=100", status=200).json["data"]
            assert len(listed) == total
            values = [record[sort] for record in listed if isinstance(record[sort], str)]
            assert [v.lower() for v in values] == sorted((v.lower() for v in values), reverse=direction == "DESC")


def test_members_write_what_is_daily_work_and_admins_the_rest(kind, body, member):
    assert member.post(f"/api/{kind}", body).status_int == (403 if kind in ADMINS else 201)
    member.get(f"/api/{kind}", status=200)


@pytest.mark.parametrize(
    ("kind", "field"),
    [
        ("contacts", "company_id"),
        ("deals", "stage_id"),
        ("deals", "company_id"),
        ("deals", "contact_id"),
        ("deals", "owner_id"),
        ("quotes", "deal_id"),
        ("configurations", "deal_id"),
        ("configurations", "definition_id"),
        ("configurations", "invite_id"),
        ("users", "team_id"),
    ],
)
def test_a_reference_to_another_organizations_record_names_the_field(field, kind, body, admin, new_organization):
    other = new_organization()
    tables = {
        "company_id": ("companies", {"name": "C"}),
        "stage_id": ("deal_stages", {"name": "S"}),
        "contact_id": ("contacts", {"first_name": "P"}),
        "deal_id": ("deals", {"title": "D"}),
        "definition_id": ("configurator_definitions", {"name": "D", "slug": "d"}),
        "team_id": ("teams", {"name": "T"}),
    }
    foreign = (
        other.users["member"]
        if field == "owner_id"
        else other.invite()["id"]
        if field == "invite_id"
        else other.insert(tables[field][0], **tables[field][1])
    )
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


def test_a_repeated_creation_under_one_key_makes_one_record(kind, body, admin):
    key = {"Idempotency-Key": "once"}
    first, again = (admin.post(f"/api/{kind}", body, headers=key, status=201) for _ in range(2))
    assert (again.body, again.headers["Idempotency-Replayed"]) == (first.body, "true")
    assert admin.get(f"/api/{kind}/{first.json['id']}", status=200).json == first.json
