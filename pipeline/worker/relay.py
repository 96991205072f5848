"""The relay: hands the due events of a queue from the outbox to Redis, woken by NOTIFY and by the clock.

An event that is handed over is leased for a few seconds. Only its delivery closes it: when the queue loses the task,
or the worker dies with it, the lease runs out and the event is handed over again. A repeated task finds the event
closed or locked and does nothing, so several relays at once do no harm either.

What lies in Redis is kept short on purpose. A backlog waits in the outbox, where a row is cheap and organizations take
turns: each has no more than its share in hand, waiting in Redis or being worked on, and the leases that run out
meanwhile cannot flood the queue with repetitions.
"""

import contextlib
import threading
import time
from collections.abc import Callable, Iterator

import kombu.exceptions
import psycopg
import redis
import structlog
from psycopg.rows import dict_row

from pipeline.database import Connection, is_pooled, never_prepare, queries
from pipeline.database.chaos import chaos_point
from pipeline.database.connections import VANISHED
from pipeline.telemetry import tracing
from pipeline.telemetry.metrics import queued, series
from pipeline.worker.queues import Queue

CHANNEL = "pipeline_outbox"
LEASE_SECONDS = 3.0
# How often to look for events without a NOTIFY: postponed ones, and those raised while the connection was lost.
SWEEP_SECONDS = 0.5
BUSY_SECONDS = 1.0  # for so long after the last event, more may be due that waits for its organization's share
BACKLOG_SECONDS = 0.02  # how soon to look again meanwhile
OUTAGE_SECONDS = 0.5
SOCKET_SECONDS = 3.0

# What passes by itself; anything else is logged with its traceback.
OUTAGES = (psycopg.OperationalError, redis.RedisError, kombu.exceptions.OperationalError, OSError)

log = structlog.get_logger("pipeline.relay")


class Relay(threading.Thread):
    """A thread that relays until `stop()`.

    url: the database as the jobs login; where it leads through a pooler, events are found by time alone, unless the
    operator vouches for the pooler's mode (`listens`). redis_url, queue (a Queue): where to. publish(organization_id,
    id, request_id): hands one event, or one delivery to a webhook, over; may raise.
    """

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
        """Relay; an outage of the database or the queue is waited for, and nothing else ends the thread either."""
        while not self._stopping.is_set():
            try:
                with self._listening() as connection:
                    busy_until = 0.0
                    while not self._stopping.is_set():
                        if self.relay(connection):
                            busy_until = time.monotonic() + BUSY_SECONDS
                        busy = time.monotonic() < busy_until
                        self._wait(connection, BACKLOG_SECONDS if busy else SWEEP_SECONDS)
            except Exception as error:
                self._tell_outage(error)
                self._stopping.wait(OUTAGE_SECONDS)

    def stop(self) -> None:
        """End the thread; what is leased and not handed over is due again soon."""
        self._stopping.set()
        self.join(2 * SOCKET_SECONDS)
        self.redis.close()

    def relay(self, connection: Connection) -> bool:
        """Fill the queue with due events when no more than a task for each place waits; False when there is none."""
        waiting = self.redis.llen(self.queue.key)
        self.queued.set(waiting)
        if waiting > self.queue.places:
            return True
        with queries.on(connection):
            leased = self.queue.lease(self.queue.length - waiting, LEASE_SECONDS)
        for event in leased:
            # A message to a webhook goes with no request's trace: it may tell of several.
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
            # In a pooler's hands the session is not ours: what we set would hold for the transactions of others.
            if self.listens or not is_pooled(connection):
                # A lease that a crash of the server forgets does no harm; no turn waits for the disk.
                connection.execute("set synchronous_commit = off")
                connection.execute(f"listen {CHANNEL}")
            else:
                never_prepare(connection)
            yield connection

    def _wait(self, connection: Connection, seconds: float) -> None:
        """Until somebody raises an event, or the time is over."""
        for _ in connection.notifies(timeout=seconds, stop_after=1):
            pass

    def _tell_outage(self, error: Exception) -> None:
        """Log an outage once, not at every attempt."""
        reason = type(error).__name__
        if self._away != reason:
            traceback = None if isinstance(error, OUTAGES) else error
            log.warning("relay waits for an outage to end", reason=reason, error=str(error), exc_info=traceback)
        self._away = reason
