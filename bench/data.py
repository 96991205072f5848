"""Generated records: an organization with many of every kind, and another one with a thousand.

Rows are inserted by plain INSERT, so the triggers of the schema run.
"""

import contextlib
import json
import os
import secrets
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import MappingProxyType

import psycopg

from bench.kinds import KINDS, ONCE, SEATS
from bench.report import progress
from bench.site import Site
from development.postgres import EmbeddedPostgres
from development.redis import EmbeddedRedis
from pipeline.database import migrations
from tests.database.crowd import indexes_last

BIG, SMALL, FEW = 1, 2, 1_000
PEOPLE = f"""
insert into app.organizations (name, slug) values ('Many', 'many'), ('Few', 'few');
insert into app.users (email, name)
    select 'rep' || i || '@bench.example', 'Rep ' || i from generate_series(1, {SEATS}) i;
insert into app.organization_users (organization_id, user_id, role)
    select o.id, u.id, 'admin' from app.organizations o cross join app.users u;
insert into app.sessions (organization_id, user_id, expires_at) values (1, 1, now() + interval '90 days')
"""


def moment(number):
    """The times of creation and of the last change of the record with this number."""
    return datetime(2024, 1, 1, tzinfo=UTC) + timedelta(minutes=number)


@contextlib.contextmanager
def running(size, tables=("leads",), settings=MappingProxyType({})):
    """A Site with `size` records in BIG: (site, its file, the superuser's URL, {table: the first id in BIG}).

    settings: further settings of PostgreSQL.
    """
    with (
        tempfile.TemporaryDirectory(prefix="pipeline-bench-") as folder,
        EmbeddedPostgres(Path(folder) / "postgres", settings=settings) as server,
        EmbeddedRedis(Path(folder) / "redis", durable=False) as redis,
    ):
        with psycopg.connect(server.url(), autocommit=True) as connection:
            connection.execute("create database pipeline")
        owner_url = server.url("postgres", "pipeline")
        migrations.upgrade(owner_url)
        ids = fill(owner_url, size, tables)
        urls = [server.url(login, "pipeline") for login in ("pipeline_app", "pipeline_forms")]
        site = Site(*urls, secrets.token_hex(32), 1, BIG, "", [], {}, redis.url())
        file = Path(folder) / "site.json"
        file.write_text(json.dumps(asdict(site)))
        yield site, file, owner_url, ids


def fill(owner_url, size, tables):
    """Insert the records of tables and of the tables they refer to; returns {table: the first id in BIG}."""
    counts = {BIG: size, SMALL: min(FEW, size)}
    with psycopg.connect(owner_url, autocommit=True) as connection:
        connection.execute(PEOPLE)
        ids = {organization: _once(connection, organization) for organization in counts}
    wanted = _with_needs(tables)
    while wanted:
        # Kinds without open references run concurrently, each in two organizations.
        ready = [table for table in wanted if not set(KINDS[table].needs) & set(wanted)]
        with ThreadPoolExecutor(os.cpu_count()) as threads:
            list(threads.map(lambda table: _table(owner_url, table, counts, ids), ready))
        wanted = [table for table in wanted if table not in ready]
    with psycopg.connect(owner_url, autocommit=True) as connection:
        connection.execute("vacuum analyze")
        connection.execute("checkpoint")
    return ids[BIG]


def _with_needs(tables):
    needed = set(tables)
    for table in reversed(KINDS):
        if table in needed:
            needed.update(KINDS[table].needs)
    return [table for table in KINDS if table in needed]


def _once(connection, organization):
    ids = {"organization": organization}
    for table, (count, values) in ONCE.items():
        ids[table] = _insert(connection, table, values, count, ids)
    return ids


def _table(owner_url, table, counts, ids):
    kind = KINDS[table]
    with psycopg.connect(owner_url, autocommit=True) as connection, indexes_last(connection, table):
        connection.execute("set jit = off; set synchronous_commit = off; set search_path = app, extensions, pg_catalog")
        for organization, count in counts.items():
            first = _insert(connection, table, kind.values, max(count // kind.share, 1), ids[organization])
            ids[organization].setdefault(table, first)
    progress(f"{table} filled")


def _insert(connection, table, values, count, ids):
    """Insert `count` rows of a table; returns the first id."""
    organization = ids["organization"]
    (last,) = connection.execute(f"select coalesce(max(id), 0) from app.{table}").fetchone()
    written = ", ".join(values.values()).format(**ids, count=count)
    with connection.transaction():
        connection.execute("select set_config('app.organization_id', %s, true)", [str(organization)])
        connection.execute(
            f"insert into app.{table} (organization_id, {', '.join(values)})"
            f" select {organization}, {written} from generate_series(0, {count - 1}) i"
        )
    return last + 1
