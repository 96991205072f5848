"""The server's statistics of statements name file and variant."""

import itertools
import re

import psycopg
import pytest

from pipeline.database import queries

LAST_LINE = re.compile(
    r"\n-- (?P<name>\w+)(: (?P<variant>.+?))?(?P<who>, pipeline_\w+)?(?P<organization>, organization \d+)?$"
)
LISTS = {
    "companies": queries.company_list,
    "contacts": queries.contact_list,
    "deals": queries.deal_list,
    "quotes": queries.quote_list,
    "configurations": queries.configuration_list,
    "interview-invites": queries.interview_invite_list,
    "contracts": queries.contract_list,
    "leads": queries.lead_list,
    "interview-templates": queries.interview_template_list,
    "contract-templates": queries.contract_template_list,
    "users": queries.user_list,
    "teams": queries.team_list,
}
SENT = """
    select statistic.query
    from pg_stat_statements as statistic
    join pg_database as database on database.oid = statistic.dbid
    join pg_roles as role on role.oid = statistic.userid
    where database.datname = %s and role.rolname like 'pipeline%%' and statistic.toplevel
"""


@pytest.fixture
def sent(server_url, worker_id):
    """sent(): the statements in the statistics of this database that the service's logins have sent since the start."""
    database = f"pipeline_{worker_id}"
    with psycopg.connect(server_url("postgres", "postgres"), autocommit=True) as connection:
        connection.execute("create extension if not exists pg_stat_statements")
        connection.execute("select pg_stat_statements_reset(0, oid, 0) from pg_database where datname = %s", [database])
        yield lambda: [query for (query,) in connection.execute(SENT, [database])]


@pytest.fixture
def asked(organization):
    """Every list in every order, and a lead that is written, read, changed and deleted."""
    for path, statement in LISTS.items():
        for word, direction in itertools.product(statement.words("sort_by"), ("ASC", "DESC")):
            organization.admin.get(f"/api/{path}?sort_by={word}&sort_dir={direction}", status=200)
    lead = organization.admin.post("/api/leads", {"first_name": "Ines"}, status=201).json
    path = f"/api/leads/{lead['id']}"
    organization.admin.put(path, {"first_name": "Ines", "status": "contacted"}, status=200)
    organization.admin.post(f"{path}/notes", {"content": "Called"}, status=201)
    organization.admin.delete(path, status=204)


def test_every_statement_says_its_name_and_variant_in_its_last_line(sent, asked):
    told = [LAST_LINE.search(query) for query in sent()]
    assert None not in told
    assert {found["name"] for found in told} <= {query.name for query in queries}


def test_each_order_of_a_list_has_statistics_of_its_own(sent, asked):
    told = [LAST_LINE.search(query) for query in sent()]
    variants = {found["variant"].replace(", near", "") for found in told if found["name"] == "deal_list"}
    orders = itertools.product(queries.deal_list.words("sort_by"), ("ASC", "DESC"))
    assert {f"sort_by={word}, sort_dir={direction}" for word, direction in orders} <= variants
