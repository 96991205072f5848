"""The list's plans at 200,000 leads, as the application's role: nothing sorts or reads the whole organization."""

import psycopg
import pytest
from psycopg.rows import dict_row

from pipeline.database import queries
from tests.database.crowd import TIMED, indexes_last, settle, time_changes
from tests.support import session

LEADS = 200_000
SORTS = queries.lead_list.words("sort_by")
NOTHING = {"patterns": None, "alternatives": None, "near": True, "limit": 25, "offset": 0}
# Filling takes its time.
pytestmark = pytest.mark.timeout(400)
# In place of the organization's user, whose id is not known before.
REP = "rep"
FILTERS = {
    "status": {"status": "contacted"},
    "source": {"source": "fair"},
    "status and source": {"status": "new", "source": "fair"},
    "a rare source": {"source": "rare"},
    "days": {"created_from": "2026-01-10T00:00Z", "created_before": "2026-01-12T00:00Z"},
    "since a day": {"created_from": "2026-01-10T00:00Z"},
    "a rep": {"assigned_to": REP},
    "a rep's status": {"assigned_to": REP, "status": "new"},
    "a team": {"assignees": [REP]},
}


@pytest.fixture(scope="module")
def crowd(superuser, owner_url):
    """Ids of an organization of LEADS leads and of its user."""
    organization = superuser.execute(
        "insert into app.organizations (name, slug) values ('Crowd', 'crowd') returning id"
    ).fetchone()[0]
    user = superuser.execute(
        "insert into app.users (email, name) values ('crowd@crowd.example', 'C') returning id"
    ).fetchone()[0]
    seat = "insert into app.organization_users (organization_id, user_id) values (%s, %s)"
    superuser.execute(seat, (organization, user))
    # Triggers would record each lead as a change, which takes far longer.
    superuser.execute("set session_replication_role = replica")
    with indexes_last(superuser, "leads"):
        superuser.execute(
            """insert into app.leads
                   (organization_id, first_name, email, company, source, status, assigned_to, created_at)
               select %s, 'Lead ' || md5(i::text), i || '@example.com', 'Company ' || i %% 5000,
                   case when i %% 10000 = 0 then 'rare' when i %% 9 = 0 then 'fair' else 'web' end,
                   (array['new', 'contacted', 'qualified', 'disqualified'])[1 + i %% 4],
                   case when i %% 3 > 0 then %s::bigint end, timestamptz '2026-01-01Z' + i * interval '20 seconds'
               from generate_series(1, %s) i""",
            (organization, user, LEADS),
        )
    time_changes(superuser, organization, {"leads": TIMED["leads"]})
    superuser.execute("call app.recount('app.leads')")
    settle(superuser, "leads", "lead_changes")
    yield organization, user
    for table in ("leads", "lead_changes", "record_count_deltas"):
        superuser.execute(f"delete from app.{table} where organization_id = %s", (organization,))
    superuser.execute("reset session_replication_role")
    superuser.execute("vacuum analyze app.leads")


@pytest.fixture
def nodes(crowd, login_url, superuser):
    """nodes(**parameters): every node of the list's executed plan."""
    organization, user = crowd
    with psycopg.connect(login_url("pipeline_app"), row_factory=dict_row) as connection, queries.on(connection):
        made = session(superuser, user, organization)
        queries.authenticate(organization_id=organization, user_id=user, session_id=made)

        def run(**parameters):
            parameters = {**NOTHING, "sort_by": "name", "sort_dir": "ASC", **parameters}
            parameters |= {name: user for name, value in parameters.items() if value == REP}
            parameters |= {name: [user] for name, value in parameters.items() if value == [REP]}
            (plan,) = queries.lead_list.explained("analyze, format json", **parameters)
            return list(walk(plan[0]["Plan"]))

        yield run


def walk(node):
    """A plan's node and all below it."""
    yield node
    for child in node.get("Plans", ()):
        yield from walk(child)


def sorted_rows(nodes):
    """The most rows that one Sort of the plan read."""
    return max((walk_rows(node) for node in nodes if "Sort" in node["Node Type"]), default=0)


def walk_rows(node):
    child = node["Plans"][0]
    return child["Actual Rows"] * child["Actual Loops"]


def scanned(nodes):
    """The tables that the plan reads from end to end."""
    return {node["Relation Name"] for node in nodes if node["Node Type"] == "Seq Scan"}


@pytest.mark.parametrize("sort_dir", ["ASC", "DESC"])
@pytest.mark.parametrize("sort_by", SORTS)
def test_every_sort_reads_its_first_page_from_an_index(nodes, sort_by, sort_dir):
    plan = nodes(sort_by=sort_by, sort_dir=sort_dir)
    # A hundred of a name, and the first of the next one, by which it is seen that these are all.
    assert sorted_rows(plan) <= 101
    assert "leads" not in scanned(plan)
    read = sum(node["Actual Rows"] * node["Actual Loops"] for node in plan if "Index" in node["Node Type"])
    assert read <= 400


@pytest.mark.parametrize("sort_by", SORTS)
@pytest.mark.parametrize("filters", FILTERS)
def test_a_filtered_list_neither_sorts_nor_scans_the_whole(nodes, filters, sort_by):
    plan = nodes(sort_by=sort_by, **FILTERS[filters])
    assert sorted_rows(plan) < LEADS / 10
    assert "leads" not in scanned(plan)


def test_filters_that_nothing_fulfils_together_do_not_read_an_index_in_its_order(nodes):
    plan = nodes(status="contacted", source="rare", total=0, few=True)
    discarded = sum(node.get("Rows Removed by Filter", 0) * node["Actual Loops"] for node in plan)
    assert discarded < LEADS / 100
    assert "leads" not in scanned(plan)


@pytest.mark.parametrize("sort_by", ["name", "created_at"])
@pytest.mark.parametrize("filters", ["status", "source", "status and source", "days"])
def test_the_filters_of_the_common_sorts_are_read_in_the_index_alone(nodes, filters, sort_by):
    page = next(node for node in nodes(sort_by=sort_by, **FILTERS[filters], total=9999) if "Limit" in node["Node Type"])
    assert all("Index Only" in node["Node Type"] for node in walk(page) if node.get("Relation Name") == "leads")


def test_a_reps_leads_by_name_are_read_in_their_order(nodes):
    plan = nodes(assigned_to=REP, total=9999)
    assert sorted_rows(plan) <= 100
    assert "leads_assigned_name" in {node.get("Index Name") for node in plan}


def test_a_far_page_by_assignees_name_passes_over_the_leads_before_it_without_sorting_them(nodes):
    plan = nodes(sort_by="assigned_to_name", near=None, far=True, offset=LEADS * 9 // 10)
    assert sorted_rows(plan) <= 100
    assert "leads" not in scanned(plan)
