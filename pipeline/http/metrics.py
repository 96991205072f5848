"""`/metrics`: what the service does, in Prometheus' text format.

Each request is counted and timed by the pattern of its route. Several web processes count together through files in
the folder that PROMETHEUS_MULTIPROC_DIR names; `pipeline serve` makes it before it starts them.
"""

import functools
import os
import threading
import time

import psycopg
from prometheus_client import (
    CONTENT_TYPE_LATEST,
    REGISTRY,
    CollectorRegistry,
    Counter,
    Histogram,
    disable_created_metrics,
    generate_latest,
)
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.multiprocess import MultiProcessCollector
from pyramid.response import Response

from pipeline.database import queries
from pipeline.security import PUBLIC

FOLDER = "PROMETHEUS_MULTIPROC_DIR"
# Anybody may ask, and as often as they like: a process makes the text this often at most.
FRESH_SECONDS = 1.0
# All other methods, and paths of no route, are counted as one: clients could invent any number of names.
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
SECONDS = (0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)

disable_created_metrics()  # leave out `_created`, when each series began: a third more text that no one reads
requests = Counter("pipeline_requests", "Requests by route and status.", ["method", "route", "status"])
refusals = Counter("pipeline_refusals", "Requests that the server refused before the application, by code.", ["code"])
durations = Histogram("pipeline_request_seconds", "Requests by route.", ["method", "route"], buckets=SECONDS)


def count(request, status, seconds):
    """Count a request that was answered with `status` after `seconds`."""
    route = getattr(request, "matched_route", None)
    method = request.method if route and request.method in METHODS else "any"
    pattern = route.pattern if route else "none"
    counter, histogram = _series(method, pattern, status)
    counter.inc()
    histogram.observe(seconds)


@functools.cache
def _series(method, pattern, status):
    """The counter and the histogram of these labels; to have them looked up costs more than to count."""
    return requests.labels(method, pattern, status), durations.labels(method, pattern)


def metrics(request):
    """The counts of all web processes, and the outbox's backlog unless the database is away."""
    body, age = request.registry.scrape.text()
    return Response(body=body, headerlist=[("Content-Type", CONTENT_TYPE_LATEST), ("Age", str(round(age)))])


class Scrape:
    """The text that was made last, made anew when it is a second old; `database` tells of the outbox.

    One thread makes it. Whoever asks meanwhile gets the last one; the first time there is none to wait with.
    """

    def __init__(self, database):
        self.lock, self.made, self.last = threading.Lock(), 0.0, None
        self.backlog = CollectorRegistry()
        self.backlog.register(Backlog(database))

    def text(self):
        """(text as bytes, its age in seconds)."""
        if self._is_old() and self.lock.acquire(blocking=self.last is None):
            try:
                if self._is_old():
                    made = time.monotonic()
                    self.last, self.made = generate_latest(_counted()) + generate_latest(self.backlog), made
            finally:
                self.lock.release()
        return self.last, time.monotonic() - self.made

    def _is_old(self):
        return self.last is None or time.monotonic() >= self.made + FRESH_SECONDS


def _counted():
    if FOLDER not in os.environ:
        return REGISTRY
    registry = CollectorRegistry()
    MultiProcessCollector(registry)
    return registry


class Backlog:
    """What the database says of the outbox, asked when the text is made: a collector, as a Gauge is a process's."""

    def __init__(self, database):
        self.database = database

    def describe(self):
        """Nothing: registering asks the database nothing."""
        return ()

    def collect(self):
        """The metric families; without a database only that it does not answer."""
        try:
            with self.database.transaction():
                backlog = queries.outbox_backlog()
                storage = queries.file_storage_total()
        except psycopg.Error:
            yield GaugeMetricFamily("pipeline_database_up", "Whether the database answers.", 0)
            return
        yield GaugeMetricFamily("pipeline_database_up", "Whether the database answers.", 1)
        for name, help, column in (
            ("pipeline_outbox_waiting", "Events of a queue that are due and not delivered.", "waiting"),
            ("pipeline_outbox_oldest_seconds", "How long the oldest of them is due.", "oldest_seconds"),
        ):
            family = GaugeMetricFamily(name, help, labels=["queue"])
            for row in backlog:
                family.add_metric([row["queue"]], row[column])
            yield family
        yield GaugeMetricFamily("pipeline_storage_bytes", "Content of all stored files.", storage["bytes"])
        yield GaugeMetricFamily(
            "pipeline_storage_largest_bytes", "That of the organization that has most.", storage["largest"]
        )


def includeme(config):
    """Add the route, and what it answers: `registry.scrape`."""
    config.registry.scrape = Scrape(config.registry.app)
    config.add_route("metrics", "/metrics", request_method=("GET", "HEAD"))
    config.add_view(metrics, route_name="metrics", permission=PUBLIC)
