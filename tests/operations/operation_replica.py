"""Exports are read from a streaming standby, and by the primary while that is behind or away; each tenant's own."""

import contextlib
import re
import urllib.request

import psycopg
import pytest

from tests.chaos.processes import wait_until
from tests.operations.load import Load
from tests.operations.service import ask
from tests.operations.standby import Standby

CLIENTS, OLD_SECONDS = 8, 2

pytestmark = pytest.mark.timeout(600)


@pytest.fixture
def standby(service):
    standby = Standby(service.folder / "second", service.owner_url)
    with contextlib.closing(standby):
        standby.start_and_wait()
        yield standby


@pytest.fixture
def web(service, standby):
    old = {"DATABASE_REPLICA_SECONDS": str(OLD_SECONDS)}
    return service.serve(service.environ() | {"DATABASE_REPLICA_URL": standby.url("pipeline_app")} | old)


def let_follow(service, standby):
    """Return when the standby has all that the primary has written so far."""
    with psycopg.connect(service.owner_url) as primary, psycopg.connect(standby.url(), autocommit=True) as follower:
        written = primary.execute("select pg_current_wal_lsn()").fetchone()
        has = "select pg_last_wal_replay_lsn() >= cast(%s as pg_lsn)"
        wait_until(lambda: follower.execute(has, written).fetchone()[0], 60, "the standby follows")


def export(web, customer):
    url = f"http://127.0.0.1:{web.port}/api/leads/export"
    request = urllib.request.Request(url, headers=customer.headers)
    with urllib.request.urlopen(request, timeout=60) as response:
        return set(re.findall(r"[^,\s]+@[^,\s]+", response.read().decode()))


def reads(web):
    """{outcome: how many exports had it}."""
    with urllib.request.urlopen(f"http://127.0.0.1:{web.port}/metrics", timeout=10) as response:
        found = re.findall(r'pipeline_replica_reads_total{outcome="(\w+)"} (\d+)', response.read().decode())
    return {outcome: int(number) for outcome, number in found}


def read_as(web, customer, outcome):
    """Export until it is read so; the last export's addresses."""
    before, found = reads(web).get(outcome, 0), []
    wait_until(lambda: found.append(export(web, customer)) or reads(web).get(outcome, 0) > before, 60, outcome)
    return found[-1]


def test_exports_come_from_the_standby_and_from_the_primary_when_it_cannot(service, standby, web):
    one, other, *busy = service.organizations(web.port, 4)
    lead = {"first_name": "Ada", "email": "ada@one.example"}
    ask(one, "/api/leads", lead)
    ask(other, "/api/leads", lead | {"email": "ada@other.example"})
    let_follow(service, standby)
    with Load(busy, CLIENTS, lambda: web.port) as load, psycopg.connect(standby.url(), autocommit=True) as operator:
        assert read_as(web, one, "read") == {"ada@one.example"}
        operator.execute("select pg_wal_replay_pause()")
        ask(one, "/api/leads", lead | {"email": "new@one.example"})
        assert read_as(web, one, "behind") == {"ada@one.example", "new@one.example"}
        operator.execute("select pg_wal_replay_resume()")
        assert read_as(web, other, "read") == {"ada@other.example"}
        assert "ok     replica: a standby, " in service.run("doctor", environ=web.environ)
        operator.close()
        standby.kill()
        wait_until(lambda: not standby.server.is_ready(), 30, "the standby is gone")
        assert read_as(web, one, "away") == {"ada@one.example", "new@one.example"}
        standby.start_and_wait()
        assert read_as(web, one, "read") >= {"ada@one.example"}
    print(f"{load.answers.total()} other requests, failures: {load.failures}; exports: {reads(web)}")
    assert load.failures == {}
