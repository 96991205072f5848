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

from pipeline.database import Database, not_none, queries
from pipeline.http.core.request import Request
from pipeline.http.core.security import PUBLIC
from pipeline.http.front.health import redis_state
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

    def _backlog(self, database: Database) -> Iterator[Metric]:
        try:
            with database.transaction():
                backlog = queries.outbox_backlog()
                webhooks = queries.webhooks_counted()
                storage = not_none(queries.file_storage_total())
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
        for row in backlog:
            waiting.add_metric([row["queue"]], row["waiting"])
            oldest.add_metric([row["queue"]], row["oldest_seconds"])
        hooks = GaugeMetricFamily("pipeline_webhooks", "Webhooks that work, fail or are paused.", labels=["state"])
        for row in webhooks:
            hooks.add_metric([row["state"]], row["webhooks"])
        yield from (waiting, oldest, hooks)
        yield GaugeMetricFamily("pipeline_storage_bytes", "Bytes of all stored files.", storage["bytes"])
        yield GaugeMetricFamily(
            "pipeline_storage_largest_bytes", "Bytes of the files of the largest organization.", storage["largest"]
        )


def includeme(config: Configurator) -> None:
    config.registry.scrape = Scrape(Servers(config.registry))
    config.add_route("metrics", "/metrics", request_method=("GET", "HEAD"))
    config.add_view(metrics, route_name="metrics", permission=PUBLIC)
