"""The functions that log in, authenticate and keep refresh tokens."""

import threading
import uuid

import psycopg
import pytest
from psycopg import errors

NEW = "0123456789abcdef" * 4


@pytest.fixture
def app(owner):
    """A superuser's connection; the functions run as their own owner, whoever calls."""
    return owner


def issue(connection, acme, token, expires="1 day", family=None):
    connection.execute(
        "select app.refresh_token_issue(%s, %s, %s, %s, now() + %s::interval)",
        (acme["users"], acme["organizations"], family or uuid.uuid4(), token, expires),
    )


def rotate(connection, token, successor=NEW):
    return connection.execute(
        "select * from app.refresh_token_rotate(%s, %s, now() + interval '1 day')", (token, successor)
    ).fetchone()


def test_authentication_finds_an_active_seat(app, world):
    acme = world["acme"]
    ids = (acme["users"], acme["organizations"])
    assert app.execute("select * from app.authenticate(%s, %s)", ids).fetchone() == (*ids, "admin")


def test_authentication_finds_no_seat_in_another_organization_and_no_inactive_one(app, world):
    acme = world["acme"]
    find = "select count(*) from app.authenticate(%s, %s)"
    assert app.execute(find, (acme["users"], world["globex"]["organizations"])).fetchone() == (0,)
    app.execute("update app.organization_users set seat_active = false")
    assert app.execute(find, (acme["users"], acme["organizations"])).fetchone() == (0,)
    assert app.execute("select count(*) from app.memberships(%s)", (acme["users"],)).fetchone() == (0,)


def test_login_finds_an_address_without_regard_to_case(app, world):
    found = app.execute("select user_id, password_hash from app.login_account('rEP@acme.EXAMPLE')").fetchone()
    assert found == (world["acme"]["users"], "x")


def test_a_rotated_token_names_its_user_and_organization(app, world):
    acme = world["acme"]
    issue(app, acme, "a" * 64)
    assert rotate(app, "a" * 64) == ("rotated", acme["users"], acme["organizations"])


def test_a_used_token_revokes_its_whole_family(app, world):
    issue(app, world["acme"], "a" * 64)
    rotate(app, "a" * 64)
    assert rotate(app, "a" * 64, "b" * 64)[0] == "reused"
    assert rotate(app, NEW, "c" * 64)[0] == "unknown"


def test_an_expired_an_unknown_and_a_revoked_token_are_not_rotated(app, world):
    issue(app, world["acme"], "a" * 64, expires="-1 second")
    issue(app, world["acme"], "b" * 64)
    app.execute("select app.refresh_token_revoke(%s)", ("b" * 64,))
    assert [rotate(app, letter * 64)[0] for letter in "abc"] == ["expired", "unknown", "unknown"]


def test_a_token_of_a_deactivated_seat_is_unknown(app, world):
    issue(app, world["acme"], "a" * 64)
    app.execute("update app.organization_users set seat_active = false")
    assert rotate(app, "a" * 64)[0] == "unknown"


def test_of_parallel_rotations_of_one_token_exactly_one_succeeds(login_url, world):
    token, outcomes = uuid.uuid4().hex * 2, []
    with psycopg.connect(login_url("pipeline_app")) as connection:
        issue(connection, world["acme"], token)

    def turn():
        with psycopg.connect(login_url("pipeline_app")) as connection:
            outcomes.append(rotate(connection, token, uuid.uuid4().hex * 2)[0])

    threads = [threading.Thread(target=turn) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    # After the first reuse the family is revoked, and what comes later is unknown.
    assert outcomes.count("rotated") == 1
    assert set(outcomes) == {"rotated", "reused", "unknown"}


def test_adding_a_known_address_answers_the_person_and_changes_nothing(acting, world):
    with acting("pipeline_admin", "acme") as connection:
        found = connection.execute(
            "select app.user_ensure('REP@globex.example', 'Other', 'other')"
        ).fetchone()
        assert found == (world["globex"]["users"],)
        assert connection.execute("select name from app.account(%s)", found).fetchone() == ("Rep",)


def test_a_login_may_call_only_the_functions_meant_for_it(login_url):
    for role, call in (
        ("pipeline_forms", "app.login_account('x')"),
        ("pipeline_app", "app.invite_by_token('x')"),
        ("pipeline_app", "app.organization_ids()"),
        ("pipeline_jobs", "app.authenticate(1, 1)"),
    ):
        with psycopg.connect(login_url(role)) as connection, pytest.raises(errors.InsufficientPrivilege):
            connection.execute(f"select * from {call}")
