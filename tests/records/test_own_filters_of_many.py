"""Filters by own fields of more records than a list is asked for by ids, and where bounds find their values."""

import json
from urllib.parse import urlencode

import pytest

from tests.records.support import make
from tests.support import held_up

MANY = 10_002
LEADS = """
insert into app.leads (organization_id, first_name, status, fields)
select %s, 'Pat', case when i > 10000 then 'contacted' else 'new' end,
    jsonb_build_object('region', 'EMEA', 'seats', i, 'since', to_char(date '2026-01-01' + i, 'YYYY-MM-DD'))
from generate_series(1, %s) as i"""
REGION, SEATS, SINCE = (
    {"kind": "lead", "key": "region", "label": "Region", "type": "text"},
    {"kind": "lead", "key": "seats", "label": "Seats", "type": "number"},
    {"kind": "lead", "key": "since", "label": "Since", "type": "date"},
)
EMEA = {"fields": {"region": "EMEA"}}
EVERY = {"field_min": {"seats": 1, "since": "2026-01-02"}}
NUMBERS = "select field_numbers from app.leads where id = %s"


@pytest.fixture
def define(admin):
    return lambda *fields: [admin.post("/api/fields", field, status=201).json["id"] for field in fields]


@pytest.fixture
def many(organization, define, owner):
    """The ids of leads with 1 to MANY seats; two of them are contacted."""
    define(REGION, SEATS, SINCE)
    owner.execute(LEADS, [organization.id, MANY])
    ids = owner.execute("select id from app.leads where organization_id = %s order by id", [organization.id])
    return [id for (id,) in ids]


def listed(caller, **asked):
    """The response of a list of leads with these parameters."""
    query = {name: json.dumps(value) if isinstance(value, dict) else value for name, value in asked.items()}
    return caller.get(f"/api/leads?{urlencode(query)}", status=200).json


def found(caller, **asked):
    page = listed(caller, **asked)
    return [lead["fields"]["seats"] for lead in page["data"]], page["total"]


@pytest.mark.parametrize("asked", [EMEA, EVERY, {**EMEA, **EVERY}], ids=str)
def test_a_value_of_many_records_is_counted_and_listed_in_any_order(member, many, asked):
    assert found(member, **asked, sort_by="created_at", per_page=2) == ([1, 2], MANY)
    assert found(member, **asked, sort_by="fields.seats", sort_dir="DESC", per_page=2) == ([MANY, MANY - 1], MANY)
    assert found(member, **asked, sort_by="created_at", per_page=100, page=101) == ([MANY - 1, MANY], MANY)


@pytest.mark.parametrize("least", [-7, -0.5, 1e-7, 0.25, 1])
def test_bounds_of_many_records_are_any_numbers(member, many, least):
    bounds = {"field_min": {"seats": least}, "field_max": {"seats": 20_000.5}}
    assert found(member, **bounds, sort_by="created_at", per_page=2) == ([1, 2], MANY)


def test_a_value_of_many_records_is_combined_with_other_filters(member, many):
    assert found(member, **EMEA, status="contacted", sort_by="created_at") == ([10_001, 10_002], 2)
    assert found(member, **EVERY, status="contacted", sort_by="created_at") == ([10_001, 10_002], 2)
    assert found(member, **EMEA, field_min={"seats": MANY}) == ([MANY], 1)
    assert found(member, **EMEA, ids=f"{many[4]},{many[6]}", sort_by="created_at") == ([5, 7], 2)
    assert found(member, field_max={"seats": 6}, ids=f"{many[4]},{many[6]}") == ([5], 1)


def test_a_value_of_many_records_is_walked_and_exported(admin, member, many):
    walked = listed(member, **EMEA, after_id=many[2], per_page=2)
    assert [lead["id"] for lead in walked["data"]] == many[3:5]
    exported = admin.get(f"/api/leads/export?{urlencode({'fields': json.dumps(EMEA['fields'])})}", status=200).text
    assert len(exported.splitlines()) == MANY + 1


def test_bounds_find_values_only_of_the_fields_type(admin, member, define):
    (seats,) = define(SEATS)
    make(member, "leads", first_name="Pat", fields={"seats": 20260101})
    admin.delete(f"/api/fields/{seats}", status=204)
    define({**SEATS, "type": "date"})
    make(member, "leads", first_name="Kim", fields={"seats": "2026-01-01"})
    assert found(member, field_min={"seats": "2020-01-01"}) == (["2026-01-01"], 1)


def test_a_field_that_is_made_again_finds_the_values_that_stayed(admin, member, define):
    define(SINCE)
    (seats,) = define(SEATS)
    make(member, "leads", first_name="Pat", fields={"seats": 7})
    admin.delete(f"/api/fields/{seats}", status=204)
    define({**SINCE, "key": "until"}, SEATS)
    assert found(member, field_min={"seats": 7}, field_max={"seats": 7}) == ([7], 1)


@pytest.mark.parametrize("value", ["soon", "2026-1-1", "abcd-ef-gh", "٢٠٢٦-٠١-٠١", "2026-01-01 ", "----------"])
def test_a_text_in_the_place_of_a_former_date_is_kept(admin, member, define, value):
    (since,) = define(SINCE)
    admin.delete(f"/api/fields/{since}", status=204)
    define({**SINCE, "type": "text"})
    lead = make(member, "leads", first_name="Pat", fields={"since": value})
    assert member.get(f"/api/leads/{lead['id']}").json["fields"] == {"since": value.strip()}


def test_a_cleared_number_is_found_by_no_bound(member, owner, define):
    define(SEATS)
    lead = make(member, "leads", first_name="Pat", fields={"seats": 7})
    assert owner.execute(NUMBERS, [lead["id"]]).fetchone() == ([7],)
    member.patch(f"/api/leads/{lead['id']}", {"fields": {"seats": None}}, status=200)
    assert (owner.execute(NUMBERS, [lead["id"]]).fetchone(), found(member, field_min={"seats": 1})) == (
        (None,),
        ([], 0),
    )


def test_a_field_beyond_the_places_of_its_kind_has_bounds_too(organization, member, owner, define):
    owner.execute(
        "insert into app.field_places (organization_id, kind, key, is_date, place)"
        " select %s, 'leads', 'former_' || i, false, i from generate_series(1, 300) as i",
        [organization.id],
    )
    define(SEATS, SINCE)
    lead = make(member, "leads", first_name="Pat", fields={"seats": 7, "since": "2026-01-01"})
    assert owner.execute(NUMBERS, [lead["id"]]).fetchone() == (None,)
    assert found(member, field_min={"seats": 7}, field_max={"since": "2026-01-01"}) == ([7], 1)
    assert found(member, field_min={"seats": 8}) == ([], 0)


def test_a_record_holds_values_of_all_places(organization, member, owner, define):
    owner.execute(
        "insert into app.field_places (organization_id, kind, key, is_date, place)"
        " select %s, 'leads', 'former_' || i, false, i from generate_series(1, 299) as i",
        [organization.id],
    )
    define(SEATS)
    values = {f"former_{number}": number / 7 for number in range(1, 300)}
    insert = "insert into app.leads (organization_id, first_name, fields) values (%s, 'Pat', %s)"
    owner.execute(insert, [organization.id, json.dumps({**values, "seats": 7})])
    assert found(member, field_min={"seats": 7}) == ([7], 1)


def test_fields_that_are_defined_at_once_have_places_of_their_own(organization, owner, define):
    insert = (
        "insert into app.fields (organization_id, kind, key, label, type) values (%s, 'lead', 'users', 'U', 'number')"
    )
    held_up(owner, insert, [organization.id], lambda: define(SEATS))
    places = "select key, place from app.field_places where organization_id = %s order by place"
    assert owner.execute(places, [organization.id]).fetchall() == [("users", 1), ("seats", 2)]
