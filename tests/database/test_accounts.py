"""Accounts, sessions and invitations: what the functions that a login calls answer, as things stand in seed.sql, and
after a change. tests/accounts has the same from outside."""

import uuid
from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest
from psycopg import errors

from tests.database.conftest import each, named, short, told

# Of the refresh token and the link that acme's person has; of a new token.
TOKEN, LINK, NEW = "encode(sha256('acme'), 'hex')", "encode(sha256('link acme'), 'hex')", "repeat('b', 64)"
# A seat that goes without its trigger, which would end the person's sessions.
UNSEATED = (
    "alter table app.organization_users disable trigger user; update app.organization_users set seat_active = false"
)
ENDED, LATE = "update app.sessions set ended_at = now()", "update app.sessions set expires_at = now()"
INVITED = (
    "update app.invitations set email = 'REP@globex.example' where organization_id = acme.organizations; "
    "update app.account_links set kind = 'activate', user_id = null, invitation_id = acme.invitations "
    "where id = acme.account_links"
)
USED, EXPIRED = "update app.account_links set used_at = now()", "update app.account_links set expires_at = now()"


def start(password="x", organization="null", token="null"):
    return (
        f"select organization_id from app.session_start(acme.users, '{password}', {organization}, '', '', "
        f"now() + interval '1 hour', {token}, now() + interval '1 day')"
    )


def rotate(token=TOKEN, new=NEW, session="null"):
    return (
        f"select outcome, organization_id from app.refresh_token_rotate("
        f"{token}, {new}, now() + interval '30 days', {session}, null)"
    )


def rotated(seconds):
    return f"update app.refresh_tokens set rotated_at = now() - interval '{seconds} seconds'"


def seated_elsewhere(active):
    """acme's person sits in globex, and no longer in acme."""
    return (
        "insert into app.organization_users (organization_id, user_id, seat_active) "
        f"values (globex.organizations, acme.users, {active}); "
        "update app.organization_users set seat_active = false where organization_id = acme.organizations"
    )


AUTHENTICATED = "select role from app.authenticate(acme.users, acme.organizations, acme.sessions)"
LISTED = "select {0}.sessions in (select id from app.session_list(acme.users))"
END = "select app.session_end(acme.users, acme.sessions)"
LASTS = (
    "select token.expires_at <= session.expires_at from app.refresh_tokens as token "
    f"join app.sessions as session on session.id = token.session_id where token_hash = {NEW}"
)
SESSIONS = {
    AUTHENTICATED: {
        "": "admin",
        UNSEATED: "",
        ENDED: "",
        LATE: "",
        f"select app.session_logout({TOKEN})": "",
        "select app.session_logout('unknown', repeat('f', 64))": "admin",
        "update app.sessions set family_hash = lpad(id::text, 64, '0'); "
        "select app.session_logout('unknown', lpad('acme.sessions', 64, '0'))": "",
        "select app.sessions_end(acme.users, null)": "",
        "select app.sessions_end(acme.users, acme.sessions)": "admin",
        "select app.sessions_end(globex.users, null)": "admin",
        END: "",
        "select app.password_set(acme.users, 'y', null)": "",
        "select app.password_change(acme.users, 'x', 'y', null)": "",
        f"select app.password_reset({LINK}, 'y')": "",
        f"{rotated(11)}; {rotate()}": "",
        "update app.organization_users set seat_active = false;"
        "update app.organization_users set seat_active = true": "",
    },
    "select role from app.authenticate(acme.users, globex.organizations, acme.sessions)": {"": ""},
    "select role from app.authenticate(globex.users, globex.organizations, acme.sessions)": {"": ""},
    start(): {"": "acme.organizations", UNSEATED: ""},
    start(password="old"): {"": ""},
    start(organization="globex.organizations"): {"": ""},
    rotate(): {
        "": "rotated acme.organizations",
        rotated(9): "rotated acme.organizations",
        rotated(11): "reused acme.organizations",
        "update app.refresh_tokens set expires_at = now()": "expired acme.organizations",
        ENDED: "unknown acme.organizations",
        LATE: "unknown acme.organizations",
        UNSEATED: "no_seat acme.organizations",
        seated_elsewhere(active=True): "rotated globex.organizations",
        seated_elsewhere(active=False): "unknown acme.organizations",
    },
    rotate(token="repeat('f', 64)"): {"": "unknown None"},
    rotate(session="acme.sessions + 1"): {"": "unknown None"},
    # No token outlives its session.
    LASTS: {
        start(token=NEW): "True",
        f"update app.sessions set expires_at = now() + interval '1 hour'; {rotate()}": "True",
    },
    LISTED.format("acme"): {"": "True", ENDED: "False", LATE: "False"},
    LISTED.format("globex"): {"": "False"},
    END: {"": "True", ENDED: "False", LATE: "False"},
    "select app.session_end(acme.users, globex.sessions)": {"": "False"},
    # Only what has been over for so long is purged.
    "select app.session_purge(now() - interval '1 day')": {ENDED: "0"},
}


def reset(token=LINK):
    return f"select app.password_reset({token}, 'y')"


def changed(person, known):
    return f"select app.password_change({person}.users, '{known}', 'y', null)"


def forgot(email):
    return f"select app.password_forgot('{email}', now() + interval '1 hour')"


def failed(email):
    return f"select app.login_failed('{email}', '', '', null)"


NO_LINKS = "delete from app.account_links"
PASSWORDS = {
    "select user_id, password_hash from app.login_account('rEP@acme.EXAMPLE')": {"": "acme.users x"},
    "select app.password_hash(acme.users)": {
        "": "x",
        changed("acme", "x"): "y",
        changed("acme", "guessed"): "x",
        changed("globex", "x"): "x",
        reset(): "y",
        f"{USED}; {reset()}": "x",
        f"{EXPIRED}; {reset()}": "x",
        f"{INVITED}; {reset()}": "x",
    },
    # A reset ends all links of the person.
    reset(): {
        "": "True",
        INVITED: "False",
        reset(): "False",
        "insert into app.account_links (kind, user_id, token_hash, expires_at) "
        f"values ('reset', acme.users, {NEW}, now() + interval '1 hour'); {reset(NEW)}": "False",
    },
    # At most three links an hour, for an active seat.
    "select count(*) from app.account_links": {
        "; ".join([NO_LINKS, *[forgot("rep@acme.example")] * 4]): "3",
        f"{NO_LINKS}; {forgot('nobody@acme.example')}": "0",
        f"{NO_LINKS}; {UNSEATED}; {forgot('rep@acme.example')}": "0",
    },
    "select count(*) from app.changes where transaction_id = cast(pg_current_xact_id()::text as bigint)": {
        failed("rep@acme.example"): "1",
        failed("nobody@acme.example"): "0",
        f"{UNSEATED}; {failed('rep@acme.example')}": "0",
    },
}


def settled(slug, outcome):
    return f"select app.invitation_settle({slug}.organizations, acme.invitations, '{outcome}', globex.users)"


def join(slug, password):
    return f"select user_id from app.invitation_join({LINK}, {slug}.users, '{password}')"


OVER = "update app.invitations set outcome = 'declined', ended_at = now()"
TOO_LATE = "update app.invitations set expires_at = now()"
DECLINE = f"select app.invitation_decline({LINK})"
# Outcome, open links, seats.
STATE = (
    "select outcome, "
    "(select count(*) from app.account_links where invitation_id = acme.invitations and used_at is null), "
    "(select count(*) from app.organization_users "
    "where organization_id = acme.organizations and user_id = globex.users) "
    "from app.invitations where user_id = acme.invitations"
)
# The person of globex is invited to acme.
INVITATIONS = {
    STATE: {
        settled("globex", "accepted"): "None 1 0",
        settled("acme", "declined"): "declined 0 0",
        settled("acme", "accepted"): "accepted 0 1",
        f"{OVER}; {settled('acme', 'accepted')}": "declined 0 0",
    },
    settled("acme", "accepted"): {"": "True", OVER: "False"},
    DECLINE: {"": "True", USED: "False", EXPIRED: "False", OVER: "False"},
    f"select organization_id, state from app.account_link({LINK})": {
        "": "acme.organizations open",
        USED: "acme.organizations used",
        EXPIRED: "acme.organizations expired",
        DECLINE: "acme.organizations declined",
    },
    "select id from app.invitations_of(globex.users)": {
        "": "acme.invitations",
        OVER: "",
        TOO_LATE: "",
        "update app.users set confirmed_at = null, password_hash = null": "",
    },
    "select id from app.invitations_of(acme.users)": {"": ""},
    "select app.invitation_answer(globex.users, acme.invitations, 'declined')": {
        "": "acme.organizations",
        OVER: "None",
    },
    "select app.invitation_answer(acme.users, acme.invitations, 'declined')": {"": "None"},
    join("globex", "x"): {"": "globex.users"},
    join("globex", "guessed"): {"": ""},
    join("acme", "x"): {"": ""},
    f"select user_id from app.invitation_activate({LINK}, 'Mallory', 'y')": {"": ""},
}


@pytest.mark.parametrize(("question", "change", "answer"), each(SESSIONS), ids=short)
def test_a_session_is_its_persons_in_an_active_seat_until_its_end(owner, world, question, change, answer):
    assert told(owner, world, question, change) == named(world, answer)


@pytest.mark.parametrize(("question", "change", "answer"), each(PASSWORDS), ids=short)
def test_a_password_is_set_by_who_knows_the_old_one_or_has_a_good_link(owner, world, question, change, answer):
    assert told(owner, world, question, change) == named(world, answer)


@pytest.mark.parametrize(("question", "change", "answer"), each(INVITATIONS), ids=short)
def test_an_invitation_is_settled_once_by_who_was_invited(owner, world, question, change, answer):
    assert told(owner, world, question, f"{INVITED}; {change}") == named(world, answer)


def test_a_password_exists_only_where_the_address_is_confirmed(owner, world):
    with pytest.raises(errors.CheckViolation):
        owner.execute("insert into app.users (email, name, password_hash) values ('new@acme.example', 'New', 'x')")


def test_an_address_is_invited_again_only_when_its_invitation_has_ended(owner, world):
    again = "insert into app.invitations (email) values ('NEW@acme.EXAMPLE')"
    with pytest.raises(errors.UniqueViolation), owner.transaction():
        told(owner, world, "select", again)
    told(owner, world, "select", f"{OVER}; {again}")


@pytest.mark.parametrize(
    "statement",
    [
        "insert into app.organization_users (user_id) values (globex.users)",
        "update app.organization_users set user_id = globex.users",
        "update app.invitations set outcome = 'accepted', ended_at = now()",
    ],
)
def test_an_administrator_can_make_nobody_sit_here(statement, acting, world):
    with acting("pipeline_admin", "acme") as connection, pytest.raises(errors.InsufficientPrivilege):
        connection.execute(named(world, statement))


def test_twenty_parallel_rotations_all_succeed(login_url, world):
    def sent(statement):
        with psycopg.connect(login_url("pipeline_app")) as connection:
            return connection.execute(named(world, statement)).fetchone()[0]

    token, *new = (f"'{uuid.uuid4().hex * 2}'" for _ in range(21))
    sent(start(token=token))
    with ThreadPoolExecutor(20) as threads:
        assert list(threads.map(sent, [rotate(token, new=one) for one in new])) == ["rotated"] * 20
