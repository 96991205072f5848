"""The list's plans at 100,000 contracts, as the application's role: nothing sorts or reads the whole organization."""

import psycopg
import pytest
from psycopg.rows import dict_row

from pipeline.contracts.schemas import SORTS
from pipeline.contracts.statuses import filters
from pipeline.database import queries

CONTRACTS = 100_000
NOTHING = {
    **filters(None), "deal_id": None, "expiring_within": None, "patterns": None, "limit": 25,
    "offset": 0, "sort_by": "contract_number", "sort_dir": "ASC",
}
FILTERS = {
    "a status": filters(["draft"]),
    "expired": filters(["expired"]),
    "expiring soon": {"expiring_within": 30},
    "a deal": {"deal_id": 1},
}


@pytest.fixture(scope="module")
def crowd(owner):
    """Ids of an organization of CONTRACTS contracts and of its user."""
    organization = owner.execute(
        "insert into app.organizations (name, slug) values ('Many', 'many') returning id"
    ).fetchone()[0]
    user = owner.execute(
        "insert into app.users (email, name, password_hash) values ('many@many.example', 'M', 'x') returning id"
    ).fetchone()[0]
    owner.execute(
        "insert into app.organization_users (organization_id, user_id) values (%s, %s)", (organization, user)
    )
    with owner.transaction():
        # Without the triggers, which would take their time for each row; what they keep is written here.
        owner.execute("set local session_replication_role = replica")
        owner.execute(
            """insert into app.contracts (organization_id, contract_number, name, status, template_id, deal_id,
                   effective_date, term_months, termination_date, content, company_key, deal_key, search_text,
                   created_at)
               select %s, 'RO-' || lpad(i::text, 6, '0'), 'Contract ' || md5(i::text),
                   (array['draft', 'active', 'executed', 'expired', 'terminated', 'archived'])[1 + i %% 6], 1,
                   case when i %% 3 > 0 then 1 + i %% 20000 end, date '2024-01-01' + i %% 900, 36,
                   current_date - 30 + i %% 1500, repeat('text ', 300), 'company ' || i %% 5000,
                   case when i %% 3 > 0 then 'deal ' || i %% 20000 end,
                   'ro-' || lpad(i::text, 6, '0') || ' contract ' || md5(i::text) || ' company ' || i %% 5000,
                   timestamptz '2026-01-01Z' + i * interval '20 seconds'
               from generate_series(1, %s) i""",
            (organization, CONTRACTS),
        )
        owner.execute(
            "insert into app.record_count_deltas (organization_id, kind, delta) values (%s, 'contracts', %s)",
            (organization, CONTRACTS),
        )
    # What another transaction may still need cannot be marked as visible to all yet.
    visible = "select relallvisible > relpages * 0.9 from pg_class where oid = 'app.contracts'::regclass"
    while not owner.execute(visible).fetchone()[0]:
        owner.execute("vacuum analyze app.contracts")
    yield organization, user
    owner.execute("delete from app.contracts where organization_id = %s", (organization,))
    owner.execute("vacuum analyze app.contracts")


@pytest.fixture
def plan(crowd, login_url):
    """plan(**parameters): every node of the list's executed plan."""
    organization, user = crowd
    with psycopg.connect(login_url("pipeline_app"), row_factory=dict_row) as connection, queries.on(connection):
        queries.authenticate(organization_id=organization, user_id=user)

        def run(**parameters):
            (found,) = queries.contract_list.explained("analyze, format json", **{**NOTHING, **parameters})
            return list(walk(found[0]["Plan"]))

        yield run


def walk(node):
    """A plan's node and all below it."""
    yield node
    for child in node.get("Plans", ()):
        yield from walk(child)


def read(nodes):
    """How many rows of contracts the plan read, those that a filter then discarded too."""
    return sum(
        (node["Actual Rows"] + node.get("Rows Removed by Filter", 0)) * node["Actual Loops"]
        for node in nodes
        if node.get("Relation Name") == "contracts"
    )


@pytest.mark.parametrize("sort_dir", ["ASC", "DESC"])
@pytest.mark.parametrize("sort_by", SORTS)
def test_every_sort_reads_its_first_page_from_an_index(plan, sort_by, sort_dir):
    nodes = plan(sort_by=sort_by, sort_dir=sort_dir)
    # By status, what has expired since the daily job is sorted.
    assert read(nodes) <= (CONTRACTS / 20 if sort_by == "status" else 1000)
    assert all(node["Node Type"] != "Seq Scan" for node in nodes if node.get("Relation Name") == "contracts")


@pytest.mark.parametrize("sort_by", ["contract_number", "name", "company_name", "termination_date", "status"])
@pytest.mark.parametrize("name", FILTERS)
def test_a_filtered_list_does_not_read_the_whole_table(plan, name, sort_by):
    nodes = plan(sort_by=sort_by, **FILTERS[name])
    assert all(node["Node Type"] != "Seq Scan" for node in nodes if node.get("Relation Name") == "contracts")


def test_the_hits_of_a_search_are_counted_over_an_index_alone(plan):
    nodes = plan(patterns=["%contract 4a%", "%company 12%"])
    counted = [node for node in nodes if node.get("Index Name") == "contracts_totals"]
    assert {node["Node Type"] for node in counted} == {"Index Only Scan"}
