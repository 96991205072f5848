"""`/healthz`: the process serves. `/readyz`: its database is writable and its schema usable."""

import concurrent.futures
import threading
import time
from collections.abc import Callable
from typing import Any

import psycopg
import redis
from psycopg.rows import tuple_row
from pyramid.config import Configurator
from pyramid.response import Response

from pipeline.database import dumps, not_none, queries, revisions
from pipeline.http.request import Registry, Request
from pipeline.http.security import PUBLIC
from pipeline.validation.errors import Problem

REDIS_SECONDS = 1.0
# The endpoints are public: at most one check in this time.
FRESH_SECONDS = 1.0
PATIENCE_SECONDS = 5.0
STATEMENT_TIMEOUT = "2s"
# (reason, detail) of failures, some by SQLSTATE.
READ_ONLY = ("read_only", "The database takes no changes.")
REASONS = {"25006": READ_ONLY} | dict.fromkeys(
    ("53100", "53400", "58030"), ("no_room", "The database cannot write to its disk.")
)
AWAY = ("database", "The database cannot be used.")


def healthz(request: Request) -> Response:
    return Response(body=b'{"status": "ok"}', content_type="application/json")


def readyz(request: Request) -> Response:
    """200 when requests can be served, else 503 with `reason`."""
    readiness: Readiness = request.registry.readiness
    return Response(body=dumps(readiness.body()), content_type="application/json")


class NotReady(Problem):
    """The 503 with `reason` `database`, `read_only`, `no_room` or `schema`."""

    def __init__(self, reason: str, detail: str | None) -> None:
        super().__init__("unavailable", detail, reason=reason)
        self.reason = reason


class Readiness:
    """The result of `check()` or its NotReady, cached for one second."""

    def __init__(self, check: Callable[[], dict[str, Any]]) -> None:
        self._check, self._lock = check, threading.Lock()
        self._last: concurrent.futures.Future[dict[str, Any]] | None = None
        self._asked = 0.0

    def body(self) -> dict[str, Any]:
        """The last result; raises NotReady."""
        with self._lock:
            now = time.monotonic()
            if self._last is None or (self._last.done() and now >= self._asked + FRESH_SECONDS):
                self._last, self._asked = concurrent.futures.Future(), now
                # A process waits at its end for the threads of a pool.
                threading.Thread(target=self._run_check, args=(self._last,), daemon=True).start()
            last, left = self._last, self._asked + PATIENCE_SECONDS - now
        try:
            return last.result(max(0.0, left))
        except concurrent.futures.TimeoutError:
            raise NotReady("database", "The database does not answer in time.") from None
        except NotReady as found:  # raised in several threads, so copied
            raise NotReady(found.reason, found.detail) from None

    def _run_check(self, asked: concurrent.futures.Future[dict[str, Any]]) -> None:
        try:
            asked.set_result(self._check())
        except BaseException as error:
            asked.set_exception(error)


def check(registry: Registry) -> dict[str, Any]:
    """The body of a 200; raises NotReady."""
    for database in (registry.forms, registry.app):
        try:
            with database.transaction() as connection:
                queries.health_probe_patience(statement_timeout=STATEMENT_TIMEOUT)
                standing = revisions.schema_state(connection.cursor(row_factory=tuple_row))
                written = not_none(queries.health_probe())
        except psycopg.Error as error:
            raise NotReady(*REASONS.get(error.sqlstate or "", AWAY)) from error
        if written["read_only"]:
            raise NotReady(*READ_ONLY)
        if not standing.is_usable_by(registry.schema_head):
            raise NotReady("schema", "The schema of the database does not fit this release.")
    found = {"schema": standing.revision, "release": registry.schema_head}
    states = {name: state for name, (state, _behind) in registry.app.states().items()}
    return {
        "status": "ready",
        **found,
        "redis": redis_state(registry.health_redis),
        **({"cells": states} if states else {}),
    }


def redis_state(client: redis.Redis | None) -> str:
    """ "ok", "away", or "none" without REDIS_URL."""
    if client is None:
        return "none"
    try:
        return "ok" if client.ping() else "away"
    except redis.RedisError:
        return "away"


def includeme(config: Configurator) -> None:
    registry = config.registry
    registry.schema_head = revisions.head()
    registry.readiness = Readiness(lambda: check(registry))
    url = registry.pipeline.redis_url
    waits = {"socket_timeout": REDIS_SECONDS, "socket_connect_timeout": REDIS_SECONDS}
    registry.health_redis = redis.Redis.from_url(url, **waits) if url else None
    for view in (healthz, readyz):
        config.add_route(view.__name__, f"/{view.__name__}", request_method=("GET", "HEAD"))
        config.add_view(view, route_name=view.__name__, permission=PUBLIC)
