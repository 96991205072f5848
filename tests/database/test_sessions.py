import pytest

from tests.database.conftest import ask, delete
from tests.database.test_accounts import UNSEATED, start


def alive(owner, sessions):
    found = owner.execute("select id from app.sessions where id = any(%s) and ended_at is null", (sessions,))
    return {id for (id,) in found}


@pytest.fixture
def sessions(owner, world):
    """The ids of a session of acme's person, of another one of theirs, and of one of globex's person."""
    made = [start(owner, world[name], letter * 64) for name, letter in (("acme", "a"), ("acme", "b"), ("globex", "c"))]
    owner.execute("update app.sessions set family_hash = lpad(id::text, 64, '0') where id = any(%s)", (made,))
    return made


def test_a_session_starts_in_an_active_seat_of_the_organization_asked_for(owner, world):
    begin = "select from app.session_start(%s, 'x', %s, '', '', now() + interval '1 day', null, null)"
    person, elsewhere = world["acme"]["users"], world["globex"]["organizations"]
    assert owner.execute(begin, (person, None)).fetchall() == [()]
    assert owner.execute(begin, (person, elsewhere)).fetchall() == []
    owner.execute(UNSEATED)
    assert owner.execute(begin, (person, None)).fetchall() == []


@pytest.mark.parametrize("change", [None, "ended_at = now()", "expires_at = now()"])
def test_a_person_sees_and_ends_their_own_open_sessions(owner, world, sessions, change):
    own, _, other = sessions
    if change:
        owner.execute(f"update app.sessions set {change} where id = %s", (own,))
    seen = {id for (id,) in owner.execute("select id from app.session_list(%s)", (world["acme"]["users"],))}
    assert (own in seen, other in seen) == (change is None, False)
    ended = [ask(owner, "session_end(%s, %s)", world["acme"]["users"], one) for one in (own, other)]
    assert ended == [change is None, False]


def test_all_sessions_of_a_person_end_but_one(owner, world, sessions):
    ask(owner, "sessions_end(%s, %s)", world["acme"]["users"], sessions[1])
    assert alive(owner, sessions) == set(sessions[1:])


def test_a_logout_ends_the_family_of_its_token_alone(owner, sessions):
    ask(owner, "session_logout('no token', %s)", f"{sessions[0]:064}")
    assert alive(owner, sessions) == set(sessions[1:])


def test_only_what_has_been_over_for_so_long_is_purged(owner, sessions):
    owner.execute("update app.sessions set ended_at = now() where id = %s", (sessions[0],))
    counts = "select (select count(*) from app.{}), (select count(*) from app.{}), (select count(*) from app.{})"
    kept = counts.format("sessions", "refresh_tokens", "account_links")
    before = owner.execute(kept).fetchone()
    assert ask(owner, "session_purge(now() - interval '1 day')") == 0
    assert owner.execute(kept).fetchone() == before


def test_an_inactive_seat_elsewhere_keeps_no_session(owner, world, sessions):
    seat = "insert into app.organization_users (organization_id, user_id, seat_active) values (%s, %s, false)"
    owner.execute(seat, (world["globex"]["organizations"], world["acme"]["users"]))
    owner.execute("update app.organization_users set seat_active = false where user_id = %s", (world["acme"]["users"],))
    assert alive(owner, sessions) == {sessions[2]}


def test_sessions_end_when_their_persons_only_seat_is_deleted(owner, world, sessions):
    delete(owner, "organization_users", world["acme"]["organizations"])
    assert alive(owner, sessions) == {sessions[2]}


def test_a_password_is_set_for_one_person_who_knows_the_old_one(owner, world):
    person, other = world["acme"]["users"], world["globex"]["users"]
    assert ask(owner, "password_change(%s, 'guessed', 'y', null)", person) is False
    assert ask(owner, "password_change(%s, 'x', 'y', null)", person) is True
    assert [ask(owner, "password_hash(%s)", one) for one in (person, other)] == ["y", "x"]


def added(owner, rows, call, *values):
    (before,) = owner.execute(f"select count(*) from app.{rows}").fetchone()
    ask(owner, call, *values)
    return owner.execute(f"select count(*) from app.{rows}").fetchone()[0] - before


@pytest.mark.parametrize(
    ("call", "rows", "most"),
    [
        ("password_forgot(%s, now() + interval '1 hour')", "account_links", 3),
        ("login_failed(%s, '', '', null)", "changes where action = 'sign_in_failed'", 4),
    ],
    ids=["links for a password, three an hour", "failed sign-ins"],
)
def test_only_of_an_active_seat_something_is_kept(owner, call, rows, most):
    owner.execute("delete from app.account_links")
    assert sum(added(owner, rows, call, "rep@acme.example") for _ in range(4)) == most
    assert added(owner, rows, call, "nobody@acme.example") == 0
    owner.execute(UNSEATED)
    assert added(owner, rows, call, "rep@globex.example") == 0
