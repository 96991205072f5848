"""Home's slots: a failover of home may lose them, and one command copies the shared tables again."""

import json
import re
from contextlib import closing

import psycopg
import pytest
from webtest import TestApp

from pipeline.cells.servers import drop_slot, has_slot, options
from pipeline.cells.shared import TABLES
from tests.cells.conftest import command
from tests.waiting import wait_until

SLOT = "pipeline_shared_north"
ROWS = "select md5(string_agg(one::text, '|' order by one::text)) from {} as one"


def contents(connection):
    """{table: a checksum of its rows} of the shared tables, without the time of the last second."""
    connection.execute("set timezone = 'UTC'")
    found = {table: connection.execute(ROWS.format(table)).fetchone() for table in TABLES if table != "cells.members"}
    members = connection.execute("select name, number from cells.members order by number").fetchall()
    return {**found, "cells.members": members}


@pytest.fixture
def lost(owners, cells):
    """The slot of north is lost, and people have signed in since."""
    owners["north"].execute(f"alter subscription {SLOT} disable")
    drop_slot(owners["home"], SLOT)
    owners["north"].execute(f"alter subscription {SLOT} enable")
    owners["home"].execute("update app.sessions set last_used_at = now()")
    yield
    cells("reconcile", "north")


def test_the_slot_of_a_cell_has_a_name_that_an_operator_can_write_down(there, owners):
    found = owners["home"].execute("select slot_name, plugin from pg_replication_slots where database is not null")
    assert found.fetchall() == [(SLOT, "pgoutput")]


class ReaderBetween:
    """A connection after whose first statement a reader takes the slot, as a subscription may."""

    def __init__(self, connection, reader):
        self.connection, self.reader, self.began = connection, reader, False

    def execute(self, *given):
        done = self.connection.execute(*given)
        if not self.began:
            self.began = True
            assert not self.reader.pgconn.exec_(b"START_REPLICATION SLOT read_late LOGICAL 0/0").error_message
        return done


def test_a_slot_is_dropped_although_a_reader_takes_it_meanwhile(owners):
    home = owners["home"]
    home.execute("select pg_create_logical_replication_slot('read_late', 'test_decoding')")
    with closing(psycopg.connect(home.info.dsn, replication="database")) as reader:
        drop_slot(ReaderBetween(home, reader), "read_late")
    assert not has_slot(home, "read_late")


def test_reconcile_copies_the_shared_tables_again_after_a_lost_slot(there, lost, owners, cells, environ):
    assert contents(owners["home"]) != contents(owners["north"])
    assert "north" in (listed := cells("list")).partition("without a slot: pipeline cells reconcile north")[0]
    assert "without a slot" in listed
    assert "north is without a slot: pipeline cells reconcile north" in command("doctor", environ=environ).output
    cells("reconcile", "north")
    wait_until(lambda: contents(owners["home"]) == contents(owners["north"]))
    there.member.get("/api/leads", status=200)
    assert "without a slot" not in cells("list")


def test_readyz_and_metrics_name_a_cell_that_does_not_follow_home(there, lost, app, cell_jobs):
    def state():
        return json.loads(TestApp(app).get("/readyz", status=200).body)["cells"]["north"]

    assert cell_jobs.cells
    wait_until(lambda: state() == "behind")
    scraped = TestApp(app).get("/metrics", status=200).text
    (seconds,) = re.findall(r'^pipeline_cell_lag_seconds\{cell="north"\} (\S+)$', scraped, re.MULTILINE)
    assert float(seconds) > 5


def test_a_slot_that_outgrew_its_limit_is_lost(there, owners, cells):
    home, north = owners["home"], owners["north"]
    home.execute("alter system set max_slot_wal_keep_size = '1MB'")
    north.execute(f"alter subscription {SLOT} disable")
    try:
        home.execute("select pg_reload_conf()")
        wait_until(lambda: not home.execute("select from pg_stat_replication").fetchall())
        for _ in range(3):
            home.execute("select pg_logical_emit_message(false, 'test', 'x'), pg_switch_wal()")
        home.execute("checkpoint")
        wait_until(lambda: not has_slot(home, SLOT))
        assert "without a slot: pipeline cells reconcile north" in cells("list")
    finally:
        home.execute("alter system reset max_slot_wal_keep_size")
        home.execute("select pg_reload_conf()")
        cells("reconcile", "north")
    assert has_slot(home, SLOT)


@pytest.mark.parametrize(
    ("subscriber", "publisher", "written"),
    [
        (150012, 150012, ""),
        (160003, 150012, " with (run_as_owner = true)"),
        (170002, 160003, " with (run_as_owner = true)"),
        (160003, 170002, " with (run_as_owner = true)"),
        (170002, 170002, " with (run_as_owner = true, failover = true)"),
    ],
)
def test_a_slot_survives_a_failover_from_postgresql_17_on(subscriber, publisher, written):
    assert options(subscriber, publisher) == written


def test_the_logins_of_the_service_cannot_read_the_passwords_of_subscriptions(there, servers):
    for login in ("pipeline_app", "pipeline_forms", "pipeline_jobs"):
        with psycopg.connect(servers["north"].url(login)) as connection, pytest.raises(psycopg.Error, match="denied"):
            connection.execute("select subconninfo from pg_subscription")
