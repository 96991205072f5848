"""Pools of connections, and a transaction bound to the thread that runs it."""

import contextlib
import time
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, Self

import psycopg
from psycopg.conninfo import conninfo_to_dict
from psycopg.rows import dict_row
from psycopg_pool import ConnectionPool
from pyramid.registry import Registry
from pyramid.request import Request
from pyramid.response import Response

from pipeline.database.chaos import chaos_point
from pipeline.database.execution import command, never_prepare
from pipeline.database.meter import meter
from pipeline.database.queries import Row, queries
from pipeline.database.rows import sure
from pipeline.telemetry.metrics import connection_waits, connections_missed, connections_most, connections_used, series

# A connection of a pool; its cursors give rows.
Connection = psycopg.Connection[Row]
POOL_TIMEOUT = 3.0
# A process that starts waits longer than a request: on a busy machine its first connection takes its time, and who
# ended for that would only have to be started again.
START_SECONDS = 60.0
# A server whose machine or network vanishes says nothing. Without these the kernel waits for it: a quarter of an hour
# where something was sent, two hours where an answer is awaited.
VANISHED: dict[str, Any] = {
    "connect_timeout": 3,
    "tcp_user_timeout": 10_000,
    "keepalives_idle": 5,
    "keepalives_interval": 5,
    "keepalives_count": 2,
}
# The methods that change a record.
CHANGES = ("PUT", "PATCH", "DELETE")
BEGIN, COMMIT, ROLLBACK = b"begin", b"commit", b"rollback"
# Whose a pool of the web is: the callers' with a token, or the prospects'.
APP, FORMS = "app", "forms"
# Reads all from one snapshot, and cannot change a row that was changed after it.
BEGIN_ON_SNAPSHOT = b"begin isolation level repeatable read"


def is_pooled(connection: psycopg.Connection[Any]) -> bool:
    """Whether a pooler stands between us and the server: it tells us another number than the server's process has."""
    with queries.on(connection):
        return queries.backend_number() != connection.info.backend_pid


def _adapt(connection: Connection) -> None:
    if is_pooled(connection):
        never_prepare(connection)


class _Connecting(psycopg.Connection[Row]):
    """A connection of a pool. The pool keeps the reason of a failed attempt to itself, so this passes it to `told`."""

    @classmethod
    def connect(cls, conninfo: str = "", **options: Any) -> Self:
        """Connect, and pass on the server's words, or nothing after a success."""
        told: Callable[[str], None] = options.pop("told")
        try:
            connection = super().connect(conninfo, **options)
        except psycopg.Error as error:
            told(" ".join(str(error).split()))
            raise
        told("")
        return connection


class Care(NamedTuple):
    """What is done with each connection of a pool: when it is new, and whenever it comes back."""

    new: Callable[[Connection], None]
    back: Callable[[Connection], None] | None = None


class Database:
    """A pool of connections under one login; `name` is its own in /metrics, `patience` how long one is waited for."""

    care = Care(_adapt)

    def __init__(self, url: str, size: int = 8, name: str = "other", patience: float = POOL_TIMEOUT) -> None:
        self.url, self.name = url, name
        self.waits, self.used = series(connection_waits, name), series(connections_used, name)
        self.missed = series(connections_missed, name)
        self.most = series(connections_most, name)
        self.most.inc(size)
        self.refusal = ""
        self.pool: ConnectionPool[Connection] = ConnectionPool(
            url,
            connection_class=_Connecting,
            min_size=1,
            max_size=size,
            timeout=patience,
            reconnect_timeout=5,
            open=False,
            configure=self.care.new,
            reset=self.care.back,
            kwargs={
                "row_factory": dict_row,
                "autocommit": True,  # begin and commit are written out below
                "application_name": "pipeline",
                "told": self._note_refusal,
                **VANISHED,
            },
        )
        self.pool.open()

    def of(self, organization_id: int) -> "Database":
        """The pool of the server that has an organization's rows. (There is one; on a cluster see nodes.py.)"""
        return self

    def holding(self, kind: str, key: str) -> "Database":
        """The same for the organization of a key that is unique over all organizations."""
        return self

    def each(self) -> list["Database"]:
        """The pools of all servers that have organizations."""
        return [self]

    @property
    def place(self) -> str:
        """Where its server is, as host:port."""
        parts = conninfo_to_dict(self.url)
        return f"{parts.get('host') or 'localhost'}:{parts.get('port') or 5432}"

    def servers(self) -> list["Database"]:
        """The same, and that of the server which has what is of no organization."""
        return [self]

    def urls(self, url: str) -> list[str]:
        """What a URL of this database becomes for each of these servers."""
        return [url]

    def begin(self, statement: bytes = BEGIN) -> Connection:
        """A transaction on a live connection; raises psycopg.OperationalError.

        A connection that a server restart has cut shows itself at BEGIN, before anything was done: it is
        dropped and the next one is taken.
        """
        for _ in range(self.pool.max_size + 1):
            connection = self._take()
            try:
                run(connection, statement)
            except psycopg.OperationalError:
                self._give_back(connection)
                continue
            return connection
        raise psycopg.OperationalError("No connection of the pool is alive.")

    def end(self, connection: Connection, commit: bool) -> None:
        """Commit or roll back, and give the connection back; a failed commit raises."""
        try:
            if commit:
                chaos_point("before_commit")
                run(connection, COMMIT)
                chaos_point("after_commit")
            else:
                with contextlib.suppress(psycopg.OperationalError):
                    run(connection, ROLLBACK)
        finally:
            self._give_back(connection)

    @contextlib.contextmanager
    def transaction(self) -> Iterator[Connection]:
        """A transaction outside of a request: commits at the end of the block, rolls back on an exception."""
        connection = self.begin()
        done = False
        try:
            with queries.on(connection):
                yield connection
            done = True
        finally:
            self.end(connection, commit=done)

    def _take(self) -> Connection:
        started = time.perf_counter()
        try:
            connection = self.pool.getconn()
        except psycopg.OperationalError as error:
            self.missed.inc()
            raise psycopg.OperationalError(f"{error}; {self.refusal}" if self.refusal else str(error)) from None
        self.waits.observe(time.perf_counter() - started)
        self.used.inc()
        return connection

    def _note_refusal(self, refusal: str) -> None:
        self.refusal = refusal

    def _give_back(self, connection: Connection) -> None:
        self.used.dec()
        self.pool.putconn(connection)

    def close(self) -> None:
        """Close every connection."""
        self.pool.close()
        self.most.dec(self.pool.max_size)


def run(connection: Connection, words: bytes) -> None:
    """Run BEGIN, COMMIT or ROLLBACK; raises psycopg.Error."""
    started = time.perf_counter()
    try:
        command(connection, words)
    finally:
        meter.add(time.perf_counter() - started, statements=0)


class Transaction:
    """A request's transaction: begun by the first need, ended by the tween; then `organization` says whose it was.

    A change with If-Match works on a snapshot, as does a caller's PATCH (see entity_tags.py).
    """

    def __init__(self, request: Request) -> None:
        self.database: Database | None = None
        self.connection: Connection | None = None
        self.organization: str | None = None
        self.on_snapshot = "HTTP_IF_MATCH" in request.environ and request.method in (*CHANGES, "POST")
        self._merges = request.method == "PATCH"

    def begin(self, database: Database) -> None:
        """Start it on `database` (once)."""
        if self.connection is None:
            self.on_snapshot = self.on_snapshot or (self._merges and database.name == APP)
            self.database, self.connection = database, database.begin(BEGIN_ON_SNAPSHOT if self.on_snapshot else BEGIN)
            queries.bind(self.connection)

    def end(self, commit: bool) -> None:
        """End it, if it was begun."""
        database, connection = self.database, self.connection
        if database is not None and connection is not None:
            self.connection = None
            self.organization = queries.bound().organization
            queries.bind(None)
            database.end(connection, commit)

    def hand_over(self) -> tuple[Database, Connection]:
        """The pool and connection of the open transaction, for a response that streams: whoever takes it ends it."""
        database, connection = self.database, self.connection
        if database is None or connection is None:
            raise RuntimeError("No transaction is open that could be handed over.")
        self.connection = None
        queries.bind(None)
        return database, connection


def check_login(database: Database) -> None:
    """Raise LoginRefused for a login that row-level security does not bind."""
    with database.transaction():
        rights = sure(queries.login_rights())
    if rights["unbound"] or rights["owner"]:
        raise LoginRefused(
            f"The database login {rights['login']} is a superuser, bypasses row-level security or owns the tables; "
            "use pipeline_app (DATABASE_URL), pipeline_forms (DATABASE_FORMS_URL), pipeline_jobs (DATABASE_JOBS_URL)."
        )


class LoginRefused(Exception):
    """The database login has more rights than the service may have."""


def tween_factory(handler: Callable[[Request], Response], registry: Registry) -> Callable[[Request], Response]:
    """A 2xx or 3xx commits, everything else rolls back."""

    def tween(request: Request) -> Response:
        transaction = request.transaction = Transaction(request)
        commit = False
        try:
            response = handler(request)
            commit = response.status_code < 400
            return response
        except Exception as error:
            commit = getattr(error, "commit", False)
            raise
        finally:
            transaction.end(commit)

    return tween
