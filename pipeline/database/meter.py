"""A thread's time in the database, and its running statement."""

import threading
from typing import Any, NamedTuple

import psycopg


class Meter(threading.local):
    """Seconds and number of a thread's statements; BEGIN and COMMIT count only in seconds."""

    seconds, number = 0.0, 0

    def reset(self) -> None:
        """Set both to zero."""
        self.seconds, self.number = 0.0, 0

    def add(self, seconds: float, statements: int = 1) -> None:
        """Add a statement's seconds."""
        self.seconds += seconds
        self.number += statements


meter = Meter()


class Running(NamedTuple):
    """A statement's name, start (perf_counter) and connection."""

    name: str
    since: float
    connection: psycopg.Connection[Any]


# {thread: its running statement}.
running: dict[int, Running] = {}
