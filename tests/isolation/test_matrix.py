"""Nobody reaches another organization's records, and nobody exceeds their role: every route, every kind of caller.

The matrix is generated from the routes that are registered. A route without a row in `CASES` fails.
"""

import json

import pytest

from pipeline.api.endpoint import endpoints
from pipeline.http.scopes import KEY, PERSON, SCOPES
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
        metafunc.parametrize("route", sorted(CASES), ids=" ".join, scope="module")


@pytest.fixture(scope="module")
def stranger(route, new_organization):
    return new_organization()


@pytest.fixture(scope="module")
def victim(route, new_organization):
    """The organization whose records the callers of a route ask for."""
    return new_organization()


@pytest.fixture(scope="module")
def ids(route, victim):
    """The ids of those records; the tests that are refused share them."""
    return CASES[route].arrange(victim)


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


def test_every_route_has_a_row_in_the_matrix(routes):
    assert set(routes) == set(CASES) | set(OPEN), "name these routes in CASES or OPEN of tests/isolation/cases.py"


def test_open_routes_are_those_without_a_token(routes):
    assert {route for route, contract in routes.items() if contract.access == PUBLIC} == set(OPEN)


def test_another_organization_gets_what_an_unknown_id_gets(route, ids, victim, stranger, routes):
    """A member sees no more than an admin, but is refused by an admin route in another way."""
    case, contract, nowhere = CASES[route], routes[route], dict.fromkeys(ids, NOWHERE)
    callers = {"admin": stranger.admin}
    if contract.access == ADMIN:
        callers["member"] = stranger.member
    if case.denied and contract.scopes != (PERSON,):
        callers["key"] = stranger.key(role="admin")
    before = victim.rows()
    for person, api in callers.items():
        answer = call(api, route, case, ids, ids)
        if case.denied:
            assert essence(answer) == essence(call(api, route, case, nowhere, nowhere)), person
            expected = 403 if person == "member" and contract.access == ADMIN else case.denied
            assert answer.status_int == expected, person
        assert victim.name.encode() not in answer.body, person
    assert victim.rows() == before


def test_without_an_active_seat_there_is_nothing(route, ids, victim, anonymous):
    case = CASES[route]
    forged = Api(anonymous.app, Authorization=victim.admin.headers["Authorization"][:-3] + "abc")
    before = victim.rows()
    for api in (victim.inactive, anonymous, forged):
        answer = call(api, route, case, ids, ids)
        assert answer.status_int == 401
        assert victim.name.encode() not in answer.body
    assert victim.rows() == before


def test_an_admin_route_is_closed_to_members(route, ids, victim, routes):
    case, nowhere = CASES[route], dict.fromkeys(ids, NOWHERE)
    if routes[route].access != ADMIN:
        return
    before = victim.rows()
    answer = call(victim.member, route, case, ids, ids)
    assert answer.status_int == 403
    assert essence(answer) == essence(call(victim.member, route, case, nowhere, nowhere))
    assert victim.rows() == before


def test_a_key_that_lacks_one_scope_of_the_route_is_refused_and_told_which(route, ids, victim, routes):
    scopes = routes[route].scopes
    for scope in () if scopes in ((PERSON,), (KEY,)) else scopes:
        key = victim.key(*(other for other in SCOPES if other != scope), role="admin")
        before = victim.rows()
        answer = call(key, route, CASES[route], ids, ids)
        assert (answer.status_int, answer.json["code"], answer.json["required"]) == (403, "insufficient_scope", scope)
        assert {**victim.rows(), "api_keys": before["api_keys"]} == before


def test_the_owner_of_the_records_is_let_through(route, ids, victim, routes):
    """The last of those who ask for these records: it may delete them."""
    answer = call(victim.admin, route, CASES[route], ids, ids)
    if routes[route].scopes == (KEY,):
        assert (answer.status_int, answer.json["code"]) == (403, "key_required")
    else:
        assert answer.status_int < 300


def test_a_key_is_let_through_with_the_scopes_of_the_route_where_no_person_is_needed(
    route, ids, victim, new_organization, routes
):
    case, scopes = CASES[route], routes[route].scopes
    if route[0] == "GET":  # what others have not changed
        organization = victim
    else:
        organization = new_organization()
        ids = case.arrange(organization)
    # A webhook may tell a key only of records that it may read.
    told = [scope for scope in SCOPES if scope.endswith(":read")] if "/webhooks" in route[1] else []
    key = organization.key(*SCOPES if scopes in ((PERSON,), (KEY,)) else {*scopes, *told}, role="admin")
    answer = call(key, route, case, ids, ids)
    if scopes == (PERSON,):
        assert (answer.status_int, answer.json["code"]) == (403, "person_required")
    elif route in PERSONAL:
        assert answer.status_int == 404
    else:
        assert answer.status_int < 300


def test_a_route_that_shows_or_changes_other_records_needs_their_scopes(routes):
    found = {
        f"{method} {path}": set(contract.scopes)
        for (method, path), contract in routes.items()
        if contract.access != PUBLIC and len(contract.scopes) > 1
    }
    assert found == SEVERAL_SCOPES
