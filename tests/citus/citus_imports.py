"""An import on a cluster: PostgreSQL plans its statements, on the shards that its organization has (docs/citus.md)."""

import contextlib
from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest

from pipeline.database import queries
from tests.chaos.processes import wait_until
from tests.citus.customers import add_lead, neighbours

pytestmark = pytest.mark.timeout(600)
BLOCKED = "select count(*) from pg_locks where not granted and %s = any(pg_blocking_pids(pid))"
IMPORTED = "select count(*) from app.leads where organization_id = %s and source = 'import'"
ROWS = "insert into lead_import_rows (row, first_name) select n, 'Ann' from generate_series(1, 100) n"


@pytest.fixture
def importing():
    """importing(customer): a connection in the transaction of an import that has begun."""

    @contextlib.contextmanager
    def begin(customer):
        connected = customer.worker().connect("pipeline_app")
        with connected as connection, connection.transaction(), queries.on(connection):
            customer.enter(connection)
            assert queries.lead_import_lock()
            queries.lead_import_begin()
            yield connection

    return begin


def test_no_statement_of_an_import_is_planned_by_citus(customers, importing):
    with importing(customers[0]):
        asked = [query for query in queries if query.name.startswith("lead_import_") and can_be_explained(query)]
        plans = {query.name: str(query.explained("verbose", **dict.fromkeys(query.parameters))) for query in asked}
    assert len(plans) >= 9
    assert {name for name, plan in plans.items() if "Citus" in plan} == set()
    assert "leads_" in plans["lead_import_insert"]


def can_be_explained(query):
    return query.statement.complete.text.lstrip().startswith(("select", "with", "insert", "update", "delete"))


def test_an_import_sees_and_makes_leads_of_its_own_organization_alone(cluster, customers, importing):
    one, other = neighbours(cluster, customers)
    for customer in (one, other):
        customer.asked(lambda: add_lead("Bo"))
    with importing(one) as connection:
        assert connection.execute("select distinct organization_id from leads").fetchall() == [(one.id,)]
        with pytest.raises(psycopg.errors.InsufficientPrivilege), connection.transaction():
            connection.execute("insert into leads (organization_id, first_name) values (%s, 'Eve')", [other.id])
        with pytest.raises(psycopg.errors.UndefinedColumn), connection.transaction():
            connection.execute("select password_hash from users")


def test_what_an_import_works_on_is_gone_at_its_end(customers):
    customer = customers[0]
    with customer.worker().connect("pipeline_app") as connection:
        for _ in range(2):
            assert customer.do(queries.lead_import_lock, connection)
            assert connection.execute("select to_regclass('pg_temp.leads')").fetchone() == (None,)


def test_a_move_waits_for_the_end_of_an_import_and_takes_its_leads_along(cluster, customers, importing):
    customer = customers[0]
    source = customer.worker()
    before = source.rows(IMPORTED, [customer.id])[0][0]
    with ThreadPoolExecutor(1) as pool:
        with importing(customer) as connection:
            connection.execute(ROWS)
            move = pool.submit(cluster.move, customer.id)
            pid = connection.info.backend_pid
            wait_until(lambda: source.rows(BLOCKED, [pid])[0][0], 60, "the move waits")
            assert len(queries.lead_import_insert()) == 100
        target = move.result()
    assert customer.worker() is target
    assert target.rows(IMPORTED, [customer.id])[0][0] == before + 100


def test_an_import_that_has_waited_for_a_move_ends_on_the_old_worker(cluster, customers):
    here = customers[0].worker()
    elsewhere = next(node for node in cluster.workers if node is not here)
    with elsewhere.connect() as connection:
        connection.execute("select set_config('app.organization_id', %s, false)", [str(customers[0].id)])
        with pytest.raises(psycopg.OperationalError, match="on another server"):
            connection.execute("select app.shards_held('{leads}')")
