"""Executes the statements of `sql/` through psycopg's cursors, and measures them."""

import os
import random
import signal
import threading
from collections.abc import Sequence
from typing import Any
from weakref import WeakSet

import psycopg
from psycopg.pq import DiagnosticField, ExecStatus
from psycopg.rows import dict_row

# Its rows are {column: value}.
Result = psycopg.RawCursor[dict[str, Any]]
LOST = "The connection to the database is lost."
# Errors of a prepared statement: its result has changed, or it or an object of its plan is gone.
PLAN_ERRORS = psycopg.errors.FeatureNotSupported, psycopg.errors.InvalidSqlStatementName, psycopg.errors.InternalError_
# Connections after one of them: a pool closes these and opens others.
outdated: WeakSet[psycopg.Connection[Any]] = WeakSet()
DEATH = "dies at chaos point "
# `name:0.1` kills at one pass of ten. Reading the environment is slow.
CHAOS = os.environ.get("PIPELINE_CHAOS", "")


def never_prepare(connection: psycopg.Connection[Any]) -> None:
    """Disable prepared statements, for poolers."""
    connection.prepare_threshold = None


def execute(connection: psycopg.Connection[Any], text: bytes, values: Sequence[Any], prepare: bool = True) -> Result:
    """The result of a statement with `$n`; raises psycopg.Error. `prepare`: keep its plan if it comes often."""
    cursor = psycopg.RawCursor(connection, row_factory=dict_row)
    try:
        return cursor.execute(text, values, prepare=None if prepare else False)
    except PLAN_ERRORS:
        # psycopg would execute what it has prepared again. Until its transaction ends, the worker notes the failure.
        outdated.add(connection)
        raise


def command(connection: psycopg.Connection[Any], words: bytes) -> None:
    """Run a statement without a result; raises psycopg.Error.

    psycopg's own rollback would forget all prepared statements, after each refused request.
    """
    if connection.closed:
        connection.close()  # else a pool would hand it out again
        raise psycopg.OperationalError(LOST)
    found = connection.pgconn.exec_(words)
    if found.status == ExecStatus.COMMAND_OK:
        return
    # Without SQLSTATE, the server did not answer.
    if found.error_field(DiagnosticField.SQLSTATE):
        raise psycopg.errors.error_from_result(found)
    connection.close()
    raise psycopg.OperationalError(LOST)


class Meter(threading.local):
    """Seconds and number of a thread's statements; BEGIN and COMMIT count only in seconds."""

    seconds, number = 0.0, 0

    def reset(self) -> None:
        self.seconds, self.number = 0.0, 0

    def add(self, seconds: float, statements: int = 1) -> None:
        self.seconds += seconds
        self.number += statements


meter = Meter()


def chaos_point(name: str) -> None:
    """SIGKILL this process if PIPELINE_CHAOS lists this point."""
    if not CHAOS:
        return
    for point in CHAOS.split(","):
        point, _, share = point.partition(":")
        if point == name and random.random() < float(share or 1):
            os.write(2, f"{DEATH}{name}\n".encode())  # to tell this death from others
            os.kill(os.getpid(), signal.SIGKILL)
