import uuid
from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest
from psycopg import errors

from tests.database.conftest import ask

NEW = "0123456789abcdef" * 4
# A seat that goes without its trigger, which would end the person's sessions.
UNSEATED = (
    "alter table app.organization_users disable trigger user; update app.organization_users set seat_active = false"
)


def start(connection, acme, token, session="90 days"):
    """A session with a refresh token: its id."""
    return connection.execute(
        "select session_id from app.session_start(%s, 'x', %s, 'tests', '192.0.2.1', now() + %s::interval, %s, "
        "now() + interval '1 day')",
        (acme["users"], acme["organizations"], session, token),
    ).fetchone()[0]


def rotate(connection, token, successor=None):
    rotated = "select * from app.refresh_token_rotate(%s, %s, now() + interval '30 days', null, null)"
    return connection.execute(rotated, (token, successor or uuid.uuid4().hex * 2)).fetchone()


def later(connection, seconds):
    """Let tokens have been rotated so long ago."""
    connection.execute("update app.refresh_tokens set rotated_at = now() - make_interval(secs => %s)", (seconds,))


def authenticated(connection, acme, session, organization=None):
    ids = (acme["users"], organization or acme["organizations"], session)
    return connection.execute("select role from app.authenticate(%s, %s, %s)", ids).fetchone()


def test_authentication_finds_an_active_seat_of_a_session(owner, world):
    acme, globex = world["acme"], world["globex"]
    session = start(owner, acme, "a" * 64)
    assert authenticated(owner, acme, session) == ("admin",)
    assert authenticated(owner, acme, session, globex["organizations"]) is None
    assert authenticated(owner, globex, session) is None
    assert authenticated(owner, acme, session + 1_000_000) is None
    owner.execute(UNSEATED)
    assert authenticated(owner, acme, session) is None


@pytest.mark.parametrize(
    "end",
    [
        "select app.session_logout(repeat('a', 64))",
        "select app.sessions_end({user}, null)",
        "select app.session_end({user}, {session})",
        "select app.password_set({user}, 'y', null)",
        "select app.password_change({user}, 'x', 'y', null)",
        "update app.organization_users set seat_active = false where user_id = {user}",
        "update app.sessions set expires_at = now()",
    ],
)
def test_nothing_of_a_session_works_after_its_end(end, owner, world):
    session = start(owner, world["acme"], "a" * 64)
    owner.execute(end.format(user=world["acme"]["users"], session=session))
    owner.execute("update app.organization_users set seat_active = true")
    assert authenticated(owner, world["acme"], session) is None
    assert rotate(owner, "a" * 64)[0] == "unknown"


def test_login_finds_an_address_without_regard_to_case(owner, world):
    found = owner.execute("select user_id, password_hash from app.login_account('rEP@acme.EXAMPLE')").fetchone()
    assert found == (world["acme"]["users"], "x")


def test_a_session_starts_only_with_the_password_that_still_is_one(owner, world):
    acme = world["acme"]
    started = owner.execute(
        "select * from app.session_start(%s, 'old', null, '', '', now() + '1 day', null, null)", (acme["users"],)
    )
    assert started.fetchall() == []


def test_a_password_exists_only_where_the_address_is_confirmed(owner, world):
    with pytest.raises(errors.CheckViolation):
        owner.execute("insert into app.users (email, name, password_hash) values ('new@acme.example', 'New', 'x')")


def test_within_ten_seconds_a_token_gets_one_more_successor(owner, world):
    session = start(owner, world["acme"], "a" * 64)
    rotate(owner, "a" * 64, NEW)
    later(owner, 9)
    assert rotate(owner, "a" * 64)[:2] == ("rotated", session)
    assert rotate(owner, NEW)[0] == "rotated"


def test_an_expired_and_an_unknown_token_are_not_rotated(owner, world):
    start(owner, world["acme"], "a" * 64)
    owner.execute("update app.refresh_tokens set expires_at = now()")
    assert [rotate(owner, letter * 64)[0] for letter in "ab"] == ["expired", "unknown"]


def test_no_token_outlives_its_session(owner, world):
    start(owner, world["acme"], "a" * 64, session="1 hour")
    rotate(owner, "a" * 64, NEW)
    longest = "select max(t.expires_at - s.created_at) <= '1 hour' from app.refresh_tokens t, app.sessions s"
    assert owner.execute(
        f"{longest} where s.id = t.session_id and t.token_hash in (%s, repeat('a', 64))", (NEW,)
    ).fetchone() == (True,)


def test_a_session_goes_on_where_its_person_still_sits(owner, world):
    acme, elsewhere = world["acme"], world["globex"]["organizations"]
    session = start(owner, acme, "a" * 64)
    owner.execute(
        "insert into app.organization_users (organization_id, user_id) values (%s, %s)", (elsewhere, acme["users"])
    )
    owner.execute(
        "update app.organization_users set seat_active = false where organization_id = %s and user_id = %s",
        (acme["organizations"], acme["users"]),
    )
    assert rotate(owner, "a" * 64) == ("rotated", session, acme["users"], elsewhere)


def test_twenty_parallel_rotations_all_succeed_and_a_later_one_ends_the_session(login_url, world, owner_url):
    token = uuid.uuid4().hex * 2

    def turn(_number):
        with psycopg.connect(login_url("pipeline_app")) as connection:
            return rotate(connection, token)[0]

    with psycopg.connect(login_url("pipeline_app")) as connection:
        start(connection, world["acme"], token)
    with ThreadPoolExecutor(20) as threads:
        assert list(threads.map(turn, range(20))) == ["rotated"] * 20
    with psycopg.connect(owner_url, autocommit=True) as connection:
        later(connection, 11)
        assert rotate(connection, token)[0] == "reused"


def link(owner, acme, invited=None):
    """The hash of a new link's token: of an invitation, else for a new password of acme's person."""
    token_hash, kind = uuid.uuid4().hex * 2, "activate" if invited else "reset"
    person = None if invited else acme["users"]
    owner.execute(
        "insert into app.account_links (organization_id, kind, user_id, invitation_id, token_hash, expires_at)"
        " values (%s, %s, %s, %s, %s, now() + interval '1 hour')",
        (acme["organizations"], kind, person, invited, token_hash),
    )
    return token_hash


def invite(connection, email, acme):
    connection.execute("select set_config('app.organization_id', %s, true)", (str(acme["organizations"]),))
    statement = "insert into app.invitations (email) values (%s) returning user_id"
    return connection.execute(statement, (email,)).fetchone()[0]


def test_a_link_sets_a_password_once_and_takes_the_others_with_it(owner, world):
    first, second = link(owner, world["acme"]), link(owner, world["acme"])
    assert [ask(owner, "password_reset(%s, 'y')", one) for one in (first, first, second)] == [True, False, False]
    assert ask(owner, "password_hash(%s)", world["acme"]["users"]) == "y"


def test_an_expired_link_and_that_of_an_invitation_set_no_password(owner, world):
    expired = link(owner, world["acme"])
    owner.execute("update app.account_links set expires_at = now() where token_hash = %s", (expired,))
    invited = link(owner, world["acme"], invite(owner, "REP@globex.example", world["acme"]))
    assert [ask(owner, "password_reset(%s, 'y')", one) for one in (expired, invited)] == [False, False]


@pytest.mark.parametrize(
    "statement",
    [
        "insert into app.organization_users (user_id) values ({id})",
        "update app.organization_users set user_id = {id}",
        "update app.invitations set outcome = 'accepted', ended_at = now() where user_id = {id}",
        "select app.invitation_settle(1, {id}, 'accepted', {id})",
        "select app.invitation_activate('x', 'Kim', 'y')",
        "select app.password_set({id}, 'x', null)",
    ],
)
def test_an_administrator_can_make_nobody_sit_here(statement, acting, world):
    with acting("pipeline_admin", "acme") as connection:
        invited = invite(connection, "kim@acme.example", world["acme"])
        with pytest.raises(errors.InsufficientPrivilege):
            connection.execute(statement.format(id=invited))


def test_a_known_person_joins_by_their_own_account_alone(owner, world):
    acme, globex = world["acme"], world["globex"]
    token_hash = link(owner, acme, invite(owner, "REP@globex.example", acme))
    join = "select user_id from app.invitation_join(%s, %s, %s)"
    for account, password_hash in ((acme["users"], "x"), (globex["users"], "guessed")):
        assert owner.execute(join, (token_hash, account, password_hash)).fetchall() == []
    activate = "select user_id from app.invitation_activate(%s, 'Mallory', 'y')"
    assert owner.execute(activate, (token_hash,)).fetchall() == []
    assert owner.execute(join, (token_hash, globex["users"], "x")).fetchall() == [(globex["users"],)]
