"""The relay hands due events from the outbox to Redis.

It leases an event for seconds; the delivery completes it. Organizations take turns.
"""

import contextlib
import threading
from collections.abc import Callable, Iterator

import kombu.exceptions
import psycopg
import redis
import structlog
from psycopg.rows import dict_row

from pipeline.database import Connection, is_pooled, never_prepare, queries
from pipeline.database.connections import VANISHED
from pipeline.database.execution import chaos_point
from pipeline.process import tracing
from pipeline.process.metrics import queued, series
from pipeline.worker.queues import Queue

LEASE_SECONDS = 3.0
# For postponed events and lost connections.
SWEEP_SECONDS = 0.5
# After a lease more may be due. The interval grows while nothing is, so a slow event delays the next one by a quarter.
BACKLOG_SECONDS, GROWTH = 0.02, 1.25
OUTAGE_SECONDS = 0.5
SOCKET_SECONDS = 3.0

# Errors that are logged without a traceback.
OUTAGES = (psycopg.OperationalError, redis.RedisError, kombu.exceptions.OperationalError, OSError)

log = structlog.get_logger("pipeline.relay")


class Relay(threading.Thread):
    """A thread that relays until `stop()`. Behind a pooler it polls, unless `listens`."""

    def __init__(
        self,
        url: str,
        redis_url: str,
        queue: Queue,
        publish: Callable[[int, int, str | None], None],
        listens: bool = False,
    ) -> None:
        super().__init__(name="relay", daemon=True)
        self.url, self.queue, self.publish, self.listens = url, queue, publish, listens
        self.queued = series(queued, queue.name)
        self.redis = redis.Redis.from_url(
            redis_url, socket_timeout=SOCKET_SECONDS, socket_connect_timeout=SOCKET_SECONDS
        )
        self._stopping = threading.Event()
        self._away: str | None = None

    def run(self) -> None:
        """Relay; retries after any error."""
        while not self._stopping.is_set():
            try:
                with self._listening() as connection:
                    interval = SWEEP_SECONDS
                    while not self._stopping.is_set():
                        interval = BACKLOG_SECONDS if self.relay(connection) else min(GROWTH * interval, SWEEP_SECONDS)
                        self._wait(connection, interval)
            except Exception as error:
                self._log_outage(error)
                self._stopping.wait(OUTAGE_SECONDS)

    def stop(self) -> None:
        self._stopping.set()
        self.join(2 * SOCKET_SECONDS)
        self.redis.close()

    def relay(self, connection: Connection) -> bool:
        """Fill the queue if few tasks wait; False if nothing is due."""
        waiting = self.redis.llen(self.queue.key)
        self.queued.set(waiting)
        if waiting > self.queue.places:
            return True
        with queries.on(connection):
            leased = self.queue.lease(self.queue.length - waiting, LEASE_SECONDS)
        for event in leased:
            # A message may cover several requests, so it has no trace.
            with tracing.span(f"relay {self.queue.name}", tracing.PRODUCER, event.get("traceparent")):
                self.publish(event["organization_id"], event["id"], event["request_id"])
            chaos_point("after_publish")
        if self._away:
            self._away = None
            log.info("relaying again")
        return bool(leased)

    @contextlib.contextmanager
    def _listening(self) -> Iterator[Connection]:
        with psycopg.connect(
            self.url, autocommit=True, row_factory=dict_row, application_name="pipeline relay", **VANISHED
        ) as connection:
            # A pooler shares the session with others.
            if self.listens or not is_pooled(connection):
                # A lost lease is harmless, so commits need no disk.
                connection.execute("set synchronous_commit = off")
                connection.execute(f"listen pipeline_{self.queue.name}")
            else:
                never_prepare(connection)
            yield connection

    def _wait(self, connection: Connection, seconds: float) -> None:
        for _ in connection.notifies(timeout=seconds, stop_after=1):
            pass

    def _log_outage(self, error: Exception) -> None:
        reason = type(error).__name__
        if self._away != reason:
            traceback = None if isinstance(error, OUTAGES) else error
            log.warning("relay waits for an outage to end", reason=reason, error=str(error), exc_info=traceback)
        self._away = reason
