"""How long a thread has spent in the database, with how many statements, and the statement that it waits for."""

import threading
from typing import Any, NamedTuple

import psycopg


class Meter(threading.local):
    """`seconds` and `number` of the statements of this thread; BEGIN and COMMIT count in the seconds alone."""

    seconds, number = 0.0, 0

    def reset(self) -> None:
        """Begin anew."""
        self.seconds, self.number = 0.0, 0

    def add(self, seconds: float, statements: int = 1) -> None:
        """Count the seconds of a statement, or of what is none."""
        self.seconds += seconds
        self.number += statements


meter = Meter()


class Running(NamedTuple):
    """A statement that a thread waits for: its name, when it began (perf_counter), and its connection."""

    name: str
    since: float
    connection: psycopg.Connection[Any]


# {thread: what it waits for}, of this process.
running: dict[int, Running] = {}
