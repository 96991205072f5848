"""`pipeline distribute` on a cluster: repeated, interrupted, and refused."""

from contextlib import closing

import pytest

from pipeline.database import NotDistributed, open_database
from pipeline.database.cluster.distribution import Refused, distribute
from pipeline.database.nodes import STEPS

pytestmark = pytest.mark.timeout(600)


def test_a_second_time_changes_nothing(cluster):
    steps = f"select number, done_at from {STEPS} where statement <> 'copy' order by number"
    before = cluster.coordinator.rows(steps)
    distribute(cluster.coordinator.url())
    assert cluster.coordinator.rows(steps) == before


def test_what_was_interrupted_goes_on_where_it_was_and_nobody_works_there_till_then(cluster):
    constraint = "select count(*) from pg_constraint where conname = 'teams_organization_id_fkey' and conparentid = 0"
    undone = f"update {STEPS} set done_at = null where says like 'teams_organization_id_fkey %' or statement = 'copy'"
    with cluster.coordinator.connect() as connection:
        connection.execute("alter table app.teams drop constraint teams_organization_id_fkey")
        connection.execute(undone)
    with pytest.raises(NotDistributed, match="run pipeline distribute"):
        open_database(cluster.coordinator.url("pipeline_app"), 1)
    told = []
    distribute(cluster.coordinator.url(), told.append)
    assert told[0] == "1/1: teams_organization_id_fkey is checked."
    assert cluster.coordinator.rows(constraint) == [(1,)]
    open_database(cluster.coordinator.url("pipeline_app"), 1).close()


def test_a_worker_and_a_database_at_work_are_refused(cluster):
    with pytest.raises(Refused, match="This is a worker"):
        distribute(cluster.workers[0].url())
    with closing(open_database(cluster.coordinator.url("pipeline_app"), 1)), pytest.raises(Refused, match="stop it"):
        distribute(cluster.coordinator.url())


def test_an_organization_is_found_by_its_number_and_by_what_is_unique_over_all(cluster, customers):
    with closing(open_database(cluster.coordinator.url("pipeline_app"), 1)) as database:
        for customer in customers:
            worker = database.of(customer.id)
            assert worker is database.holding("organization", customer.name)
            assert f"port={customer.worker().port} " in worker.pool.conninfo
        assert database.holding("organization", "nobody") is database
        assert len(database.each()) == len(cluster.workers)
