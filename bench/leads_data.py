"""Generated leads: two large organizations, one of 1,000 leads, and small ones beside them."""

import contextlib
import json
import secrets
import tempfile
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import MappingProxyType

import psycopg

from bench.report import progress
from bench.site import Site
from development.postgres import EmbeddedPostgres
from development.redis import EmbeddedRedis
from pipeline.database import migrations
from tests.database.crowd import indexes_last

BIG, OTHER, MEDIUM = 1, 2, 3
SEATS = 20
COMPANIES = 100_000

ORGANIZATIONS = """
insert into app.organizations (name, slug)
    select 'Organization ' || i, 'organization-' || i from generate_series(1, 3 + %(small)s) i;
insert into app.users (email, name)
    select 'rep' || i || '@bench.example', 'Rep ' || i from generate_series(1, %(seats)s) i;
insert into app.organization_users (organization_id, user_id, role)
    select o.id, u.id, 'admin' from app.organizations o join app.users u on o.id <= 3 or u.id = 1;
insert into app.sessions (organization_id, user_id, expires_at) values (1, 1, now() + interval '90 days')
"""

LEADS = """
insert into app.leads (organization_id, first_name, last_name, email, phone, company, job_title, source, status, notes,
    tags, assigned_to, created_at, updated_at)
select %(organization)s,
    (array['Anna', 'Ben', 'Chloé', 'Dmitri', 'Elena', 'Farid', 'Grace', 'Hugo', 'Ines', 'Jon'])[1 + i %% 10],
    initcap(translate(md5((i %% 20011)::text), '0123456789', 'aeioulnrst')),
    case when i %% 10 > 0 then 'lead' || i || '@company' || i %% 5000 || '.example' end,
    '+49 30 ' || 1000000 + i,
    case when i %% 8 > 0 then initcap(translate(md5((i %% 50021)::text), '0123456789', 'aeioulnrst'))
        || case when i %% 200 = 17 then ' Kestrel' else '' end
        || (array[' GmbH', ' Ltd', ' Inc', ' SA'])[1 + i / 7 %% 4] end,
    (array['Engineer', 'Buyer', 'Head of Sales', 'Owner'])[1 + i %% 4],
    (array['manual', 'import', 'web', 'fair', 'interview'])[1 + i / 3 %% 5],
    (array['new', 'new', 'new', 'contacted', 'qualified', 'disqualified'])[1 + i / 5 %% 6],
    case when i %% 5 = 0 then 'Met at the fair, wants a quote' end,
    case when i %% 1000 = 0 then 'hot, returning' end,
    case when i %% 3 > 0 then 1 + i %% %(seats)s end,
    timestamptz '2024-01-01Z' + i * interval '1 minute', timestamptz '2024-01-01Z' + i * interval '1 minute'
from generate_series(1, %(leads)s) i
"""

COMPANY = """
insert into app.companies (organization_id, name, website)
select 1, initcap(translate(md5(i::text), '0123456789', 'aeioulnrst')) || (array[' GmbH', ' Ltd'])[1 + i %% 2],
    'https://company' || i || '.example'
from generate_series(1, %(companies)s) i
"""


def moment(number):
    """When the lead of that number was made, and changed last."""
    return datetime(2024, 1, 1, tzinfo=UTC) + timedelta(minutes=number)


@contextlib.contextmanager
def running(size, small, settings=MappingProxyType({})):
    """A Site (of the organization BIG) with `size` leads in BIG and OTHER: (site, its file, the superuser's URL).

    settings: of PostgreSQL, beside those of the embedded server.
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
        with psycopg.connect(owner_url, autocommit=True) as connection:
            _fill(connection, size, small)
        urls = [server.url(login, "pipeline") for login in ("pipeline_app", "pipeline_forms")]
        site = Site(*urls, secrets.token_hex(32), 1, BIG, "", [], {}, redis.url())
        file = Path(folder) / "site.json"
        file.write_text(json.dumps(asdict(site)))
        yield site, file, owner_url


def _fill(connection, size, small):
    parameters = {"small": small, "seats": SEATS, "companies": min(COMPANIES, size)}
    for statement in ORGANIZATIONS.split(";"):
        _run(connection, statement, parameters)
    counts = {BIG: size, OTHER: size, MEDIUM: 1000} | dict.fromkeys(range(4, 4 + small), 100)
    connection.execute("set jit = off")
    with indexes_last(connection, "leads"):
        for organization, leads in counts.items():
            seats = SEATS if leads > 100 else 1
            _run(connection, LEADS, {"organization": organization, "leads": leads, "seats": seats})
        progress("building the indexes")
    _run(connection, COMPANY, parameters)
    connection.execute("call app.recount('app.leads')")
    connection.execute("vacuum analyze")


def _run(connection, statement, parameters):
    with psycopg.ClientCursor(connection) as cursor:
        cursor.execute(statement, parameters)
