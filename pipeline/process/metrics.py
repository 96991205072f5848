"""Prometheus metrics; several processes share files in PROMETHEUS_MULTIPROC_DIR."""

import contextlib
import functools
import os
import tempfile
import time
from collections.abc import Iterator
from typing import Any

from prometheus_client import REGISTRY, CollectorRegistry, Counter, Gauge, Histogram, disable_created_metrics
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead

FOLDER = "PROMETHEUS_MULTIPROC_DIR"
SECONDS = (0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)
WAITS = (0.0005, 0.001, 0.005, 0.025, 0.1, 0.5, 1, 3)
LONG_SECONDS = (0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300)
AGES = (0.1, 0.5, 1, 5, 30, 60, 300, 1800, 3600, 21600, 86400)

if FOLDER in os.environ:  # the library opens its files there
    try:
        os.makedirs(os.environ[FOLDER], exist_ok=True)
        tempfile.TemporaryFile(dir=os.environ[FOLDER]).close()
    except OSError as error:
        raise SystemExit(f"Error: {FOLDER} names a folder that cannot be used: {error}") from None
disable_created_metrics()  # a third of the text

requests = Counter("pipeline_requests", "Requests by method, route and status.", ["method", "route", "status"])
refusals = Counter(
    "pipeline_refusals", "Requests rejected by the server before they reached the application, by code.", ["code"]
)
durations = Histogram(
    "pipeline_request_seconds", "Duration of requests by method and route.", ["method", "route"], buckets=SECONDS
)
in_sql = Counter("pipeline_request_sql_seconds", "Seconds of request time spent in SQL.", ["method", "route"])
turns = Histogram("pipeline_turn_seconds", "Time that complete requests waited for a thread.", buckets=WAITS)
connection_waits = Histogram(
    "pipeline_pool_wait_seconds", "Time that transactions waited for a pooled connection.", ["pool"], buckets=WAITS
)
connections_used = Gauge("pipeline_pool_used", "Connections of a pool in use.", ["pool"], multiprocess_mode="livesum")
connections_most = Gauge("pipeline_pool_size", "Maximum connections of a pool.", ["pool"], multiprocess_mode="livesum")
connections_missed = Counter("pipeline_pool_failures", "Transactions that got no connection.", ["pool"])
limits_alone = Counter(
    "pipeline_limits_alone", "Requests counted against a rate limit in one process only, because Redis was unavailable."
)
renders = Histogram(
    "pipeline_render_seconds",
    "Duration of document rendering by kind and outcome.",
    ["kind", "outcome"],
    buckets=LONG_SECONDS,
)
deliveries = Histogram(
    "pipeline_delivery_seconds",
    "Duration of attempts to deliver an event, by event and outcome.",
    ["event", "outcome"],
    buckets=LONG_SECONDS,
)
ages = Histogram("pipeline_delivery_age_seconds", "Age of events at delivery.", ["event"], buckets=AGES)
webhooks = Histogram(
    "pipeline_webhook_seconds",
    "Duration of attempts to send a webhook message, by outcome: delivered, postponed or given_up.",
    ["outcome"],
    buckets=SECONDS,
)
mails = Counter(
    "pipeline_mails", "Emails by status: sent, failed, skipped, bounced; attempts by own_fault.", ["status"]
)
# `job` is Prometheus's label.
jobs = Histogram("pipeline_job_seconds", "Duration of scheduled jobs.", ["name"], buckets=LONG_SECONDS)
job_failures = Counter("pipeline_job_failures", "Failures of a job, counted per organization.", ["name"])
queued = Gauge("pipeline_queue_tasks", "Tasks of a queue waiting in Redis.", ["queue"], multiprocess_mode="mostrecent")
job_ends = Gauge("pipeline_job_last_end", "Time when a job last ended (Unix time).", ["name"], multiprocess_mode="max")


def counted() -> CollectorRegistry:
    """The registry of all processes."""
    if FOLDER not in os.environ:
        return REGISTRY
    registry = CollectorRegistry()
    MultiProcessCollector(registry)
    return registry


@contextlib.contextmanager
def together() -> Iterator[dict[str, str]]:
    """Share metrics among processes started here; yields their variables."""
    if FOLDER in os.environ:
        yield {FOLDER: os.environ[FOLDER]}
        return
    with tempfile.TemporaryDirectory(prefix="pipeline-metrics-") as folder:
        os.environ[FOLDER] = folder
        try:
            yield {FOLDER: folder}
        finally:
            del os.environ[FOLDER]


def forget_process(number: int) -> None:
    """Remove an ended process's gauges."""
    if FOLDER in os.environ:
        mark_process_dead(number)


@functools.cache
def series(metric: Counter | Gauge | Histogram, *labels: object) -> Any:
    """A cached series: the look-up is slow."""
    return metric.labels(*labels)


@contextlib.contextmanager
def timed(metric: Histogram, *labels: str) -> Iterator[list[str]]:
    """Observe the block's duration. Yields a list of the outcome, which the block may change; errors are `failed`."""
    outcome, started = ["done"], time.perf_counter()
    try:
        yield outcome
    except BaseException:
        outcome[0] = "failed" if outcome[0] == "done" else outcome[0]
        raise
    finally:
        series(metric, *labels, outcome[0]).observe(time.perf_counter() - started)
