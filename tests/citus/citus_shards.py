"""Isolation of organizations on a cluster, in shared shards (docs/citus.md)."""

import psycopg
import pytest

from pipeline.database import queries
from pipeline.database.cluster.distribution import GLOBAL
from tests.citus.closed import SHARDS, open_policies
from tests.citus.customers import add_lead, neighbours

pytestmark = pytest.mark.timeout(600)


def test_every_table_lies_beside_the_others_or_on_every_node(cluster):
    statement = "select logicalrelid::text, partmethod, colocationid from pg_dist_partition"
    found = cluster.coordinator.rows(statement)
    assert {name.removeprefix("app.") for name, method, _ in found if method == "n"} == set(GLOBAL)
    assert len({together for _, method, together in found if method == "h"}) == 1
    assert {name.removeprefix("app.") for name, _, _ in found} == {
        name
        for (name,) in cluster.coordinator.rows("select tablename from pg_tables where schemaname = 'app'")
        if not name[-6:].isdigit()
    }


def test_citus_makes_a_restrictive_policy_permissive_on_the_shards(cluster):
    """So none is left to bound an organization; when this fails, Citus has learnt it, and _bound_policies may go."""
    with cluster.coordinator.connect() as connection:
        connection.execute("create table public.bounded (organization_id bigint)")
        connection.execute("alter table public.bounded enable row level security")
        connection.execute("create policy bound on public.bounded as restrictive using (organization_id = 1)")
        connection.execute("select create_distributed_table('public.bounded', 'organization_id', shard_count => 1)")
    permissive = "select polpermissive from pg_policy where polname = 'bound' and polrelid = {}::regclass"
    assert cluster.coordinator.rows(permissive.format("'public.bounded'")) == [(False,)]
    place = "select nodeport, shard_name from citus_shards where table_name = 'public.bounded'::regclass"
    port, shard = cluster.coordinator.rows(place)[0]
    worker = next(node for node in cluster.workers if node.port == port)
    assert worker.rows(permissive.format(f"'{shard}'")) == [(True,)]


def test_every_policy_of_every_shard_asks_for_the_organization(cluster):
    assert open_policies(cluster) == []


def test_an_organization_sees_its_own_rows_alone_among_those_of_its_shards(cluster, customers):
    one, other = neighbours(cluster, customers)
    theirs = other.asked(lambda: add_lead("Theirs"))
    own = one.asked(lambda: add_lead("Own"))
    assert one.asked(lambda: queries.lead_get(id=own))["first_name"] == "Own"
    assert one.asked(lambda: queries.lead_get(id=theirs)) is None
    assert one.asked(lambda: queries.lead_delete(ids=[theirs])) == 0
    with one.worker().connect("pipeline_app") as connection:
        count = "select count(*) filter (where organization_id <> %s) from app.leads"
        assert one.do(lambda: connection.execute(count, [one.id]).fetchone(), connection) == (0,)


def test_nobody_reads_or_writes_for_another_organization_of_the_same_shards(cluster, customers):
    one, other = neighbours(cluster, customers)
    statement = "insert into app.leads (organization_id, first_name) values (%s, 'Smuggled')"
    with one.worker().connect("pipeline_app") as connection, pytest.raises(psycopg.errors.InsufficientPrivilege):
        one.do(lambda: connection.execute(statement, [other.id]), connection)
    named = {shard for shard, *_ in one.worker().rows(SHARDS) if shard.startswith("app.leads_")}
    foreign = " union all ".join(f"select organization_id from {shard}" for shard in sorted(named))
    count = f"select count(*) filter (where organization_id <> {one.id}) from ({foreign}) as lead"
    with one.worker().connect("pipeline_app") as connection:
        assert one.do(lambda: connection.execute(count).fetchone(), connection) == (0,)


def test_a_plan_that_was_kept_shows_nobody_the_rows_of_another_organization(cluster, customers):
    pair = neighbours(cluster, customers)
    for customer in pair:
        customer.asked(lambda: add_lead("Kept"))
    statement = "select distinct organization_id from app.leads"
    with pair[0].worker().connect("pipeline_app") as connection:
        for customer in 5 * pair:
            seen = customer.do(lambda: connection.execute(statement, prepare=True).fetchall(), connection)
            assert set(seen) <= {(customer.id,)}


def test_on_the_wrong_worker_a_request_is_refused_and_does_not_find_nothing(cluster, customers):
    customer = customers[0]
    wrong = next(worker for worker in cluster.workers if worker is not customer.worker())
    with wrong.connect("pipeline_app") as connection, pytest.raises(psycopg.OperationalError, match="to log in"):
        customer.do(lambda: add_lead("Lost"), connection)
