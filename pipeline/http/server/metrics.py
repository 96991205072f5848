"""`/metrics` of the web processes, Redis and the database."""

import threading
import time
from collections.abc import Iterator

import psycopg
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector
from pyramid.config import Configurator
from pyramid.registry import Registry
from pyramid.response import Response

from pipeline.database import Database, Row, not_none, queries
from pipeline.http.request import Request
from pipeline.http.security import PUBLIC
from pipeline.http.server.health import redis_state
from pipeline.process.metrics import counted

# The endpoint is public: at most one text in this time.
FRESH_SECONDS = 1.0


def metrics(request: Request) -> Response:
    scrape: Scrape = request.registry.scrape
    body, age = scrape.text()
    return Response(body=body, headerlist=[("Content-Type", CONTENT_TYPE_LATEST), ("Age", str(round(age)))])


class Scrape:
    """The text of /metrics, cached for one second; one thread renews it."""

    def __init__(self, collector: Collector) -> None:
        self.collector, self.lock, self.made = collector, threading.Lock(), 0.0
        self.last: bytes | None = None

    def text(self) -> tuple[bytes, float]:
        """(text, its age in seconds)."""
        if self._is_old() and self.lock.acquire(blocking=self.last is None):
            try:
                if self._is_old():
                    made = time.monotonic()
                    self.last, self.made = generate_latest(counted()) + generate_latest(self.collector), made
            finally:
                self.lock.release()
        return self.last or b"", time.monotonic() - self.made

    def _is_old(self) -> bool:
        return self.last is None or time.monotonic() >= self.made + FRESH_SECONDS


class Servers(Collector):
    """Metrics read from Redis and the database at each scrape."""

    def __init__(self, registry: Registry) -> None:
        self.registry = registry

    def collect(self) -> Iterator[Metric]:
        """The metrics; for an absent server only its state."""
        if (state := redis_state(self.registry.health_redis)) != "none":
            yield GaugeMetricFamily("pipeline_redis_up", "Whether Redis answers.", float(state == "ok"))
        yield from self._backlog(self.registry.app)
        if states := self.registry.app.states():
            yield from _cells(states)

    def _backlog(self, database: Database) -> Iterator[Metric]:
        try:
            found = [_backlog_of(cell) for cell in database.cells if cell.cell not in database.away]
        except psycopg.Error:
            yield GaugeMetricFamily("pipeline_database_up", "Whether the database answers.", 0)
            return
        yield GaugeMetricFamily("pipeline_database_up", "Whether the database answers.", 1)
        waiting = GaugeMetricFamily(
            "pipeline_outbox_waiting", "Events of a queue that are due and not delivered.", labels=["queue"]
        )
        oldest = GaugeMetricFamily(
            "pipeline_outbox_oldest_seconds", "Seconds since the oldest of these events was due.", labels=["queue"]
        )
        for rows in zip(*(backlog for backlog, _, _ in found), strict=True):
            waiting.add_metric([rows[0]["queue"]], sum(row["waiting"] for row in rows))
            oldest.add_metric([rows[0]["queue"]], max(row["oldest_seconds"] for row in rows))
        hooks = GaugeMetricFamily("pipeline_webhooks", "Webhooks that work, fail or are paused.", labels=["state"])
        for rows in zip(*(webhooks for _, webhooks, _ in found), strict=True):
            hooks.add_metric([rows[0]["state"]], sum(row["webhooks"] for row in rows))
        yield from (waiting, oldest, hooks)
        stored, largest = ([storage[kind] for _, _, storage in found] for kind in ("bytes", "largest"))
        yield GaugeMetricFamily("pipeline_storage_bytes", "Bytes of all stored files.", sum(stored))
        yield GaugeMetricFamily(
            "pipeline_storage_largest_bytes", "Bytes of the files of the largest organization.", max(largest)
        )


def _backlog_of(database: Database) -> tuple[list[Row], list[Row], Row]:
    """(queues, webhooks, storage) of one server."""
    with database.transaction():
        return queries.outbox_backlog(), queries.webhooks_counted(), not_none(queries.file_storage_total())


def _cells(states: dict[str, tuple[str, float]]) -> Iterator[Metric]:
    there = GaugeMetricFamily("pipeline_cell_up", "Whether the server of a cell answers.", labels=["cell"])
    behind = GaugeMetricFamily(
        "pipeline_cell_lag_seconds",
        "Seconds by which a cell's copies of the shared tables are behind.",
        labels=["cell"],
    )
    for name, (state, seconds) in states.items():
        there.add_metric([name], float(state != "away"))
        behind.add_metric([name], seconds)
    yield from (there, behind)


def includeme(config: Configurator) -> None:
    config.registry.scrape = Scrape(Servers(config.registry))
    config.add_route("metrics", "/metrics", request_method=("GET", "HEAD"))
    config.add_view(metrics, route_name="metrics", permission=PUBLIC)
