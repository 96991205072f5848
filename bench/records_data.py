"""Generated records of every kind that grows: a large organization and one of a thousand, filled kind beside kind."""

import os
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import psycopg

from bench.leads_data import BIG, MEDIUM
from bench.records_history import HISTORY
from bench.report import progress
from tests.database.crowd import MOMENT, ONCE, SIZES, indexes_last

SMALL = 1_000
KINDS = {name: filled for name, filled in SIZES.items() if name != "leads"}
# Of these one in SHARE is what a list of the large organization shows: the lead's notes and tasks, the user's
# notifications. Of templates an organization has as many as it has forms and papers: a SHARE of the records too. The
# lists of the other one have SMALL, as all others there: a page of theirs is as long.
SHARE = 100
BESIDE = {
    "notes": ("content, lead_id", "'Note ' || i, {leads} + case when i % {share} > 0 then i else 0 end"),
    "tasks": ("title, lead_id", "'Task ' || i, {leads} + case when i % {share} > 0 then i else 0 end"),
    "notifications": (
        "user_id, event, effect_key, title, read_at",
        "case when i % {share} > 0 then 2 + i % 19 else {user} end, 'bench', i::text, 'Notification ' || i,"
        " case when i / {share} % 4 > 0 then now() end",
    ),
}
TEMPLATES = {
    "interview_templates": (
        "name, slug, version_id, updated_at",
        "'Form ' || md5(i::text), 'form-' || i, {interview_template_versions}, {moment}",
    ),
    "contract_templates": ("name, content, updated_at", "'Terms ' || md5(i::text), 'text', {moment}"),
}
# Of a million records so many fewer.
SHARES = {**dict.fromkeys(TEMPLATES, SHARE), "interview_tallies": 9}
# Those that take longest first, so that the last one does not run alone.
TABLES = {**dict(reversed(KINDS.items())), **BESIDE, **TEMPLATES, **HISTORY}
# What the records of a table show of others; these are filled with them.
SHOWN = {
    "contacts": {"companies"},
    "deals": {"companies"},
    "quotes": {"deals", "companies"},
    "configurations": {"deals", "companies"},
    "contracts": {"deals", "companies"},
}
# Nothing of the indexes goes to PostgreSQL's log, and the log is soon used again: the records alone are many gigabytes.
SETTINGS = {"wal_level": "minimal", "max_wal_senders": "0", "max_wal_size": "4GB"}


def moment(number):
    """When the record of that number was changed last: MOMENT."""
    return datetime(2026, 1, 1, tzinfo=UTC) + timedelta(seconds=20 * number)


def fill(owner_url, size, tables=TABLES):
    """Write `size` records of each kind in BIG and SMALL in MEDIUM: for both organizations {table: its first id}.

    tables: those of TABLES that are filled, with what their records show of others.
    """
    wanted = set(tables).union(*(SHOWN.get(table, ()) for table in tables))
    with psycopg.connect(owner_url, autocommit=True) as connection:
        ids = {BIG: _once(connection, BIG, size), MEDIUM: _once(connection, MEDIUM, SMALL)}
        ids[BIG]["share"], ids[MEDIUM]["share"] = SHARE, 1
        for table in TABLES:
            (first,) = connection.execute(f"select coalesce(max(id), 0) + 1 from app.{table}").fetchone()
            # A template that stands there is what the other records name.
            ids[BIG].setdefault(table, first)
            ids[MEDIUM].setdefault(table, first + size)
    with ThreadPoolExecutor(os.cpu_count()) as threads:
        chosen = [table for table in TABLES if table in wanted]
        for _ in threads.map(lambda table: _table(owner_url, table, size, ids), chosen):
            pass
    with psycopg.connect(owner_url, autocommit=True) as connection:
        for kind in KINDS:
            connection.execute(f"call app.recount('app.{kind}')")
        for organization in ids:
            with connection.transaction():
                connection.execute("select set_config('app.organization_id', %s, true)", [str(organization)])
                connection.execute("select app.changes_counted()")
        connection.execute("vacuum analyze")
        connection.execute("checkpoint")
    return ids


def _once(connection, organization, size):
    """What there are few of, in the organization: the ids that the others refer to."""
    (lead,) = connection.execute("select min(id) from app.leads where organization_id = %s", [organization]).fetchone()
    ids = {"organization": organization, "user": 1, "moment": MOMENT, "leads": lead}
    with connection.transaction():
        _begin(connection, organization)
        for table, (columns, values, count) in ONCE.items():
            if table != "organization_users":  # whose seats there are
                _insert(connection, table, columns, values.format(**ids), count)
                found = f"select min(id) from app.{table} where organization_id = {organization}"
                (ids[table],) = connection.execute(found).fetchone()
        connection.execute(
            "update app.interview_templates set version_id = %s where organization_id = %s and id = %s",
            [ids["interview_template_versions"], organization, ids["interview_templates"]],
        )
    return ids


def _table(owner_url, table, size, ids):
    columns, values = TABLES[table]
    with psycopg.connect(owner_url, autocommit=True) as connection, indexes_last(connection, table):
        for organization, count in ((BIG, size), (MEDIUM, SMALL)):
            with connection.transaction():
                _begin(connection, organization)
                rows = count // SHARES.get(table, 1) if organization == BIG else count
                _insert(connection, table, columns, values.format(**ids[organization]), rows)
    progress(f"{table} filled")


def _begin(connection, organization):
    """Without triggers, which would take their time for each row; what they keep is written with the rows."""
    connection.execute("set local session_replication_role = replica")
    connection.execute("set local synchronous_commit = off")
    connection.execute("set local search_path = app, extensions, pg_catalog")
    connection.execute("select set_config('app.organization_id', %s, true)", (str(organization),))


def _insert(connection, table, columns, values, count):
    connection.execute(f"insert into app.{table} ({columns}) select {values} from generate_series(0, {count - 1}) i")
