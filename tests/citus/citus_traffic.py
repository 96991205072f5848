"""Organizations at work on a cluster, while a worker is killed and while shards are moved (docs/citus.md)."""

import time
from collections import Counter

import pytest

from tests.chaos.processes import wait_until
from tests.citus.closed import open_policies
from tests.citus.customers import MOVE, SHARD, Clients

pytestmark = pytest.mark.timeout(600)


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
        for id in set(clients.added[customer.id]) - set(customer.worker().rows(ids, [customer.id])[0][0] or [])
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
    shard = cluster.coordinator.rows(SHARD, [customer.id])[0][0]
    with Clients(customers) as clients:
        time.sleep(2)
        started = time.monotonic()
        cluster.coordinator.rows(MOVE, [shard, source.port, target.port])
        seconds = time.monotonic() - started
        before = {id: len(added) for id, added in clients.added.items()}
        wait_until(lambda: all(len(clients.added[id]) > count for id, count in before.items()), 60, "all work again")
    promised, lost = kept(customers, clients)
    with capsys.disabled():
        print(f"\nmoved in {seconds:.1f} s; {promised} leads promised, {len(lost)} lost; refused: {clients.failures}")
    assert customer.worker() is target
    assert lost == []


def test_after_a_move_the_shards_are_as_closed_as_before(cluster):
    assert open_policies(cluster) == []
