"""The database goes away and returns: 503 meanwhile, without a restart."""

import contextlib
from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest
import structlog
from webtest import TestApp

from development.redis import EmbeddedRedis
from pipeline.http.front import health
from tests.http.applications import application, settings_of
from tests.http.target import assert_problem
from tests.support import Api
from tests.waiting import wait_until

LOGIN = {"email": "nobody@example.com", "password": "secret"}


@pytest.fixture
def client(own_server, monkeypatch):
    """A client of an application on that server, which asks the database for each `/readyz`."""
    monkeypatch.setattr(health, "FRESH_SECONDS", 0.0)
    with application(settings_of(own_server)) as app:
        yield Api(TestApp(app))


def unavailable(response):
    assert_problem(response, 503, "unavailable")
    return int(response.headers["Retry-After"]) > 0


def test_without_a_database_the_service_is_unavailable_and_recovers_by_itself(own_server, client, monkeypatch):
    assert client.post("/api/auth/login", LOGIN).status_int == 401
    own_server.stop()
    with monkeypatch.context() as impatient:
        for database in (client.app.app.registry.app, client.app.app.registry.forms):
            impatient.setattr(database.pool, "timeout", 0.1)
        assert unavailable(client.post("/api/auth/login", LOGIN))
        assert unavailable(client.get("/api/public/interview/" + "0" * 64))
        assert unavailable(client.get("/readyz"))
    client.get("/healthz", status=200)
    own_server.start()
    assert client.post("/api/auth/login", LOGIN).status_int == 401
    assert client.get("/api/public/interview/" + "0" * 64).status_int == 404
    client.get("/readyz", status=200)


def test_a_refused_connection_is_logged_in_the_server_s_own_words(own_server):
    with application(settings_of(own_server)) as app, psycopg.connect(own_server.url(), autocommit=True) as owner:
        owner.execute("alter role pipeline_app nologin")
        owner.execute("select pg_terminate_backend(pid) from pg_stat_activity where usename = 'pipeline_app'")
        with structlog.testing.capture_logs() as lines:
            unavailable(Api(TestApp(app)).post("/api/auth/login", LOGIN))
        owner.execute("alter role pipeline_app login")
    (line,) = [line for line in lines if line["event"] == "database"]
    assert 'role "pipeline_app" is not permitted to log in' in line["error"]


def test_a_service_that_starts_waits_for_its_first_connection(own_server):
    own_server.stop()
    with contextlib.ExitStack() as opened:
        with structlog.testing.capture_logs() as lines, ThreadPoolExecutor(1) as threads:
            starting = threads.submit(opened.enter_context, application(settings_of(own_server)))
            wait_until(lambda: "waiting for PostgreSQL" in [line["event"] for line in lines] or starting.done())
            own_server.start()
        Api(TestApp(starting.result())).get("/readyz", status=200)


def test_a_short_restart_is_not_even_noticed(own_server, client):
    client.get("/readyz", status=200)
    own_server.stop()
    own_server.start()
    client.get("/readyz", status=200)
    assert client.post("/api/auth/login", LOGIN).status_int == 401


def test_a_database_without_the_schema_is_not_ready(own_server, client):
    client.get("/readyz", status=200)
    with_owner = own_server.url()
    rename(with_owner, "alembic_version", "elsewhere")
    assert unavailable(client.get("/readyz"))
    rename(with_owner, "elsewhere", "alembic_version")
    client.get("/readyz", status=200)


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


def rename(url, old, new):
    with psycopg.connect(url) as connection:
        connection.execute(f"alter table public.{old} rename to {new}")
