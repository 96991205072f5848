"""Organizations at work on a cluster, while a worker is killed and while shards are moved (docs/citus.md)."""

import time
from collections import Counter

import pytest

from tests.chaos.processes import wait_until
from tests.citus.closed import open_policies
from tests.citus.customers import Clients

pytestmark = pytest.mark.timeout(600)


def wait_for_all(clients):
    """Return when each client has added a further lead."""
    before = {id: len(added) for id, added in clients.added.items()}
    wait_until(lambda: all(len(clients.added[id]) > count for id, count in before.items()), 60, "all work again")


def lost(customers, clients):
    """The ids of leads that were promised and are not there."""
    ids = "select array_agg(id) from app.leads where organization_id = %s"
    return [
        id
        for customer in customers
        for id in set(clients.added[customer.id]) - set(customer.worker().rows(ids, [customer.id])[0][0] or [])
    ]


def test_organizations_spread_over_the_workers_and_each_works_on_its_own(cluster, customers):
    with Clients(customers) as clients:
        time.sleep(10)
    added = Counter()
    for customer in customers:
        added[customer.worker().name] += len(clients.added[customer.id])
    assert clients.failures == {}
    assert {*added} == {worker.name for worker in cluster.workers}
    assert min(added.values()) > 100


def test_a_worker_that_is_killed_costs_the_requests_of_its_organizations_alone(cluster, customers, capsys):
    victim = customers[0].worker()
    its_own = {customer.id for customer in customers if customer.worker() is victim}
    with Clients(customers) as clients:
        time.sleep(3)
        with cluster.without(victim):
            pass
        wait_for_all(clients)
    with capsys.disabled():
        print(f"\na worker was killed: {clients}")
    assert lost(customers, clients) == []
    assert clients.failures
    assert {id for id, _ in clients.failures} <= its_own


def test_shards_are_moved_while_clients_work_and_nothing_is_lost(cluster, customers, capsys):
    customer = customers[0]
    with Clients(customers) as clients:
        time.sleep(2)
        started = time.monotonic()
        target = cluster.move(customer.id)
        seconds = time.monotonic() - started
        wait_for_all(clients)
    with capsys.disabled():
        print(f"\nmoved in {seconds:.1f} s: {clients}")
    assert customer.worker() is target
    assert lost(customers, clients) == []


def test_after_a_move_the_shards_are_as_closed_as_before(cluster):
    assert open_policies(cluster) == []
