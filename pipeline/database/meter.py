"""A thread's time and statements in the database, and its running statement."""

import threading
from typing import Any, NamedTuple

import psycopg


class Meter(threading.local):
    """`seconds` and `number` of this thread's statements; BEGIN and COMMIT count only in the seconds."""

    seconds, number = 0.0, 0

    def reset(self) -> None:
        """Set both to zero."""
        self.seconds, self.number = 0.0, 0

    def add(self, seconds: float, statements: int = 1) -> None:
        """Add the seconds and count of statements."""
        self.seconds += seconds
        self.number += statements


meter = Meter()


class Running(NamedTuple):
    """A running statement: its name, start (perf_counter) and connection."""

    name: str
    since: float
    connection: psycopg.Connection[Any]


# {thread: its running statement}.
running: dict[int, Running] = {}
