import jwt
import pytest
from webtest import TestApp

from tests.accounts.conftest import refresh
from tests.conftest import PASSWORD
from tests.support import Api


def number(tokens):
    """The id of the session that tokens belong to."""
    return jwt.decode(tokens["access_token"], options={"verify_signature": False})["sid"]


def alive(client):
    return client.get("/api/auth/me").status_int == 200


@pytest.fixture
def logins(enter):
    """The tokens of two logins of the member."""
    return [enter(client="Firefox"), enter(client="Safari")]


@pytest.fixture
def two(logins, signed_in):
    """(their numbers, their clients)."""
    return [number(tokens) for tokens in logins], [signed_in(tokens) for tokens in logins]


def test_a_person_sees_which_of_their_sessions_asks_and_first_the_one_that_was_refreshed_last(logins, two, anonymous):
    numbers, (first, _) = two
    sessions = [(numbers[0], "Firefox", True), (numbers[1], "Safari", False)]
    for newest_first in (sessions[::-1], sessions):
        listed = first.get("/api/auth/sessions?per_page=2", status=200).json
        assert listed["total"] == 3
        assert [(one["id"], one["client"], one["current"]) for one in listed["data"]] == newest_first
        refresh(anonymous, logins[0], status=200)


def test_a_session_shows_the_address_that_it_was_started_from_and_a_long_user_agent_cut(wsgi, organization, address):
    visitor = Api(TestApp(wsgi, extra_environ={"REMOTE_ADDR": "2001:db8::7"}), **{"User-Agent": "x" * 500})
    visitor.post("/api/auth/login", {"email": address, "password": PASSWORD}, status=200)
    newest = organization.member.get("/api/auth/sessions").json["data"][0]
    assert (newest["address"], newest["client"]) == ("2001:db8::7", "x" * 200)


def test_one_session_is_ended_or_all_others_are(two, organization):
    numbers, (first, second) = two
    first.delete(f"/api/auth/sessions/{numbers[1]}", status=204)
    assert (alive(first), alive(second), alive(organization.member)) == (True, False, True)
    first.delete(f"/api/auth/sessions/{numbers[1]}", status=404)
    for _ in range(2):
        first.delete("/api/auth/sessions", status=204)
        assert (alive(first), alive(organization.member), alive(organization.colleague)) == (True, False, True)
    first.delete(f"/api/auth/sessions/{numbers[0]}", status=204)
    assert not alive(first)


def test_nobody_sees_or_ends_the_session_of_a_colleague(two, organization):
    numbers, (first, _) = two
    for person in (organization.admin, organization.colleague):
        person.delete(f"/api/auth/sessions/{numbers[0]}", status=404)
        assert numbers[0] not in [one["id"] for one in person.get("/api/auth/sessions").json["data"]]
    assert alive(first)
