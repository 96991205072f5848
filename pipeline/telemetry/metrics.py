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

requests = Counter("pipeline_requests", "Requests by route and status.", ["method", "route", "status"])
refusals = Counter("pipeline_refusals", "Requests that the server refused before the application, by code.", ["code"])
durations = Histogram("pipeline_request_seconds", "Requests by route.", ["method", "route"], buckets=SECONDS)
in_sql = Counter("pipeline_request_sql_seconds", "Seconds of these that were spent in SQL.", ["method", "route"])
turns = Histogram("pipeline_turn_seconds", "How long complete requests waited for a thread.", buckets=WAITS)
connection_waits = Histogram(
    "pipeline_pool_wait_seconds", "How long a transaction waited for a connection of a pool.", ["pool"], buckets=WAITS
)
connections_used = Gauge(
    "pipeline_pool_used", "Connections of a pool that are in use.", ["pool"], multiprocess_mode="livesum"
)
connections_most = Gauge(
    "pipeline_pool_size", "Connections that a pool may have.", ["pool"], multiprocess_mode="livesum"
)
connections_missed = Counter("pipeline_pool_failures", "Transactions that got no connection.", ["pool"])
limits_alone = Counter(
    "pipeline_limits_alone",
    "Requests that a process counted against a rate limit by itself, because Redis did not answer.",
)
replica_reads = Counter(
    "pipeline_replica_reads",
    "Reads that may be old: by the replica (read), or not as it was behind or away.",
    ["outcome"],
)
renders = Histogram(
    "pipeline_render_seconds", "Documents rendered, by kind and outcome.", ["kind", "outcome"], buckets=LONG_SECONDS
)
deliveries = Histogram(
    "pipeline_delivery_seconds",
    "Tries to deliver an event, by its name and their outcome.",
    ["event", "outcome"],
    buckets=LONG_SECONDS,
)
ages = Histogram(
    "pipeline_delivery_age_seconds", "How old events were when they were delivered.", ["event"], buckets=AGES
)
webhooks = Histogram(
    "pipeline_webhook_seconds",
    "Tries to send a message to a webhook, by what has become of them: delivered, postponed or given_up.",
    ["outcome"],
    buckets=SECONDS,
)
mails = Counter("pipeline_mails", "Emails by what has become of them: sent, failed or skipped.", ["status"])
# `job` is Prometheus's label.
jobs = Histogram("pipeline_job_seconds", "Runs of the jobs that are done by time.", ["name"], buckets=LONG_SECONDS)
job_failures = Counter("pipeline_job_failures", "Organizations in which a job failed.", ["name"])
queued = Gauge(
    "pipeline_queue_tasks", "Tasks of a queue that wait in Redis.", ["queue"], multiprocess_mode="mostrecent"
)
job_ends = Gauge("pipeline_job_last_end", "When a job ended last (epoch).", ["name"], multiprocess_mode="max")


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
