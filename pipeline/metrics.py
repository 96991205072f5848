"""`/metrics`: what the service does, in Prometheus' text format.

Each request is counted and timed by the pattern of its route. Several web processes count together through files in
the folder that PROMETHEUS_MULTIPROC_DIR names; `pipeline serve` makes it before it starts them.
"""

import os

import psycopg
from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, CollectorRegistry, Gauge, Histogram, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector
from pyramid.response import Response

from pipeline.database import queries
from pipeline.security import PUBLIC

FOLDER = "PROMETHEUS_MULTIPROC_DIR"
SECONDS = (0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)

requests = Histogram(
    "pipeline_request_seconds", "Requests by route and status.", ["method", "route", "status"], buckets=SECONDS
)


def count(request, status, seconds):
    """Count a request that was answered with `status` after `seconds`."""
    route = getattr(request, "matched_route", None)
    method = request.method if route else "any"  # whoever asks for nothing of ours may send any word as method
    requests.labels(method, route.pattern if route else "none", status).observe(seconds)


def metrics(request):
    """The counts of all web processes, and the outbox's backlog unless the database is away."""
    body = generate_latest(_counted()) + generate_latest(_backlog(request.registry.app))
    return Response(body=body, headerlist=[("Content-Type", CONTENT_TYPE_LATEST)])


def _counted():
    if FOLDER not in os.environ:
        return REGISTRY
    registry = CollectorRegistry()
    MultiProcessCollector(registry)
    return registry


def _backlog(database):
    registry = CollectorRegistry()
    up = Gauge("pipeline_database_up", "Whether the database answers.", registry=registry)
    try:
        with database.transaction():
            backlog = queries.outbox_backlog()
    except psycopg.Error:
        return registry
    up.set(1)
    waiting = Gauge("pipeline_outbox_waiting", "Events that are due and not delivered.", registry=registry)
    oldest = Gauge("pipeline_outbox_oldest_seconds", "How long the oldest of them is due.", registry=registry)
    waiting.set(backlog["waiting"])
    oldest.set(backlog["oldest_seconds"])
    return registry


def includeme(config):
    """Add the route."""
    config.add_route("metrics", "/metrics", request_method=("GET", "HEAD"))
    config.add_view(metrics, route_name="metrics", permission=PUBLIC)
