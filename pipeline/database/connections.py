"""Connection pools, and the transaction of a thread."""

import contextlib
import time
from collections.abc import Callable, Iterator
from typing import Any, Self, TypeVar

import psycopg
from psycopg.rows import dict_row
from psycopg_pool import ConnectionPool

from pipeline.database.execution import chaos_point, command, meter, never_prepare, outdated
from pipeline.database.queries import Row, queries
from pipeline.process.metrics import connection_waits, connections_missed, connections_most, connections_used, series
from pipeline.process.settings.cells import HOME
from pipeline.process.settings.database_url import address_of

Connection = psycopg.Connection[Row]
T = TypeVar("T")
POOL_TIMEOUT = 3.0
# The first connection of a busy machine can be slow.
START_SECONDS = 60.0
# The kernel waits 15 minutes after a packet, and two hours for an answer.
VANISHED: dict[str, Any] = {
    "connect_timeout": 3,
    "tcp_user_timeout": 10_000,
    "keepalives_idle": 5,
    "keepalives_interval": 5,
    "keepalives_count": 2,
}
BEGIN, COMMIT, ROLLBACK = b"begin", b"commit", b"rollback"
# The web's pools: callers with a token, and prospects.
APP, FORMS = "app", "forms"
# A row that changed after the snapshot cannot be updated.
BEGIN_ON_SNAPSHOT = b"begin isolation level repeatable read"


def is_pooled(connection: psycopg.Connection[Any]) -> bool:
    """Whether a pooler is between client and server."""
    with queries.on(connection):
        return queries.backend_number() != connection.info.backend_pid


def _adapt(connection: Connection) -> None:
    if is_pooled(connection):
        never_prepare(connection)


class _Connecting(psycopg.Connection[Row]):
    """Passes an attempt's error to the option `note`."""

    @classmethod
    def connect(cls, conninfo: str = "", **options: Any) -> Self:
        """Connect; calls `note` with the error, or ""."""
        note: Callable[[str], None] = options.pop("note")
        try:
            connection = super().connect(conninfo, **options)
        except psycopg.Error as error:
            note(" ".join(str(error).split()))
            raise
        note("")
        return connection


class Database:
    """A pool of one login; `name` labels metrics, `patience` is a timeout in seconds."""

    def __init__(self, url: str, size: int = 8, name: str = "other", patience: float = POOL_TIMEOUT) -> None:
        self.url, self.name, self.address, self.cell = url, name, address_of(url), HOME
        self.waits, self.used = series(connection_waits, name), series(connections_used, name)
        self.missed = series(connections_missed, name)
        self.most = series(connections_most, name)
        self.most.inc(size)
        self.refusal = ""
        # The pool of the server that has the people and the map.
        self.home: Database = self
        # Further servers that do not answer.
        self.away: set[str] = set()
        self.pool: ConnectionPool[Connection] = ConnectionPool(
            url,
            connection_class=_Connecting,
            min_size=1,
            max_size=size,
            timeout=patience,
            reconnect_timeout=5,
            open=False,
            configure=_adapt,
            kwargs={
                "row_factory": dict_row,
                "autocommit": True,  # begin and commit are explicit below
                "application_name": "pipeline",
                "note": self._note_refusal,
                **VANISHED,
            },
        )
        self.pool.open()

    # With one server; cells.py has several.

    @property
    def cells(self) -> list["Database"]:
        """The pools of all servers."""
        return [self]

    def of(self, organization_id: int) -> "Database":
        """The pool of an organization's server."""
        return self

    def check_lag(self, organization_id: int) -> None:
        """Raise psycopg.OperationalError if that server does not know who has signed out."""

    def states(self) -> dict[str, tuple[str, float]]:
        """{cell: (`ok`, `behind` or `away`, seconds behind home)} of the further servers."""
        return {}

    def note_away(self, cell: str) -> None:
        """Note that a cell does not answer, before the next look at it."""

    def holding(self, kind: str, key: str) -> "Database":
        """The pool of the organization with a globally unique key."""
        return self

    def held_by(self, kind: str, key: str) -> int | None:
        """The organization with a globally unique key, as last found."""
        return None

    def has_moved(self, organization_id: int, sought: "Database | None") -> bool:
        """Whether the map, read anew, names another server for an organization than the one just `sought` in."""
        return False

    def follows(self, error: psycopg.Error, begun: float) -> bool:
        """Whether to try again in another server; `begun`: when the first try did."""
        return False

    def begin(self, statement: bytes = BEGIN) -> Connection:
        """A transaction on a live connection; raises psycopg.OperationalError."""
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
        """Commit or roll back, and return the connection; a failed commit raises."""
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
        """A transaction of its own; commits after the block, or after an error with `commit`."""
        connection = self.begin()
        done = False
        try:
            with queries.on(connection):
                queries.bound().database = self
                yield connection
            done = True
        except BaseException as error:
            done = getattr(error, "commit", False)
            raise
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
        if connection in outdated:
            connection.close()
        self.pool.putconn(connection)

    def close(self) -> None:
        self.pool.close()
        self.most.dec(self.pool.max_size)


def run(connection: Connection, words: bytes) -> None:
    """Run BEGIN, COMMIT or ROLLBACK; raises psycopg.Error."""
    started = time.perf_counter()
    try:
        command(connection, words)
    finally:
        meter.add(time.perf_counter() - started, statements=0)


def not_none(found: T | None) -> T:
    """The value; raises LookupError for None."""
    if found is None:
        raise LookupError("A query that always returns a row returned none.")
    return found


class Transaction:
    """The transaction of a request, or several in turn; its block ends it.

    It commits unless the block raises an error without `commit`.
    """

    def __init__(self) -> None:
        self.database: Database | None = None
        self.connection: Connection | None = None
        self.organization: str | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, error: BaseException | None, traceback: object) -> None:
        self.end(commit=error is None or getattr(error, "commit", False))

    def begin(self, database: Database, on_snapshot: bool = False) -> None:
        """Begin on `database`; raises psycopg.OperationalError."""
        self.database, self.connection = database, database.begin(BEGIN_ON_SNAPSHOT if on_snapshot else BEGIN)
        queries.bind(self.connection)
        queries.bound().database = database

    def end(self, commit: bool) -> None:
        database, connection = self.database, self.connection
        if database is not None and connection is not None:
            self.connection = None
            self.organization = queries.bound().organization
            queries.bind(None)
            database.end(connection, commit)

    def hand_over(self) -> tuple[Database, Connection]:
        """The open transaction's pool and connection, for a streaming response to end."""
        database, connection = self.database, self.connection
        if database is None or connection is None:
            raise RuntimeError("No transaction is open.")
        self.connection = None
        queries.bind(None)
        return database, connection


def savepoint() -> contextlib.AbstractContextManager[psycopg.Transaction]:
    """A block that an error rolls back alone."""
    return queries.connection().transaction()


def leave_role() -> None:
    """Leave the role of a public form, which may open no form; its context stays."""
    if queries.bound().role not in (None, "none"):
        queries.role_enter(role="none")


def check_login(database: Database) -> None:
    """Raise LoginRefused if RLS does not bind the login."""
    with database.transaction():
        rights = not_none(queries.login_rights())
    if rights["unbound"] or rights["owner"]:
        raise LoginRefused(
            f"The database login {rights['login']} is a superuser, bypasses row-level security or owns the tables; "
            "use pipeline_app (DATABASE_URL), pipeline_forms (DATABASE_FORMS_URL), pipeline_jobs (DATABASE_JOBS_URL)."
        )


class LoginRefused(Exception):
    """The login has too many rights."""
