"""`/readyz` proves within seconds that the database accepts writes, at any rate of calls."""

import threading

import psycopg
import pytest
from webtest import TestApp

from pipeline.http.front import health
from tests.http.applications import application, settings_of
from tests.http.target import assert_problem
from tests.support import Api
from tests.waiting import SECONDS, wait_until


@pytest.fixture
def operator(own_server):
    """A superuser's connection."""
    with psycopg.connect(own_server.url(), autocommit=True) as connection:
        yield connection


@pytest.fixture
def client(own_server):
    """A client of an application on that server."""
    with application(settings_of(own_server, DATABASE_POOL="3", WEB_THREADS="2")) as app:
        yield Api(TestApp(app))


@pytest.fixture
def always_asks(monkeypatch):
    """The database is asked for each request."""
    monkeypatch.setattr(health, "FRESH_SECONDS", 0.0)


def told(client, reason):
    """Whether it is not ready, for this reason."""
    answer = client.get("/readyz")
    assert_problem(answer, 503, "unavailable")
    assert int(answer.headers["Retry-After"]) > 0
    return answer.json["reason"] == reason


def test_a_database_that_takes_no_changes_is_not_ready(always_asks, client, operator):
    client.get("/readyz", status=200)
    operator.execute("alter system set default_transaction_read_only = on")
    operator.execute("select pg_reload_conf()")
    try:
        wait_until(lambda: client.get("/readyz").status_int == 503)
        assert told(client, "read_only")
        assert_problem(client.post("/api/auth/login", {"email": "a@x.example", "password": "b"}), 401)
    finally:
        operator.execute("set default_transaction_read_only = off")
        operator.execute("alter system reset default_transaction_read_only")
        operator.execute("select pg_reload_conf()")
    wait_until(lambda: client.get("/readyz").status_int == 200)


@pytest.mark.parametrize("login", ["pipeline_app", "pipeline_forms"])
def test_a_disk_without_room_is_not_ready(always_asks, client, operator, login):
    operator.execute(f"alter role {login} set temp_file_limit = '64kB'")
    try:
        reconnect(operator)
        wait_until(lambda: client.get("/readyz").status_int == 503)
        assert told(client, "no_room")
    finally:
        operator.execute(f"alter role {login} reset temp_file_limit")
        reconnect(operator)


def test_a_probe_leaves_nothing_behind(always_asks, client, operator):
    client.get("/readyz", status=200)
    size = "select sum(pg_total_relation_size(oid)) from pg_class where relkind = 'r'"
    before = operator.execute(size).fetchone()
    for _ in range(20):
        client.get("/readyz", status=200)
    assert operator.execute(size).fetchone() == before


def test_however_often_it_is_asked_the_database_is_asked_once_a_second(client, monkeypatch):
    asked = []
    readiness = health.Readiness(lambda: asked.append(1) or {"status": "ready"})
    monkeypatch.setattr(client.app.app.registry, "readiness", readiness)
    for _ in range(50):
        client.get("/readyz", status=200)
    assert len(asked) == 1


def test_a_database_that_hangs_is_told_in_time_and_asked_by_one_thread_only(monkeypatch):
    monkeypatch.setattr(health, "PATIENCE_SECONDS", 0.2)
    hanging, asked = threading.Event(), []
    readiness = health.Readiness(lambda: asked.append(1) or hanging.wait(10 * SECONDS))
    try:
        for _ in range(3):
            with pytest.raises(health.NotReady):
                readiness.body()
        assert len(asked) == 1
    finally:
        hanging.set()


def test_what_goes_wrong_is_told_again_without_asking_again():
    asked = []

    def fails():
        asked.append(1)
        raise health.NotReady("schema", "No.")

    readiness = health.Readiness(fails)
    for _ in range(3):
        with pytest.raises(health.NotReady, match="unavailable"):
            readiness.body()
    assert len(asked) == 1


def reconnect(operator):
    """End the connections of the service, so that new ones take a role's new settings."""
    ours = "select pg_terminate_backend(pid) from pg_stat_activity where usename like 'pipeline_%'"
    operator.execute(ours)
