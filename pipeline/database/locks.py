"""Logs the sessions that block a slow statement, while it waits."""

import threading
import time
from typing import Any

import psycopg
import structlog
from psycopg.rows import dict_row

from pipeline.database.execution import Running, running
from pipeline.database.queries import Row, queries
from pipeline.database.waiting import first_line

# A request waits at most two seconds for a lock.
AFTER_SECONDS, EACH_SECONDS = 1.0, 0.5

log = structlog.get_logger(__name__)


class LockWatch:
    """A thread that checks running statements until `close`."""

    def __init__(self, after: float = AFTER_SECONDS, each: float = EACH_SECONDS) -> None:
        self.after, self.each, self.closed = after, each, threading.Event()
        self.asked: set[Running] = set()
        self.thread = threading.Thread(target=self._run, name="locks", daemon=True)
        self.thread.start()

    def close(self) -> None:
        """Stop the thread."""
        self.closed.set()
        self.thread.join()

    def _run(self) -> None:
        while not self.closed.wait(self.each):
            before = time.perf_counter() - self.after
            late = {statement for statement in list(running.values()) if statement.since < before}
            for statement in late - self.asked:
                self._tell(statement)
            self.asked = late

    def _tell(self, statement: Running) -> None:
        try:
            for holder in holders(statement.connection):
                waited = round(time.perf_counter() - statement.since, 1)
                log.warning("waiting for a lock", statement=statement.name, waited=waited, **holder)
        except psycopg.Error as error:
            log.warning("waiting, perhaps for a lock", statement=statement.name, reason=first_line(error))


def holders(waiting: psycopg.Connection[Any]) -> list[Row]:
    """The sessions that block a connection, as keys of the log."""
    info = waiting.info
    with (
        psycopg.connect(info.dsn, password=info.password, connect_timeout=2, row_factory=dict_row) as asking,
        queries.on(asking),
    ):
        found = queries.lock_holders(pid=info.backend_pid)
    return [{f"holder_{key}": value for key, value in row.items()} for row in found]
