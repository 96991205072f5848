"""Executes a statement in one call of libpq: psycopg's steps wait for the interpreter's lock."""

import os
import random
import signal
import threading
from collections import OrderedDict
from collections.abc import Sequence
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import psycopg
from psycopg import abc
from psycopg.adapt import PyFormat, Transformer
from psycopg.pq import DiagnosticField, ExecStatus, TransactionStatus
from psycopg.pq.abc import PGresult

GOOD = (ExecStatus.TUPLES_OK, ExecStatus.COMMAND_OK)
LOST = "The connection to the database is lost."
# Errors of a prepared statement itself: its result has changed, it is gone, or its plan names an object that is gone.
PLAN_ERRORS = psycopg.errors.FeatureNotSupported, psycopg.errors.InvalidSqlStatementName, psycopg.errors.InternalError_
DEATH = "dies at chaos point "
# `name:0.1` kills at one pass of ten. Every transaction passes two points, and reading the environment is slow.
CHAOS = os.environ.get("PIPELINE_CHAOS", "")
# (text, types of the values).
Key = tuple[bytes, tuple[int, ...]]


class Prepared:
    """Prepared statements: those executed more than `threshold` times."""

    def __init__(self, connection: psycopg.Connection[Any]) -> None:
        self.names: OrderedDict[Key, bytes] = OrderedDict()
        self.counts: OrderedDict[Key, int] = OrderedDict()
        self.number, self.invalidated = 0, False
        # psycopg's own prepared statements are off: dropping them would deallocate all.
        self.threshold, connection.prepare_threshold = connection.prepare_threshold, None

    def name(self, connection: psycopg.Connection[Any], key: Key) -> bytes | None:
        """The prepared name, or None below the threshold; counts the execution."""
        if self.threshold is None:
            return None
        name = self.names.get(key)
        if name is not None:
            self.names.move_to_end(key)
            return name
        count = self.counts[key] = self.counts.pop(key, 0) + 1
        if _are_too_many(connection, self.counts):
            self.counts.popitem(last=False)
        return None if count <= self.threshold else self._prepare(connection, key)

    def invalidate(self) -> None:
        """Prepare everything again after one of the PLAN_ERRORS."""
        self.names.clear()
        self.invalidated = True

    def _prepare(self, connection: psycopg.Connection[Any], key: Key) -> bytes:
        if self.invalidated:
            command(connection, b"deallocate all")
            self.invalidated = False
        self.number += 1
        name = b"pipeline_%d" % self.number
        _checked(connection, connection.pgconn.prepare(name, *key))
        self.names[key] = name
        del self.counts[key]
        if _are_too_many(connection, self.names):
            command(connection, b"deallocate %b" % self.names.popitem(last=False)[1])
        return name


def _are_too_many(connection: psycopg.Connection[Any], kept: OrderedDict[Key, Any]) -> bool:
    return connection.prepared_max is not None and len(kept) > connection.prepared_max


_prepared: WeakKeyDictionary[psycopg.Connection[Any], Prepared] = WeakKeyDictionary()


def _prepared_of(connection: psycopg.Connection[Any]) -> Prepared:
    prepared = _prepared.get(connection)
    if prepared is None:
        prepared = _prepared[connection] = Prepared(connection)
    return prepared


def never_prepare(connection: psycopg.Connection[Any]) -> None:
    """Disable prepared statements, for poolers."""
    _prepared_of(connection).threshold = None


class Executor:
    """Executes statements on a connection."""

    def __init__(self, connection: psycopg.Connection[Any]) -> None:
        self.connection, self.transformer = connection, Transformer(connection)
        self.prepared = _prepared_of(connection)

    def execute(self, text: bytes, values: Sequence[Any], prepare: bool = True) -> "Result":
        """The Result of a statement with `$n`; raises psycopg.Error. `prepare`: keep its plan."""
        connection, pgconn, transformer = self.connection, self.connection.pgconn, self.transformer
        _check_open(connection)
        if not connection.autocommit and pgconn.transaction_status == TransactionStatus.IDLE:
            # Begins the transaction, with the connection's isolation level.
            connection.execute("")
        written: Any = transformer.dump_sequence(values, [PyFormat.AUTO] * len(values))
        types, formats = transformer.types or (), transformer.formats
        try:
            name = self.prepared.name(connection, (text, types)) if prepare else None
            if name is None:
                found = pgconn.exec_params(text, written, types, formats)
            else:
                found = pgconn.exec_prepared(name, written, formats)
            # Notifications, as in psycopg's cursors.
            while pgconn.notify_handler and (told := pgconn.notifies()):
                pgconn.notify_handler(told)
            return Result(_checked(connection, found), transformer)
        except PLAN_ERRORS:
            self.prepared.invalidate()
            raise


class Result:
    """A statement's result."""

    __slots__ = ("found", "transformer")

    def __init__(self, found: PGresult, transformer: abc.Transformer) -> None:
        self.found, self.transformer = found, transformer

    @property
    def affected(self) -> int:
        """The number of changed rows."""
        return self.found.command_tuples or 0

    def text(self) -> bytes | None:
        """The first value as sent, or None."""
        return self.found.get_value(0, 0) if self.found.ntuples else None

    def rows(self) -> list[tuple[Any, ...]]:
        """The rows as tuples."""
        self.transformer.set_pgresult(self.found)
        return self.transformer.load_rows(0, self.found.ntuples, tuple)

    def records(self) -> list[dict[str, Any]]:
        """The rows as {column: value}."""
        names = [(self.found.fname(place) or b"").decode() for place in range(self.found.nfields)]
        return [dict(zip(names, row, strict=True)) for row in self.rows()]


def command(connection: psycopg.Connection[Any], words: bytes) -> None:
    """Run a statement without a result; raises psycopg.Error."""
    _check_open(connection)
    found = connection.pgconn.exec_(words)
    # The server may have closed it before.
    _check_open(connection)
    _checked(connection, found)


def _check_open(connection: psycopg.Connection[Any]) -> None:
    if connection.closed:
        connection.close()  # else a pool would hand it out again
        raise psycopg.OperationalError(LOST)


def _checked(connection: psycopg.Connection[Any], found: PGresult) -> PGresult:
    if found.status in GOOD:
        return found
    # Without SQLSTATE, the server did not answer.
    if found.error_field(DiagnosticField.SQLSTATE):
        raise psycopg.errors.error_from_result(found)
    connection.close()
    raise psycopg.OperationalError(LOST)


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


def chaos_point(name: str) -> None:
    """SIGKILL this process if PIPELINE_CHAOS lists this point."""
    if not CHAOS:
        return
    for point in CHAOS.split(","):
        point, _, share = point.partition(":")
        if point == name and random.random() < float(share or 1):
            os.write(2, f"{DEATH}{name}\n".encode())  # to tell this death from others
            os.kill(os.getpid(), signal.SIGKILL)
