"""What of the service works on Citus, and how (docs/citus.md): each request on the worker that has its organization."""

import time
from collections import Counter, defaultdict

import psycopg
import pytest

from pipeline.database import queries
from tests.chaos.processes import wait_until
from tests.citus.census import planned
from tests.citus.customers import Clients, add_lead
from tests.citus.distribution import GLOBAL

pytestmark = pytest.mark.timeout(600)

SHARDS = """
select c.oid::regclass::text, c.relrowsecurity and c.relforcerowsecurity, p.polname, p.polpermissive,
    pg_get_expr(coalesce(p.polqual, p.polwithcheck), c.oid)
from pg_class c join pg_policy p on p.polrelid = c.oid
where c.relnamespace = 'app'::regnamespace and c.relname ~ '_[0-9]{6}$'"""
SHARD = "select get_shard_id_for_distribution_column('app.changes', %s)"
MOVE = "select citus_move_shard_placement(%s, '127.0.0.1', %s, '127.0.0.1', %s, 'block_writes')"
# What Citus cannot plan, and what it plans in several steps on the one worker (docs/citus.md).
NOT_PLANNED = {
    "contract_document_insert",
    "contract_execute",
    "contract_insert",
    "contract_update",
    "deal_insert",
    "interview_invite_insert",
    "lead_contact_insert",
    "lead_deal_insert",
    "mail_hour_spend",
    "note_insert",
    "person_quotes_blank",
    "public_answers_merge",
    "public_interview_submit",
    "quote_insert",
    "task_insert",
    "webhook_delivery_insert",
    "webhook_fails",
}
IN_STEPS = {"contract_number_take", "interview_template_add_version", "person_contracts_blank"}
# What an administrator may not send, what is no query, and what needs tables of its transaction or an extension.
OTHERS = ("permission denied", "syntax error", "does not exist", "must be owner")


def rows(node, statement, values=()):
    """What a superuser finds on a node, shards included."""
    with node.connect() as connection:
        connection.execute("set citus.override_table_visibility = off")
        return connection.execute(statement, values).fetchall()


def neighbours(cluster, customers):
    """Two Customers whose rows lie in the same shards."""
    homes = defaultdict(list)
    for customer in customers:
        homes[rows(cluster.coordinator, SHARD, [customer.id])[0][0]].append(customer)
    return next(home for home in homes.values() if len(home) > 1)[:2]


def test_every_table_lies_beside_the_others_or_on_every_node(cluster):
    statement = "select logicalrelid::text, partmethod, colocationid from pg_dist_partition"
    found = rows(cluster.coordinator, statement)
    assert {name.removeprefix("app.") for name, method, _ in found if method == "n"} == set(GLOBAL)
    assert len({together for _, method, together in found if method == "h"}) == 1
    assert {name.removeprefix("app.") for name, _, _ in found} == {
        name
        for (name,) in rows(cluster.coordinator, "select tablename from pg_tables where schemaname = 'app'")
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
    assert rows(cluster.coordinator, permissive.format("'public.bounded'")) == [(False,)]
    shard = rows(
        cluster.coordinator, "select shard_name from citus_shards where table_name = 'public.bounded'::regclass"
    )
    place = rows(cluster.coordinator, "select nodeport from citus_shards where table_name = 'public.bounded'::regclass")
    worker = next(node for node in cluster.workers if node.port == place[0][0])
    assert rows(worker, permissive.format(f"'{shard[0][0]}'")) == [(True,)]


def test_every_policy_of_every_shard_asks_for_the_organization(cluster):
    found = [shard for worker in cluster.workers for shard in rows(worker, SHARDS)]
    open_ones = [
        (shard, name)
        for shard, forced, name, permissive, condition in found
        if not (forced and permissive and ("app.organization_id" in condition or "is_colleague" in condition))
    ]
    assert len(found) > 400
    assert open_ones == []


def test_an_organization_sees_its_own_rows_alone_among_those_of_its_shards(cluster, customers):
    one, other = neighbours(cluster, customers)
    theirs = other.asked(lambda: add_lead("Theirs"))
    own = one.asked(lambda: add_lead("Own"))
    assert one.asked(lambda: queries.lead_get(id=own))["first_name"] == "Own"
    assert one.asked(lambda: queries.lead_get(id=theirs)) is None
    assert one.asked(lambda: queries.lead_delete(id=theirs)) == 0
    with one.worker().connect("pipeline_app") as connection:
        count = "select count(*) filter (where organization_id <> %s) from app.leads"
        assert one.do(lambda: connection.execute(count, [one.id]).fetchone(), connection) == (0,)


def test_nobody_reads_or_writes_for_another_organization_of_the_same_shards(cluster, customers):
    one, other = neighbours(cluster, customers)
    statement = "insert into app.leads (organization_id, first_name) values (%s, 'Smuggled')"
    with one.worker().connect("pipeline_app") as connection, pytest.raises(psycopg.errors.InsufficientPrivilege):
        one.do(lambda: connection.execute(statement, [other.id]), connection)
    named = {shard for shard, *_ in rows(one.worker(), SHARDS) if shard.startswith("app.leads_")}
    foreign = " union all ".join(f"select organization_id from {shard}" for shard in sorted(named))
    count = f"select count(*) filter (where organization_id <> {one.id}) from ({foreign}) as lead"
    with one.worker().connect("pipeline_app") as connection:
        assert one.do(lambda: connection.execute(count).fetchone(), connection) == (0,)


def test_on_the_wrong_worker_a_request_is_refused_and_does_not_find_nothing(cluster, customers):
    customer = customers[0]
    wrong = next(worker for worker in cluster.workers if worker is not customer.worker())
    with wrong.connect("pipeline_app") as connection, pytest.raises(psycopg.OperationalError, match="to log in"):
        customer.do(lambda: add_lead("Lost"), connection)


def test_a_statement_is_one_task_or_is_named_here(cluster, customers, capsys):
    customer = customers[0]
    with customer.worker().connect("pipeline_app") as connection, connection.transaction(), queries.on(connection):
        customer.enter(connection)
        found = {query.name: planned(connection, query) for query in queries}
    refused = {
        name: how for name, how in found.items() if how.startswith("refused") and not any(map(how.count, OTHERS))
    }
    counted = Counter(how for name, how in found.items() if how in ("one task", "no table") or name in refused)
    with capsys.disabled():
        print("", *(f"{count:4} {how}" for how, count in counted.most_common()), sep="\n")
    assert set(refused) == NOT_PLANNED
    assert {name for name, how in found.items() if how.endswith("tasks")} == IN_STEPS
    assert not [name for name in IN_STEPS if not found[name].endswith("at most 1 tasks")]


def test_organizations_spread_over_the_workers_and_each_works_on_its_own(cluster, customers, capsys):
    with Clients(customers) as clients:
        time.sleep(10)
    added = Counter()
    for customer in customers:
        added[customer.worker().name] += len(clients.added[customer.id])
    with capsys.disabled():
        print(f"\nleads added in 10 s by {len(customers)} clients: {dict(added)}")
    assert clients.failures == {}
    assert {*added} == {worker.name for worker in cluster.workers}
    assert min(added.values()) > 100


def kept(customers, clients):
    """How many leads were promised, and those of them that are not there."""
    promised = sum(len(ids) for ids in clients.added.values())
    ids = "select array_agg(id) from app.leads where organization_id = %s"
    lost = [
        id
        for customer in customers
        for id in set(clients.added[customer.id]) - set(rows(customer.worker(), ids, [customer.id])[0][0] or [])
    ]
    return promised, lost


def test_a_worker_that_is_killed_costs_the_requests_of_its_organizations_alone(cluster, customers, capsys):
    victim = customers[0].worker()
    its_own = {customer.id for customer in customers if customer.worker() is victim}
    with Clients(customers) as clients:
        time.sleep(3)
        victim.restart()
        before = {id: len(added) for id, added in clients.added.items()}
        wait_until(lambda: all(len(clients.added[id]) > count for id, count in before.items()), 60, "all work again")
    promised, lost = kept(customers, clients)
    with capsys.disabled():
        print(f"\n{promised} leads promised, {len(lost)} lost; refused: {sum(clients.failed.values())}")
    assert lost == []
    assert clients.failed
    assert set(clients.failed) <= its_own


def test_shards_are_moved_while_clients_work_and_nothing_is_lost(cluster, customers, capsys):
    customer = customers[0]
    source, target = customer.worker(), next(node for node in cluster.workers if node is not customer.worker())
    shard = rows(cluster.coordinator, SHARD, [customer.id])[0][0]
    with Clients(customers) as clients:
        time.sleep(2)
        started = time.monotonic()
        rows(cluster.coordinator, MOVE, [shard, source.port, target.port])
        seconds = time.monotonic() - started
        before = {id: len(added) for id, added in clients.added.items()}
        wait_until(lambda: all(len(clients.added[id]) > count for id, count in before.items()), 60, "all work again")
    promised, lost = kept(customers, clients)
    with capsys.disabled():
        print(f"\nmoved in {seconds:.1f} s; {promised} leads promised, {len(lost)} lost; refused: {clients.failures}")
    assert customer.worker() is target
    assert lost == []


def test_after_a_move_the_shards_are_as_closed_as_before(cluster, customers):
    test_every_policy_of_every_shard_asks_for_the_organization(cluster)
    test_an_organization_sees_its_own_rows_alone_among_those_of_its_shards(cluster, customers)
