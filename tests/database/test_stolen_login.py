"""Attacks with a stolen database login: each is tried with each login."""

import concurrent.futures
import contextlib
from pathlib import Path

import psycopg
import pytest
from psycopg import errors

from pipeline.database import migrations
from tests.waiting import SECONDS

LOGINS = ("pipeline_app", "pipeline_forms", "pipeline_jobs")
# Each login as itself, and as every role that it may become.
WAYS = [
    *((login, login) for login in LOGINS),
    ("pipeline_app", "pipeline_member"),
    ("pipeline_app", "pipeline_admin"),
    ("pipeline_forms", "pipeline_public"),
]
REFUSED = {
    "a program in the server": "do $$ begin null; end $$",
    "a function": "create function pg_temp.f() returns int language plpgsql as $$ begin return 1; end $$",
    "a table": "create table public.mine (x int)",
    "a table of the service": "create table app.mine (x int)",
    "a schema": "create schema mine",
    "an extension": "create extension dblink",
    "a program of the system": "copy (select 1) to program 'true'",
    "a file of the system": "select pg_read_file('/etc/passwd')",
    "a file by copy": "copy public.alembic_version to '/tmp/x'",
    "the migrations' lock": "begin; lock table public.alembic_version in share update exclusive mode",
    "the revision": "update public.alembic_version set version_num = 'x'",
    "what a start compares the schema with": "update public.pipeline_schema set files = 'x'",
    "what a start compares it with, gone": "delete from public.pipeline_schema",
    "the hashes of passwords": "select rolpassword from pg_authid",
    "another login's password": "alter role pipeline_owner password 'x'",
    "a role": "create role mine",
    "a publication": "create publication mine for all tables",
    "a setting of the server": "alter system set work_mem = '1GB'",
    "row-level security left out": "set row_security = off; select from app.leads",
    "settings for superusers": "set session_replication_role = replica",
    "temporary files without end": "set temp_file_limit = -1",
}


@contextlib.contextmanager
def acting_as(login_url, login, role):
    """A connection of a login that has become a role, in no transaction."""
    with psycopg.connect(login_url(login), autocommit=True) as connection:
        connection.execute("select set_config('role', %s, false)", (role,))
        yield connection


@pytest.mark.parametrize(("login", "role"), WAYS)
def test_a_stolen_login_does_nothing_of_what_is_refused(login_url, login, role):
    done = []
    with acting_as(login_url, login, role) as connection:
        for attempt, statement in REFUSED.items():
            try:
                connection.execute(statement)
                done.append(attempt)
            except errors.InsufficientPrivilege:
                connection.rollback()
    assert done == []


def test_a_login_becomes_the_roles_of_its_work_alone(catalog):
    rows = catalog.execute(
        """select login.rolname as login, role.rolname as role from pg_roles as login
        join pg_roles as role on role.rolname like 'pipeline%%' and pg_has_role(login.oid, role.oid, 'member')
        where login.rolname = any(%s)""",
        [list(LOGINS)],
    )
    assert sorted((row["login"], row["role"]) for row in rows) == sorted(WAYS)


@pytest.mark.parametrize(("login", "role"), WAYS)
def test_only_who_imports_makes_temporary_tables(login_url, login, role):
    with acting_as(login_url, login, role) as connection:
        allowed = role in ("pipeline_member", "pipeline_admin", "pipeline_jobs")
        with contextlib.nullcontext() if allowed else pytest.raises(errors.InsufficientPrivilege):
            connection.execute("create temporary table mine (x int) on commit drop")


def test_no_lock_that_a_login_can_take_holds_up_a_migration(login_url, owner_url):
    with contextlib.ExitStack() as stack:
        for login in LOGINS:
            connection = stack.enter_context(psycopg.connect(login_url(login)))
            connection.execute("lock table public.alembic_version in access share mode")
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            pool.submit(migrations.upgrade, owner_url).result(SECONDS)


def overdue_end(owner, minutes=None):
    """How many sessions the worker ends, as if each of the named times were no time at all."""
    with owner.transaction(force_rollback=True):
        definition = owner.execute("select pg_get_functiondef('app.overdue_end'::regproc)").fetchone()[0]
        for minute in minutes or ():
            assert f"interval '{minute} minutes'" in definition
            definition = definition.replace(f"interval '{minute} minutes'", "interval '0'")
        owner.execute(definition)
        return owner.execute("select app.overdue_end()").fetchone()[0]


@pytest.mark.parametrize(("login", "minutes"), [("pipeline_app", 15), ("pipeline_forms", 15), ("pipeline_jobs", 60)])
def test_a_session_that_lifts_its_timeouts_is_ended_all_the_same(login_url, owner, login, minutes):
    with psycopg.connect(login_url(login)) as thief:
        thief.execute("set statement_timeout = 0; set idle_in_transaction_session_timeout = 0")
        assert overdue_end(owner) == 0
        assert overdue_end(owner, [15, 60] if minutes == 60 else [minutes]) >= 1
        with pytest.raises(psycopg.OperationalError):
            thief.execute("select 1")


def test_nothing_of_what_is_taken_away_is_left_to_everybody(catalog):
    rows = catalog.execute(
        """select distinct rolname, proname from pg_proc cross join pg_roles where rolname = any(%s)
        and pronamespace = 'pg_catalog'::regnamespace
        and proname ~ '^(lo_.*|loread|lowrite|pg_(try_)?advisory_lock(_shared)?|pg_(cancel|terminate)_backend)$'
        and has_function_privilege(rolname, pg_proc.oid, 'execute')""",
        [[role for _, role in WAYS]],
    ).fetchall()
    assert rows == []


# What docs/stolen-login.md tells of each login, in the words of its table: {what a thief wants: the statement}.
DEEDS = {
    "leads, contacts, companies and deals": "select from app.leads where organization_id = {organization}",
    "contracts": "select content from app.contracts where organization_id = {organization}",
    "answers of interviews, by an id that is guessed": "select answers from app.interview_invites",
    "a lead's name and phone, by an invite's id that is guessed": "select name, phone from app.leads",
    "files, by an invite's id that is guessed": "select filename from app.files",
    "tokens of interviews": "select token from app.interview_invites",
    "stored emails": "select body_text from app.emails",
    "secrets of webhooks": "select secret from app.webhook_secrets",
    "events that wait": "select payload from app.outbox",
    "the record of change": "select from app.changes",
    "hashes of passwords": "select app.password_hash({user})",
    "hashes of API keys": "select key_hash from app.api_keys",
    "hashes of sessions": "select token_hash from app.refresh_tokens",
    "change leads": "update app.leads set notes = 'mine'",
    "change the state of contracts": "update app.contracts set status = status",
    "raise events": "insert into app.outbox (event, key) values ('mine', 'mine')",
    "send any email": (
        "insert into app.emails (from_email, to_email, subject) values ('a@a.example', 'b@b.example', 'Mine')"
    ),
    "set anybody's password": "select app.password_change({user}, app.password_hash({user}), 'mine', null)",
    "choose the token of a link": "update app.account_links set token_hash = repeat('a', 64)",
    "take the token of a link before its email is sent": (
        "select from app.account_links where app.account_link_issue(id) is not null"
    ),
    "make a signer's link": "select app.signature_link_issue(1)",
}
CONTEXT = {"organization": "organizations", "user": "users", "invite": "interview_invites"}
PAGE = Path(__file__).parents[2] / "docs" / "stolen-login.md"
CELLS = {
    row[0]: dict(zip(LOGINS, row[1:], strict=True))
    for line in PAGE.read_text().splitlines()
    if len(row := [cell.strip() for cell in line.strip("|").split("|")]) == 4 and row[1] in ("yes", "no")
}


def can(login_url, login, deed, ids):
    """Whether a login, as itself or as any role that it may become, is allowed a deed, and finds a row."""
    statement = DEEDS[deed].format(organization=ids["organizations"], user=ids["users"])
    for role in [role for name, role in WAYS if name == login]:
        with acting_as(login_url, login, role) as connection:
            for name, table in CONTEXT.items():
                connection.execute("select set_config(%s, %s, false)", (f"app.{name}_id", str(ids[table])))
            refused = contextlib.suppress(errors.InsufficientPrivilege, errors.UndefinedFunction)
            with refused, connection.transaction(force_rollback=True):
                if connection.execute(statement).rowcount > 0:
                    return True
    return False


@pytest.mark.parametrize("login", LOGINS)
def test_a_stolen_login_can_do_what_the_guide_says_in_every_organization(login_url, world, login):
    assert CELLS.keys() == DEEDS.keys()
    said = {deed for deed in DEEDS if CELLS[deed][login] == "yes"}
    for ids in world.values():
        assert {deed for deed in DEEDS if can(login_url, login, deed, ids)} == said
