"""The cost of requests on a cluster (docs/citus.md)."""

import time
from functools import partial
from statistics import median

import psycopg
import pytest

from pipeline.database import migrations, queries
from tests.citus.customers import Customer, add_lead

pytestmark = pytest.mark.timeout(600)


class Alone:
    """One PostgreSQL: a database on the coordinator's server that is not distributed."""

    def __init__(self, cluster):
        self.coordinator, self.node = self, cluster.coordinator
        with self.node.connect(database="postgres") as connection:
            connection.execute("create database alone")
        migrations.upgrade(self.node.url(database="alone"))

    def connect(self, login="postgres"):
        """An autocommit connection as the service has them: plans are kept."""
        connection = psycopg.connect(self.node.url(login, "alone"), autocommit=True)
        connection.execute("set plan_cache_mode = auto")
        return connection


def seconds(customer, work, connection):
    """How long a request of a Customer takes on a connection."""
    started = time.perf_counter()
    customer.do(work, connection)
    return time.perf_counter() - started


def test_a_request_takes_a_few_times_as_long_as_on_one_postgresql(cluster, customers, capsys):
    alone = Alone(cluster)
    here, there = customers[1], Customer(alone, "alone")
    told = []
    with here.worker().connect("pipeline_app") as cluster_one, alone.connect("pipeline_app") as plain_one:
        ways = ((here, cluster_one), (there, plain_one))
        lead = {customer: customer.do(lambda: add_lead("Ann"), connection) for customer, connection in ways}
        page = {"sort_by": "name", "sort_dir": "ASC", "limit": 25, "offset": 0, "near": True}
        for name, work in (
            ("one lead", lambda customer: queries.lead_get(id=lead[customer])),
            ("a page of leads", lambda _: queries.lead_list.json(**page)),
            ("a new lead", lambda _: add_lead("Bo")),
        ):
            taken = [[seconds(of, partial(work, of), by) for of, by in ways] for _ in range(100)]
            on_cluster, on_one = (median(column) * 1000 for column in zip(*taken, strict=True))
            told.append(f"{name}: {on_cluster:.1f} ms on the cluster, {on_one:.1f} ms on one PostgreSQL")
            assert on_cluster < 20 * on_one
    with capsys.disabled():
        print("", *told, sep="\n")
