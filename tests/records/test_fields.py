"""Definitions of own fields, and their values in records."""

import json
from urllib.parse import urlencode

import pytest

from tests.http.target import assert_problem
from tests.leads.csv_files import send
from tests.records.support import KINDS, make
from tests.support import codes

FIELDS = "/api/fields"
SEATS = {"kind": "lead", "key": "seats", "label": "Seats in use", "type": "number"}


@pytest.fixture
def new_field(admin):
    """new_field(**changes): an own field made through the API; returns its record."""
    return lambda **changes: admin.post(FIELDS, {**SEATS, **changes}, status=201).json


def test_fields_are_listed_by_kind_and_position(member, new_field):
    made = [new_field(kind=kind, key=key)["id"] for kind, key in (("lead", "b"), ("lead", "a"), ("deal", "b"))]
    listed = member.get(f"{FIELDS}?kind=lead").json["data"]
    assert [(field["id"], field["position"]) for field in listed] == [(made[0], 0), (made[1], 1)]


def test_admins_alone_define_fields_whose_kind_key_and_type_are_fixed(admin, member, new_field):
    made = new_field()
    path, other = f"{FIELDS}/{made['id']}", {"kind": "deal", "key": "users", "type": "text"}
    assert_problem(member.post(FIELDS, SEATS), 403, "forbidden")
    assert_problem(member.put(path, {"label": "Users"}), 403, "forbidden")
    changed = admin.put(path, {"label": "Users", **other}, status=200).json
    assert [changed[name] for name in ("label", "kind", "key", "type")] == ["Users", "lead", "seats", "number"]
    assert admin.patch(path, other, status=200).json["type"] == "number"


def test_a_persons_file_has_their_own_fields(admin, member, new_field):
    new_field()
    lead = make(member, "leads", first_name="Pat", fields={"seats": 7})
    (told,) = admin.get(f"/api/leads/{lead['id']}/personal-data", status=200).json["leads"]
    assert told["fields"] == {"seats": 7}


def test_a_kind_has_a_bounded_number_of_fields(admin, new_field, monkeypatch):
    monkeypatch.setattr("pipeline.records.fields.MOST", 1)
    new_field(key="users")
    assert_problem(admin.post(FIELDS, SEATS), 409, "too_many_fields")
    new_field(kind="deal")


def test_the_schema_of_a_kind_tells_programs_what_its_fields_may_hold(member, new_field):
    new_field(required=True)
    new_field(key="topics", type="choices", options=["Price"], label="Topics", default=["Price"])
    schema = member.get(f"{FIELDS}/schema?kind=lead").json
    assert (schema["required"], schema["properties"]["seats"]["type"]) == (["seats"], "number")
    assert schema["properties"]["topics"]["anyOf"][0]["items"] == {"type": "string", "enum": ["Price"]}


@pytest.fixture
def seats(new_field, kind):
    """Own fields of the kind: seats, a region, topics and a limit."""
    new_field(kind=kind)
    new_field(kind=kind, key="region", label="Region", type="choice", options=["EMEA", "APAC"])
    new_field(kind=kind, key="topics", label="Topics", type="choices", options=["Price", "Term"])
    new_field(kind=kind, key="limit", label="Limit", type="money")


@pytest.fixture(params=KINDS)
def path(request):
    return f"/api/{request.param}"


@pytest.fixture
def kind(path):
    return {"leads": "lead", "companies": "company", "contacts": "contact", "deals": "deal"}[path[5:]]


GIVEN = {"seats": 25, "region": "EMEA", "topics": ["Term"], "limit": 12.5}


def test_put_replaces_and_patch_merges_the_values_of_a_record(member, path, body, seats):
    made = member.post(path, {**body, "fields": GIVEN}, status=201).json
    assert made["fields"] == GIVEN
    one = f"{path}/{made['id']}"
    changed = member.patch(one, {"fields": {"seats": 30, "topics": None}}, status=200).json["fields"]
    assert changed == {"seats": 30, "region": "EMEA", "limit": 12.5}
    assert member.get(path).json["data"][0]["fields"] == changed
    assert member.put(one, {**body, "fields": {"seats": 1}}, status=200).json["fields"] == {"seats": 1}
    assert member.put(one, body, status=200).json["fields"] == {}


def test_each_wrong_value_is_named(member, path, body, seats):
    wrong = {"seats": "many", "region": "Moon", "topics": ["Price", "Price"], "limit": 1.005, "seat": 1}
    refused = member.post(path, {**body, "fields": wrong}, status=422)
    assert sorted(name for name, _ in codes(refused)) == sorted(
        ["fields.seats", "fields.region", "fields.topics.1", "fields.limit", "fields.seat"]
    )


def test_wrong_values_are_named_beside_all_other_violations(member, path, body, seats):
    wrong = {**body, "external_id": 5, "fields": {"seats": "many", "seat": 1}}
    refused = codes(member.post(path, wrong, status=422))
    assert refused == [("external_id", "wrong_type"), ("fields.seats", "wrong_type"), ("fields.seat", "unknown_key")]
    made = member.post(path, body, status=201).json
    changed = codes(member.patch(f"{path}/{made['id']}", {"external_id": 5, "fields": {"seats": "x"}}, status=422))
    assert changed == [("external_id", "wrong_type"), ("fields.seats", "wrong_type")]


def test_all_that_is_wrong_with_a_new_field_is_named(admin):
    refused = codes(admin.post(FIELDS, {"kind": "lead", "key": "Seats", "label": "", "type": "choice"}, status=422))
    assert sorted(refused) == [("key", "invalid_format"), ("label", "required"), ("options", "required")]


def test_a_batch_checks_and_keeps_values(member, path, body, seats):
    batch = {"create": [{**body, "fields": {"seats": 1}}, {**body, "fields": {"seats": "x"}}]}
    assert codes(member.post(f"{path}/batch", batch, status=422)) == [("create.1.fields.seats", "wrong_type")]
    upsert = [{**body, "external_id": "erp-7", "fields": {"seats": 2}}]
    assert member.post(f"{path}/batch", {"upsert": upsert}).json["upserted"][0]["fields"] == {"seats": 2}
    change = {"upsert": [{"external_id": "erp-7", "fields": {"region": "APAC"}}]}
    assert member.post(f"{path}/batch", change).json["upserted"][0]["fields"] == {"seats": 2, "region": "APAC"}


def test_a_required_field_is_needed_in_new_records_and_cannot_be_cleared(member, new_field):
    before = make(member, "companies", name="Engine")
    new_field(kind="company", required=True)
    needed = [("fields.seats", "required")]
    assert codes(member.post("/api/companies", {"name": "E"}, status=422)) == needed
    made = make(member, "companies", name="E", fields={"seats": 3})
    assert codes(member.patch(f"/api/companies/{made['id']}", {"fields": {"seats": None}}, status=422)) == needed
    member.patch(f"/api/companies/{before['id']}", {"city": "Graz"}, status=200)


def test_values_of_a_deleted_field_stay_and_can_be_sent_back(admin, member, new_field):
    field = new_field(default=5)
    lead = make(member, "leads", first_name="Pat")
    assert lead["fields"] == {"seats": 5}
    admin.delete(f"{FIELDS}/{field['id']}", status=204)
    assert member.put(f"/api/leads/{lead['id']}", {**lead, "notes": "Called"}, status=200).json["fields"] == {
        "seats": 5
    }
    changed = member.patch(f"/api/leads/{lead['id']}", {"fields": {"seats": 6}}, status=422)
    assert codes(changed) == [("fields.seats", "unknown_key")]


def test_the_audit_tells_each_changed_key(admin, member, new_field):
    new_field()
    lead = make(member, "leads", first_name="Pat")
    member.patch(f"/api/leads/{lead['id']}", {"fields": {"seats": 6}}, status=200)
    told = admin.get(f"/api/audit?type=leads&action=updated&id={lead['id']}").json["data"][0]
    assert told["changed"] == {"fields.seats": {"old": None, "new": 6}}


@pytest.fixture
def three(member, path, body, seats):
    """The ids of three records with few, many and no seats."""
    values = ({"seats": 5, "region": "EMEA", "topics": ["Price", "Term"]}, {"seats": 50, "region": "APAC"}, {})
    return [member.post(path, {**body, "fields": fields}, status=201).json["id"] for fields in values]


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ({"fields": {"region": "EMEA"}}, [0]),
        ({"fields": {"topics": "Term", "seats": 5}}, [0]),
        ({"fields": {"region": "APAC", "seats": 5}}, []),
        ({"field_min": {"seats": 5}}, [0, 1]),
        ({"field_min": {"seats": 6}, "field_max": {"seats": 50}}, [1]),
        ({"sort_by": "fields.seats", "sort_dir": "DESC"}, [1, 0, 2]),
        ({"sort_by": "fields.region"}, [1, 0, 2]),
        ({"search": "emea term"}, [0]),
    ],
)
def test_lists_are_filtered_sorted_and_searched_by_own_fields(member, path, three, asked, found):
    query = urlencode({name: json.dumps(value) if isinstance(value, dict) else value for name, value in asked.items()})
    listed = member.get(f"{path}?{query}", status=200).json
    assert ([record["id"] for record in listed["data"]], listed["total"]) == ([three[n] for n in found], len(found))


def test_fields_and_values_of_another_organization_are_never_seen(new_organization, member, new_field):
    other = new_organization()
    other.admin.post(FIELDS, {**SEATS, "type": "text"}, status=201)
    other.member.post("/api/leads", {"first_name": "Pat", "fields": {"seats": "5"}}, status=201)
    asked = f"/api/leads?{urlencode({'fields': json.dumps({'seats': 5})})}"
    assert (member.get(FIELDS).json["total"], codes(member.get(asked))) == (0, [("fields.seats", "unknown_key")])
    assert member.get(f"{FIELDS}/schema?kind=lead").json["properties"] == {}
    new_field()
    make(member, "leads", first_name="Kim", fields={"seats": 5})
    assert [lead["first_name"] for lead in member.get(asked, status=200).json["data"]] == ["Kim"]


def test_a_program_needs_the_scopes_of_records_for_fields_and_of_leads_for_values(organization, new_field):
    new_field()
    lead = {"first_name": "Pat", "fields": {"seats": 5}}
    leads, records = (organization.key(f"{kind}:read", f"{kind}:write", role="admin") for kind in ("leads", "records"))
    assert leads.post("/api/leads", lead, status=201).json["fields"] == {"seats": 5}
    assert_problem(leads.post(FIELDS, SEATS), 403, "insufficient_scope")
    assert_problem(send(leads, "first_name,Hall\nAda,7\n", "?create_fields=true"), 403, "insufficient_scope")
    assert_problem(leads.get(f"{FIELDS}/schema"), 403, "insufficient_scope")
    assert_problem(records.post("/api/leads", lead), 403, "insufficient_scope")


def test_an_address_is_shown_in_unicode_and_found_both_ways(member, path, body, kind, new_field):
    new_field(kind=kind, key="bills", label="Bills", type="email")
    forms = ["ute@müller.example", "ute@xn--mller-kva.example"]
    for address in forms:
        made = member.post(path, {**body, "fields": {"bills": address}}, status=201).json
        assert made["fields"] == {"bills": forms[0]}
    asked = [{"fields": json.dumps({"bills": address})} for address in forms]
    asked += [{"search": typed} for typed in (*forms, "müller.example", "XN--mller-kva.example", "mueller")]
    assert [member.get(f"{path}?{urlencode(one)}", status=200).json["total"] for one in asked] == [2] * 7


@pytest.mark.parametrize(
    ("query", "wrong"),
    [
        ('fields={"seat":1}', ("fields.seat", "unknown_key")),
        *((f'fields={{"seats":{empty}}}', ("fields", "wrong_type")) for empty in ("[]", '""', "null")),
        ('field_min={"region":"A"}', ("field_min.region", "wrong_type")),
        ('field_max={"seats":"A"}', ("field_max.seats", "wrong_type")),
        ("sort_by=fields.seat", ("sort_by", "unknown_key")),
        ("sort_by=own_text", ("sort_by", "invalid_choice")),
    ],
)
@pytest.mark.parametrize("kind", ["lead"])
def test_filters_and_orders_by_own_fields_are_checked(member, seats, query, wrong):
    assert codes(member.get(f"/api/leads?{query}", status=422)) == [wrong]
