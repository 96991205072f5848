"""A worker process for one queue."""

import os
import signal
import threading
import warnings
from contextlib import closing
from functools import partial
from types import FrameType
from typing import NoReturn

import structlog
from celery.apps.worker import Worker
from celery.exceptions import CPendingDeprecationWarning
from celery.platforms import SecurityWarning
from celery.worker import WorkController, state

from pipeline import documents, files
from pipeline.database import Database, cells, effects, open_cells, queries, renewal
from pipeline.database.waiting import until_there
from pipeline.process import metrics, tracing
from pipeline.process.settings import Settings
from pipeline.worker.app import import_effects, make_app
from pipeline.worker.delivery import GIVEN_UP
from pipeline.worker.jobs import JOBS
from pipeline.worker.queues import queue_of

log = structlog.get_logger("pipeline.worker")


def run(settings: Settings, name: str) -> int | None:
    """Work on a queue until a signal; 0 after an orderly stop. Raises LoginRefused.

    Tasks may finish for `worker_stop_seconds`; a second signal exits at once.
    """
    documents.configure(**settings.document_limits)
    files.configure(settings.storage_quota_mib)
    import_effects()
    count_from_zero()
    queries.reload = settings.environment == "development"
    tracing.configure(settings.traces_url, "pipeline-worker")
    queue = queue_of(settings, name)
    opened = partial(open_cells, settings, settings.database_jobs_url, queue.connections, cells.JOBS)
    with closing(until_there("PostgreSQL", opened)) as database:
        # A container's worker is root, but unpickles nothing.
        warnings.simplefilter("ignore", SecurityWarning)
        # Celery warns that it will cancel tasks while Redis is away; ours may finish.
        warnings.simplefilter("ignore", CPendingDeprecationWarning)
        worker = GentleWorker(
            app=make_app(settings, database, queue),
            without_mingle=True,
            without_gossip=True,
            without_heartbeat=True,
            quiet=True,
        )
        worker.stop_seconds, worker.database = settings.worker_stop_seconds, database
        # Early, for signals during the start.
        worker.install_platform_tweaks(worker)
        log.info("worker starts", queue=queue.name, threads=queue.places)
        worker.start()
        log.info("worker has stopped")
    return worker.exitcode


def count_from_zero() -> None:
    """Create the series of alerts at 0: Prometheus needs an increase."""
    for event in effects.handlers:
        metrics.series(metrics.deliveries, event, GIVEN_UP)
    for name in JOBS:
        metrics.series(metrics.job_failures, name)


class GentleWorker(Worker):
    """Celery's worker with our signals."""

    stop_seconds: int = 30
    database: Database

    def install_platform_tweaks(self, worker: WorkController) -> None:
        """Install our signal handlers."""
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._stop)
        renewal.renew_on_hangup((self.database, renewal.JOBS))

    def _stop(self, number: int, _frame: FrameType | None) -> None:
        if state.should_stop is not None:
            self._end("a second signal")
        state.should_stop = 0
        timer = threading.Timer(self.stop_seconds, self._end, ["tasks still running"])
        timer.daemon = True
        timer.start()

    def _end(self, reason: str) -> NoReturn:
        # The signal may have interrupted a holder of the log's lock.
        os.write(2, f"pipeline worker: ended at once ({reason})\n".encode())
        os._exit(1)
