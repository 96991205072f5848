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
def two(enter, signed_in):
    """Two logins of the member: (their numbers, their clients)."""
    answers = [enter(client="Firefox"), enter(client="Safari")]
    return [number(tokens) for tokens in answers], [signed_in(tokens) for tokens in answers]


def test_a_person_sees_their_sessions_and_which_one_asks(two):
    numbers, (first, _) = two
    listed = first.get("/api/auth/sessions?per_page=2", status=200).json
    assert listed["total"] == 3
    assert [(one["id"], one["client"], one["current"]) for one in listed["data"]] == [
        (numbers[1], "Safari", False),
        (numbers[0], "Firefox", True),
    ]
    assert set(listed["data"][0]) == {"id", "created_at", "last_used_at", "client", "address", "current"}


def test_a_session_shows_the_address_that_it_was_started_from_and_a_long_user_agent_cut(wsgi, organization, address):
    visitor = Api(TestApp(wsgi, extra_environ={"REMOTE_ADDR": "2001:db8::7"}), **{"User-Agent": "x" * 500})
    visitor.post("/api/auth/login", {"email": address, "password": PASSWORD}, status=200)
    newest = organization.member.get("/api/auth/sessions").json["data"][0]
    assert (newest["address"], newest["client"]) == ("2001:db8::7", "x" * 200)


def test_the_session_that_was_refreshed_last_comes_first(enter, signed_in, anonymous):
    first, second = enter(), enter()
    refresh(anonymous, first, status=200)
    listed = signed_in(second).get("/api/auth/sessions", status=200).json["data"]
    assert [one["id"] for one in listed[:2]] == [number(first), number(second)]


def test_a_session_is_ended_from_another_one(two):
    numbers, (first, second) = two
    first.delete(f"/api/auth/sessions/{numbers[1]}", status=204)
    assert (alive(first), alive(second)) == (True, False)
    first.delete(f"/api/auth/sessions/{numbers[1]}", status=404)
    first.delete(f"/api/auth/sessions/{numbers[0]}", status=204)
    assert not alive(first)


def test_all_others_end_at_once(two, organization):
    _, (first, second) = two
    first.delete("/api/auth/sessions", status=204)
    assert (alive(first), alive(second), alive(organization.member)) == (True, False, False)
    first.delete("/api/auth/sessions", status=204)
    assert alive(organization.colleague)


def test_nobody_sees_or_ends_the_session_of_a_colleague(two, organization):
    numbers, (first, _) = two
    for person in (organization.admin, organization.colleague):
        person.delete(f"/api/auth/sessions/{numbers[0]}", status=404)
        assert numbers[0] not in [one["id"] for one in person.get("/api/auth/sessions").json["data"]]
    assert alive(first)
