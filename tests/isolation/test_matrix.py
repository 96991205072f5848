"""Nobody reaches another organization's records, and nobody exceeds their role: every route, every kind of caller.

The matrix is generated from the routes that are registered. A route without a row in `CASES` fails.
"""

import json

import pytest

from pipeline.http.endpoints import endpoints
from pipeline.http.scopes import PERSON, SCOPES
from pipeline.http.security import ADMIN, PUBLIC
from tests.isolation.cases import CASES, OPEN
from tests.leads.csv_files import FORM
from tests.support import Api

NOWHERE = 9_000_000_000
# What belongs to a person is not there for a program.
PERSONAL = {("GET", "/api/notifications/{id}"), ("PUT", "/api/notifications/{id}/read")}


# The routes that show or change records of more than one area, and all scopes that each needs.
SEVERAL_SCOPES = {
    "GET /api/leads/{id}/personal-data": {"leads:read", "interviews:read", "contracts:read", "records:read"},
    "POST /api/leads/{id}/erase": {"leads:write", "interviews:write", "contracts:write", "records:write"},
    "POST /api/leads/{id}/qualify": {"leads:write", "records:write"},
    "GET /api/leads/match-company": {"leads:read", "records:read"},
    "GET /api/leads/match-contact": {"leads:read", "records:read"},
    "POST /api/interview-invites": {"interviews:write", "leads:read"},
    "POST /api/interview-invites/{id}/seed-configuration": {"interviews:write", "records:write"},
    "POST /api/contract-templates/preview": {"contracts:write", "records:read"},
    "POST /api/contracts": {"contracts:write", "records:read"},
    "PUT /api/contracts/{id}": {"contracts:write", "records:read"},
    "PATCH /api/contracts/{id}": {"contracts:write", "records:read"},
    "PUT /api/contracts/{id}/regenerate": {"contracts:write", "records:read"},
}


@pytest.fixture(scope="module")
def routes(wsgi):
    """{(method, path): contract} of everything registered."""
    return {(contract.method, contract.path): contract for contract in endpoints(wsgi.registry)}


def pytest_generate_tests(metafunc):
    if "route" in metafunc.fixturenames:
        metafunc.parametrize("route", sorted(CASES), ids=" ".join)


@pytest.fixture
def victim(new_organization):
    return new_organization()


@pytest.fixture
def stranger(new_organization):
    return new_organization()


def call(api, route, case, ids, path_ids):
    method, path = route
    body = case.body(ids) if case.body else None
    if isinstance(body, bytes):
        headers = {**api.headers, "Content-Type": FORM}
        return api.app.request(path.format(**path_ids), method=method, body=body, headers=headers, status="*")
    return api.request(method, path.format(**path_ids), body)


def essence(response):
    """An answer without what differs for every request and id."""
    body = json.loads(response.body) if response.content_type.endswith("json") else response.text
    if isinstance(body, dict):
        body.pop("request_id", None)
    return response.status_int, response.content_type, body


def rows(owner, organization):
    """Everything the organization owns, as text."""
    names = owner.execute(
        """select c.table_name from information_schema.columns c join information_schema.tables t
           using (table_schema, table_name)
           where c.table_schema = 'app' and c.column_name = 'organization_id' and t.table_type = 'BASE TABLE'
           order by 1"""
    ).fetchall()
    return {
        name: owner.execute(
            f"select to_jsonb(t)::text from app.{name} t where organization_id = %s order by 1", (organization.id,)
        ).fetchall()
        for (name,) in names
    }


def test_every_route_has_a_row_in_the_matrix(routes):
    assert set(routes) == set(CASES) | set(OPEN)


def test_open_routes_are_those_without_a_token(routes):
    assert {route for route, contract in routes.items() if contract.access == PUBLIC} == set(OPEN)


def test_the_owner_of_the_records_is_let_through(route, victim):
    case = CASES[route]
    ids = case.arrange(victim)
    assert call(victim.admin, route, case, ids, ids).status_int < 300


@pytest.mark.parametrize("person", ["admin", "member"])
def test_another_organization_gets_what_an_unknown_id_gets(route, person, victim, stranger, owner, routes):
    case = CASES[route]
    ids = case.arrange(victim)
    before = rows(owner, victim)
    answer = call(getattr(stranger, person), route, case, ids, ids)
    if case.denied:
        nowhere = dict.fromkeys(ids, NOWHERE)
        assert essence(answer) == essence(call(getattr(stranger, person), route, case, nowhere, nowhere))
        expected = 403 if person == "member" and routes[route].access == ADMIN else case.denied
        assert answer.status_int == expected
    assert victim.name.encode() not in answer.body
    assert rows(owner, victim) == before


def test_an_admin_route_is_closed_to_members(route, victim, owner, routes):
    case = CASES[route]
    if routes[route].access != ADMIN:
        return
    ids = case.arrange(victim)
    before = rows(owner, victim)
    answer = call(victim.member, route, case, ids, ids)
    nowhere = dict.fromkeys(ids, NOWHERE)
    assert answer.status_int == 403
    assert essence(answer) == essence(call(victim.member, route, case, nowhere, nowhere))
    assert rows(owner, victim) == before


@pytest.mark.parametrize("caller", ["inactive", "anonymous", "forged"])
def test_without_an_active_seat_there_is_nothing(route, caller, victim, anonymous, owner):
    case = CASES[route]
    api = {
        "inactive": victim.inactive,
        "anonymous": anonymous,
        "forged": Api(anonymous.app, Authorization=victim.admin.headers["Authorization"][:-3] + "abc"),
    }[caller]
    ids = case.arrange(victim)
    before = rows(owner, victim)
    answer = call(api, route, case, ids, ids)
    nowhere = dict.fromkeys(ids, NOWHERE)
    assert answer.status_int == 401
    assert essence(answer) == essence(call(api, route, case, nowhere, nowhere))
    assert rows(owner, victim) == before


def test_every_route_but_the_open_ones_names_its_scopes(routes):
    needed = {
        scope for contract in routes.values() if contract.access != PUBLIC for scope in contract.permission.scopes
    }
    assert needed <= {PERSON, *SCOPES}


def test_a_route_that_shows_or_changes_other_records_needs_their_scopes(routes):
    found = {
        f"{method} {path}": set(contract.permission.scopes)
        for (method, path), contract in routes.items()
        if contract.access != PUBLIC and len(contract.permission.scopes) > 1
    }
    assert found == SEVERAL_SCOPES


def test_a_key_is_let_through_with_the_scopes_of_the_route_where_no_person_is_needed(route, victim, routes):
    case, scopes = CASES[route], routes[route].permission.scopes
    # A webhook may tell a key only of records that it may read.
    told = [scope for scope in SCOPES if scope.endswith(":read")] if "/webhooks" in route[1] else []
    key = victim.key(*SCOPES if scopes == (PERSON,) else {*scopes, *told}, role="admin")
    ids = case.arrange(victim)
    answer = call(key, route, case, ids, ids)
    if scopes == (PERSON,):
        assert (answer.status_int, answer.json["code"]) == (403, "person_required")
    elif route in PERSONAL:
        assert answer.status_int == 404
    else:
        assert answer.status_int < 300


def test_a_key_that_lacks_one_scope_of_the_route_is_refused_and_told_which(route, victim, owner, routes):
    case, scopes = CASES[route], routes[route].permission.scopes
    if scopes == (PERSON,):
        return
    ids = case.arrange(victim)
    for scope in scopes:
        key = victim.key(*(other for other in SCOPES if other != scope), role="admin")
        before = rows(owner, victim)
        answer = call(key, route, case, ids, ids)
        assert (answer.status_int, answer.json["code"], answer.json["required"]) == (403, "insufficient_scope", scope)
        before.pop("api_keys")
        assert {name: found for name, found in rows(owner, victim).items() if name != "api_keys"} == before


def test_a_key_of_another_organization_gets_what_an_unknown_id_gets(route, victim, stranger, owner, routes):
    case = CASES[route]
    if routes[route].permission.scopes == (PERSON,) or not case.denied:
        return
    ids, key = case.arrange(victim), stranger.key(role="admin")
    before, nowhere = rows(owner, victim), dict.fromkeys(ids, NOWHERE)
    answer = call(key, route, case, ids, ids)
    assert essence(answer) == essence(call(key, route, case, nowhere, nowhere))
    assert answer.status_int == case.denied
    assert rows(owner, victim) == before
