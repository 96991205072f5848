"""Executes the statements of `sql/` by libpq's calls on psycopg's connections, and measures them."""

import os
import random
import signal
import threading
from collections import Counter, OrderedDict
from collections.abc import Sequence
from typing import Any
from weakref import WeakKeyDictionary, WeakSet

import psycopg
from psycopg.adapt import PyFormat, Transformer
from psycopg.pq import DiagnosticField, ExecStatus, TransactionStatus
from psycopg.pq.abc import PGresult

LOST = "The connection to the database is lost."
# Errors of a prepared statement: its result has changed, or it or an object of its plan is gone.
PLAN_ERRORS = psycopg.errors.FeatureNotSupported, psycopg.errors.InvalidSqlStatementName, psycopg.errors.InternalError_
# Connections after one of them: a pool closes these and opens others.
outdated: WeakSet[psycopg.Connection[Any]] = WeakSet()
# Executions before a statement is prepared, and the most that a connection prepares or counts, as in psycopg.
SELDOM, MOST = 5, 100
DEATH = "dies at chaos point "
# `name:0.1` kills at one pass of ten. Reading the environment is slow.
CHAOS = os.environ.get("PIPELINE_CHAOS", "")
# A statement's text and the types of its values.
Key = tuple[bytes, tuple[int, ...]]


class Prepared:
    """A connection's transformer of values, and the names of its prepared statements, the last used at the end."""

    def __init__(self, connection: psycopg.Connection[Any]) -> None:
        self.transformer: psycopg.abc.Transformer = Transformer(connection)
        self.names: OrderedDict[Key, bytes] = OrderedDict()
        self.counts: Counter[Key] = Counter()
        self.number = 0
        self.prepares = connection.prepare_threshold is not None
        # psycopg's cursors would deallocate these statements with their own after a rollback.
        connection.prepare_threshold = None

    def name(self, connection: psycopg.Connection[Any], key: Key) -> bytes | None:
        """The name of a statement that comes often, which is prepared now at the latest; else None."""
        if name := self.names.get(key):
            self.names.move_to_end(key)
            return name
        if len(self.counts) > MOST:
            self.counts.clear()
        self.counts[key] += 1
        if self.counts[key] <= SELDOM:
            return None
        del self.counts[key]
        self.number += 1
        name = b"pipeline_%d" % self.number
        checked(connection, connection.pgconn.prepare(name, *key))
        self.names[key] = name
        if len(self.names) > MOST:
            command(connection, b"deallocate " + self.names.popitem(last=False)[1])
        return name


_prepared: WeakKeyDictionary[psycopg.Connection[Any], Prepared] = WeakKeyDictionary()


def prepared(connection: psycopg.Connection[Any]) -> Prepared:
    own = _prepared.get(connection)
    if own is None:
        own = _prepared[connection] = Prepared(connection)
    return own


class Result:
    """The rows of a statement as {column: value}, and their number."""

    __slots__ = ("pgresult", "transformer")

    def __init__(self, pgresult: PGresult, transformer: psycopg.abc.Transformer) -> None:
        self.pgresult, self.transformer = pgresult, transformer

    @property
    def rowcount(self) -> int:
        return self.pgresult.command_tuples or 0

    def fetchall(self) -> list[dict[str, Any]]:
        names = [(self.pgresult.fname(place) or b"").decode() for place in range(self.pgresult.nfields)]
        self.transformer.set_pgresult(self.pgresult)
        return self.transformer.load_rows(
            0, self.pgresult.ntuples, lambda values: dict(zip(names, values, strict=True))
        )

    def fetchone(self) -> dict[str, Any] | None:
        return next(iter(self.fetchall()), None)


def never_prepare(connection: psycopg.Connection[Any]) -> None:
    """Disable prepared statements, for poolers."""
    prepared(connection).prepares = False


def execute(connection: psycopg.Connection[Any], text: bytes, values: Sequence[Any], prepare: bool = True) -> Result:
    """The Result of a statement with `$n`; raises psycopg.Error. `prepare`: keep its plan if it comes often.

    libpq waits by itself. psycopg's cursors wait in steps, each of which takes the interpreter's lock again
    (docs/decisions/0014-the-price-of-own-parts.md has the price).
    """
    check_open(connection)
    own = prepared(connection)
    pgconn, transformer = connection.pgconn, own.transformer
    if not connection.autocommit and pgconn.transaction_status == TransactionStatus.IDLE:
        connection.execute("")  # begins the transaction
    written: Any = transformer.dump_sequence(values, [PyFormat.AUTO] * len(values))
    types, formats = transformer.types or (), transformer.formats
    try:
        name = own.name(connection, (text, types)) if prepare and own.prepares else None
        if name is None:
            found = pgconn.exec_params(text, written, types, formats)
        else:
            found = pgconn.exec_prepared(name, written, formats)
        # Those that came with the result, as psycopg's cursors pass them on.
        while pgconn.notify_handler and (notification := pgconn.notifies()):
            pgconn.notify_handler(notification)
        return Result(checked(connection, found), transformer)
    except PLAN_ERRORS:
        # Until its transaction ends, the worker notes the failure.
        outdated.add(connection)
        raise


def command(connection: psycopg.Connection[Any], words: bytes) -> None:
    """Run a statement without a result; raises psycopg.Error.

    psycopg's own rollback would forget all prepared statements, after each refused request.
    """
    check_open(connection)
    checked(connection, connection.pgconn.exec_(words))


def check_open(connection: psycopg.Connection[Any]) -> None:
    """Raise psycopg.OperationalError for a closed connection."""
    if connection.closed:
        connection.close()  # else a pool would hand it out again
        raise psycopg.OperationalError(LOST)


def checked(connection: psycopg.Connection[Any], found: PGresult) -> PGresult:
    """The result; raises psycopg.Error for that of an error, and closes a lost connection."""
    if found.status in (ExecStatus.TUPLES_OK, ExecStatus.COMMAND_OK):
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
