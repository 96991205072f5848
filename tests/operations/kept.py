"""A database full of rows of every kind, and the proof that an upgrade keeps each of them."""

import subprocess
import sys

import psycopg
from psycopg import sql

from tests.database.conftest import seed

# All periodic work twice, because some jobs produce work for others.
WORK = """
import os
from contextlib import closing
from pipeline.database import open_database
from pipeline.process.settings import load
from pipeline.changes.webhooks.following import follow_all
from pipeline.worker import jobs

settings = load({}, os.environ)
with closing(open_database(settings.database_jobs_url, 2, patience=60)) as database:
    for name in (*jobs.JOBS, *jobs.JOBS):
        jobs.run(database, settings, name)
    while follow_all(database, settings):
        pass
"""
LEADS = """
insert into app.leads (organization_id, first_name, email, source, status)
select id, 'Lead ' || i, i || '@kept.example', 'web', (array['new', 'contacted', 'qualified'])[1 + i %% 3]
from app.organizations cross join generate_series(1, %s) as i
where slug = 'acme'"""
# Emails, documents and webhooks wait longer than a test runs.
LATER = """
update app.webhook_deliveries set next_attempt_at = now() + interval '90 days' where status = 'pending';
update app.outbox set due_at = now() + interval '90 days' where done_at is null"""
COLUMNS = """
select table_name, string_agg(format('%I', column_name), ', ' order by ordinal_position)
from information_schema.columns inner join information_schema.tables using (table_schema, table_name)
where table_schema = 'app' and table_type = 'BASE TABLE' group by table_name"""


def fill(url, root, leads):
    """Fill a database with the demo data of the release in `root`, a row in every table, and many leads."""
    program = "import sys; from development.demo import load; load(sys.argv[1], print)"
    subprocess.run([sys.executable, "-c", program, url], cwd=root, check=True)
    for slug in ("kept", "beside"):
        seed(url, slug)
    with psycopg.connect(url) as connection:
        connection.execute("set session_replication_role = replica")
        connection.execute(LEADS, [leads])
    postpone(url)


def postpone(url):
    with psycopg.connect(url) as connection:
        connection.execute("set session_replication_role = replica")
        connection.execute(LATER)


def finish(url, root, environ):
    """Do the periodic work of the release in `root`, so that a worker finds none in these rows."""
    subprocess.run([sys.executable, "-c", WORK], cwd=root, env=environ, check=True)
    postpone(url)


class Kept:
    """The rows of a database: `tables` {name: columns}, `rows` {name: {digest: how often}}."""

    def __init__(self, url):
        self.url = url
        with psycopg.connect(url) as connection:
            self.tables = dict(connection.execute(COLUMNS).fetchall())
            self.rows = self._digests(connection)

    def _digests(self, connection):
        query = "select md5(({})::text), count(*) from app.{} group by 1"
        return {
            name: dict(
                connection.execute(sql.SQL(query).format(sql.SQL(f"row({columns})"), sql.Identifier(name))).fetchall()
            )
            for name, columns in self.tables.items()
        }

    def lost(self):
        """{table: how many of the rows were changed or removed since}."""
        with psycopg.connect(self.url) as connection:
            now = self._digests(connection)
        missing = {
            name: sum(1 for digest, times in rows.items() if now[name].get(digest, 0) < times)
            for name, rows in self.rows.items()
        }
        return {name: number for name, number in missing.items() if number}
