"""An import into an organization of whose leads PostgreSQL has no statistics."""

import psycopg
import pytest

from pipeline.database import queries

ROWS = 1000
LEADS = (
    "insert into app.leads (organization_id, first_name, email) "
    "select %s, 'Pat', n || '@x.example' from generate_series(1, %s) as n"
)
FILE = (
    "insert into pg_temp.lead_import_rows (row, id, first_name, email, external_id, source, status, fields) "
    "select n, n, 'Pat ' || n, n || '@x.example', n, 'fair', 'new', '{}' from generate_series(1, %s) as n"
)
MATCHING = ("match_ids", "match_external_ids", "match_emails", "match_names")
FORGET = (
    "delete from pg_statistic where starelid = 'app.leads'::regclass",
    "update pg_class set reltuples = -1, relpages = 0 where oid = 'app.leads'::regclass",
)
AFTER_MATCHING = {
    "lead_import_hold": {},
    "lead_import_restore": {},
    "lead_import_fill": {"cleared": []},
    "lead_import_compare": {"conflicts": "skip"},
    "lead_import_update": {},
}


@pytest.fixture(params=["analyzed with another organization", "never analyzed"])
def copied(request, organization, new_organization, owner, superuser, login_url):
    """The import's transaction, with the rows of a file."""
    owner.execute(LEADS, [new_organization().id, 5 * ROWS])
    owner.execute("analyze app.leads")
    owner.execute(LEADS, [organization.id, ROWS])
    for statement in FORGET if request.param == "never analyzed" else ():
        superuser.execute(statement)
    with psycopg.connect(login_url("pipeline_app")) as connection, queries.on(connection):
        connection.execute("select set_config('app.organization_id', %s, true)", [str(organization.id)])
        connection.execute("set local role pipeline_member")
        queries.lead_import_begin()
        connection.execute(FILE, [ROWS])
        queries.lead_import_analyze()
        yield
        connection.rollback()


@pytest.fixture
def matched(copied):
    """The same, when the rows have found their leads."""
    queries.lead_import_loops(allowed=False)
    assert queries.lead_import_match_emails() == ROWS
    queries.lead_import_loops(allowed=True)
    queries.lead_import_analyze_matches()


def read(plan):
    """The rows that a plan and the plans in it have read."""
    removed = sum(plan.get(f"Rows Removed by {by}", 0) for by in ("Filter", "Join Filter"))
    return (plan["Actual Rows"] + removed) * plan["Actual Loops"] + sum(map(read, plan.get("Plans", ())))


@pytest.mark.parametrize("name", MATCHING)
@pytest.mark.usefixtures("copied")
def test_no_match_reads_all_leads_for_each_row(name):
    queries.lead_import_loops(allowed=False)
    ((done,),) = getattr(queries, f"lead_import_{name}").explained("analyze, format json")
    assert read(done["Plan"]) < 100 * ROWS


@pytest.mark.parametrize("name", AFTER_MATCHING)
def test_no_statement_after_matching_reads_all_leads_for_each_row(matched, name):
    ((done,),) = getattr(queries, name).explained("analyze, format json", **AFTER_MATCHING[name])
    assert read(done["Plan"]) < 20 * ROWS
