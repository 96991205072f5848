"""How Citus plans the statements of sql/, and what that costs (docs/citus.md)."""

import time
from collections import Counter
from functools import partial
from statistics import median

import psycopg
import pytest

from pipeline.database import migrations, queries
from tests.citus.census import planned
from tests.citus.customers import Customer, add_lead

pytestmark = pytest.mark.timeout(600)

# What Citus cannot plan, and what it plans in steps, between which it would connect to other nodes (docs/citus.md).
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
