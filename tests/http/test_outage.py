"""The database goes away, hangs or takes no changes: 503 and not ready meanwhile, without a restart."""

import contextlib
import threading
from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest
import structlog
from webtest import TestApp

from development.redis import EmbeddedRedis
from pipeline.http.server import health
from tests.http.applications import application, settings_of
from tests.http.target import assert_problem
from tests.support import Api
from tests.waiting import SECONDS, wait_until

LOGIN = {"email": "nobody@example.com", "password": "secret"}
FORM = "/api/public/interview/" + "0" * 64


@pytest.fixture
def client(own_server, monkeypatch):
    """A client of an application on that server, which asks the database for each `/readyz`."""
    monkeypatch.setattr(health, "FRESH_SECONDS", 0.0)
    with application(settings_of(own_server)) as app:
        yield Api(TestApp(app))


@pytest.fixture
def operator(own_server):
    with psycopg.connect(own_server.url(), autocommit=True) as connection:
        yield connection


def assert_unavailable(response):
    assert_problem(response, 503, "unavailable")
    assert int(response.headers["Retry-After"]) > 0


def assert_not_ready(client, reason):
    wait_until(lambda: client.get("/readyz").status_int == 503)
    answer = client.get("/readyz")
    assert_unavailable(answer)
    assert answer.json["reason"] == reason


def test_a_restart_is_not_noticed_and_after_an_outage_the_service_recovers_by_itself(own_server, client, monkeypatch):
    client.get("/readyz", status=200)
    own_server.stop()
    own_server.start()
    client.get("/readyz", status=200)
    client.post("/api/auth/login", LOGIN, status=401)
    own_server.stop()
    with monkeypatch.context() as impatient:
        for database in (client.app.app.registry.app, client.app.app.registry.forms):
            impatient.setattr(database.pool, "timeout", 0.1)
        assert_unavailable(client.post("/api/auth/login", LOGIN))
        assert_unavailable(client.get(FORM))
        assert_unavailable(client.get("/readyz"))
    client.get("/healthz", status=200)
    own_server.start()
    client.post("/api/auth/login", LOGIN, status=401)
    client.get(FORM, status=404)
    client.get("/readyz", status=200)


def test_a_service_that_starts_waits_for_its_first_connection(own_server):
    own_server.stop()
    with contextlib.ExitStack() as opened:
        with structlog.testing.capture_logs() as lines, ThreadPoolExecutor(1) as threads:
            starting = threads.submit(opened.enter_context, application(settings_of(own_server)))
            wait_until(lambda: "waiting for PostgreSQL" in [line["event"] for line in lines] or starting.done())
            own_server.start()
        Api(TestApp(starting.result())).get("/readyz", status=200)


def test_a_database_without_the_schema_is_not_ready(operator, client):
    client.get("/readyz", status=200)
    operator.execute("alter table public.alembic_version rename to elsewhere")
    assert_unavailable(client.get("/readyz"))
    operator.execute("alter table public.elsewhere rename to alembic_version")
    client.get("/readyz", status=200)


def test_a_database_that_takes_no_changes_is_not_ready(client, operator):
    operator.execute("alter system set default_transaction_read_only = on")
    operator.execute("select pg_reload_conf()")
    try:
        assert_not_ready(client, "read_only")
        client.post("/api/auth/login", LOGIN, status=401)
    finally:
        operator.execute("set default_transaction_read_only = off")
        operator.execute("alter system reset default_transaction_read_only")
        operator.execute("select pg_reload_conf()")
    wait_until(lambda: client.get("/readyz").status_int == 200)


@pytest.mark.parametrize("login", ["pipeline_app", "pipeline_forms"])
def test_a_disk_without_room_is_not_ready(client, operator, login):
    # New connections take a role's new settings.
    reconnect = "select pg_terminate_backend(pid) from pg_stat_activity where usename like 'pipeline_%'"
    operator.execute(f"alter role {login} set temp_file_limit = '64kB'")
    try:
        operator.execute(reconnect)
        assert_not_ready(client, "no_room")
    finally:
        operator.execute(f"alter role {login} reset temp_file_limit")
        operator.execute(reconnect)


@pytest.mark.parametrize("failure", [None, health.NotReady("schema", "No.")])
def test_however_often_it_is_asked_the_database_is_asked_once_a_second(failure):
    asked = []

    def ask():
        asked.append(1)
        if failure:
            raise failure
        return {"status": "ready"}

    readiness = health.Readiness(ask)
    for _ in range(50):
        with contextlib.suppress(health.NotReady):
            readiness.body()
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


def test_without_redis_the_service_is_ready_and_says_so(own_server, client, tmp_path):
    assert client.get("/readyz", status=200).json["redis"] == "none"
    with (
        EmbeddedRedis(tmp_path / "redis", durable=False) as redis,
        application(settings_of(own_server, REDIS_URL=redis.url())) as app,
    ):
        api = Api(TestApp(app))
        assert api.get("/readyz", status=200).json["redis"] == "ok"
        redis.stop()
        assert api.get("/readyz", status=200).json["redis"] == "away"
        redis.start()
        assert api.get("/readyz", status=200).json["redis"] == "ok"
        app.registry.health_redis.close()
