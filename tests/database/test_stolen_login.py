"""What a thief of one of the service's database logins can do with it: each attack is tried with each login."""

import concurrent.futures
import contextlib

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
    "a large object": "select lo_create(0)",
    "a large object with content": "select lo_from_bytea(0, 'x')",
    "a large object of old": "select lo_creat(-1)",
    "a large object from a file": "select lo_import('/etc/passwd')",
    "a large object read": "select lo_get(1)",
    "a lock of the session": "select pg_advisory_lock(1)",
    "a lock tried for": "select pg_try_advisory_lock(1, 2)",
    "a shared lock of the session": "select pg_advisory_lock_shared(1)",
    "another session ended": "select pg_terminate_backend(1)",
    "another session's statement ended": "select pg_cancel_backend(1)",
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
    "the hashes of passwords": "select rolpassword from pg_authid",
    "another login's password": "alter role pipeline_owner password 'x'",
    "a role": "create role mine",
    "the owner's role": "set role pipeline_owner",
    "the look-ups' role": "set role pipeline_lookup",
    "the role that ends sessions": "set role pipeline_watch",
    "a publication": "create publication mine for all tables",
    "a setting of the server": "alter system set work_mem = '1GB'",
    "row-level security left out": "set row_security = off; select from app.leads",
    "settings for superusers": "set session_replication_role = replica",
    "temporary files without end": "set temp_file_limit = -1",
}

# docs/database.md, "A stolen login", names each of these.
LEFT = {
    "its own password": "alter role {login} password 'x'",
    "its own settings": "alter role {login} set search_path = pg_temp",
    "its own timeouts": "set statement_timeout = 0",
    "locks of its transaction": "select pg_advisory_xact_lock(1)",
    "the statements of its other sessions": "select query from pg_stat_activity",
    "a message to listeners": "notify anything",
}


@contextlib.contextmanager
def acting_as(login_url, login, role):
    """A connection of a login that has become a role, in no transaction."""
    with psycopg.connect(login_url(login), autocommit=True) as connection:
        connection.execute("select set_config('role', %s, false)", (role,))
        yield connection


@pytest.mark.parametrize(("login", "role"), WAYS)
@pytest.mark.parametrize("attempt", REFUSED)
def test_a_stolen_login_cannot(login_url, attempt, login, role):
    with acting_as(login_url, login, role) as connection, pytest.raises(errors.InsufficientPrivilege):
        connection.execute(REFUSED[attempt])


@pytest.mark.parametrize(("login", "role"), WAYS)
def test_only_who_imports_makes_temporary_tables(login_url, login, role):
    with acting_as(login_url, login, role) as connection:
        allowed = role in ("pipeline_member", "pipeline_admin")
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
def test_what_lifts_its_timeouts_is_ended_all_the_same(login_url, owner, login, minutes):
    with psycopg.connect(login_url(login)) as thief:
        thief.execute("set statement_timeout = 0; set idle_in_transaction_session_timeout = 0")
        assert overdue_end(owner) == 0
        assert overdue_end(owner, [15, 60] if minutes == 60 else [minutes]) >= 1
        with pytest.raises(psycopg.OperationalError):
            thief.execute("select 1")


def test_nobody_but_the_worker_may_end_sessions_and_it_only_those_that_are_overdue(login_url):
    for login, role in WAYS[:2] + WAYS[3:]:
        refused = pytest.raises(errors.InsufficientPrivilege)
        with acting_as(login_url, login, role) as connection, refused:
            connection.execute("select app.overdue_end()")
    with psycopg.connect(login_url("pipeline_jobs")) as connection, psycopg.connect(login_url("pipeline_app")) as app:
        app.execute("select 1")
        connection.execute("select app.overdue_end()")
        app.execute("select 1")


@pytest.mark.parametrize("login", LOGINS)
@pytest.mark.parametrize("attempt", LEFT)
def test_what_postgresql_gives_no_means_against_is_told_in_the_guide(login_url, attempt, login):
    with psycopg.connect(login_url(login)) as connection:
        connection.execute(LEFT[attempt].format(login=login))
        connection.rollback()


def test_nothing_of_what_is_taken_away_is_left_to_everybody(catalog):
    rows = catalog.execute("""select oid::regprocedure::text as name from pg_proc
        where pronamespace = 'pg_catalog'::regnamespace
        and proname ~ '^(lo_.*|loread|lowrite|pg_(try_)?advisory_lock(_shared)?|pg_(cancel|terminate)_backend)$'
        and has_function_privilege('pipeline_jobs', oid, 'execute')""").fetchall()
    assert rows == []
