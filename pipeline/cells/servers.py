"""The servers of an installation, by their owners' logins."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import psycopg
from psycopg import sql
from psycopg.rows import TupleRow

from pipeline.process.settings.cells import HOME
from pipeline.process.settings.database_url import login_of

Owner = psycopg.Connection[TupleRow]
# Ids that a cell gives begin at its number times this, so that no two cells give the same id.
ID_RANGE = 2**40
LOOK_SECONDS = 0.002
MOST_FAILURES = 10


class CellsError(Exception):
    """A failure that the operator can resolve."""


@dataclass(frozen=True)
class Server:
    """A cell's server. replication_url: how the other servers reach it."""

    name: str
    owner_url: str
    replication_url: str

    def connect(self) -> Owner:
        """A superuser's autocommit connection; as a context manager it closes itself."""
        connection = psycopg.connect(self.owner_url, autocommit=True, connect_timeout=5, prepare_threshold=None)
        connection.execute("set timezone = 'UTC'; set statement_timeout = 0; set client_min_messages = warning")
        return connection


@dataclass(frozen=True)
class Servers:
    """{name: Server}, with home."""

    by_name: dict[str, Server]

    @property
    def home(self) -> Server:
        return self.by_name[HOME]

    def named(self, name: str) -> Server:
        """The server of a cell; raises CellsError."""
        if name not in self.by_name:
            raise CellsError(f"CELLS_FILE does not name the cell {name}.")
        return self.by_name[name]


def value(connection: Owner, statement: str, *given: Any) -> Any:
    """The first value of the first row, or None."""
    row = connection.execute(statement, given).fetchone()
    return row and row[0]


def run(connection: Owner, statement: str, *names: str, **literals: Any) -> None:
    """Run a statement with names for {} and literals for {name}."""
    identifiers = [sql.Identifier(name) for name in names]
    values = {name: sql.Literal(given) for name, given in literals.items()}
    connection.execute(sql.SQL(statement).format(*identifiers, **values))


def until(found: Callable[[], Any], seconds: float, what: str) -> Any:
    """The first true result of `found()`; raises CellsError after `seconds`."""
    end = time.monotonic() + seconds
    while not (one := found()):
        if time.monotonic() > end:
            raise CellsError(f"{what} takes longer than {seconds:g} s.")
        time.sleep(LOOK_SECONDS)
    return one


def check_server(connection: Owner, name: str) -> None:
    """Raise CellsError unless the server can publish and its login may subscribe."""
    if value(connection, "show wal_level") != "logical":
        raise CellsError(f"The server of {name} needs wal_level = logical, and a restart.")
    if value(connection, "show is_superuser") != "on":
        raise CellsError(f"database_owner_url of {name} must be a superuser's.")


def check_name(connection: Owner, name: str) -> None:
    """Raise CellsError unless the database is the cell `name`, or the copying of its shared tables has begun."""
    known = value(connection, "select name from cells.this_cell")
    if known not in (name, ""):
        raise CellsError(f"CELLS_FILE calls it {name}, but the database is the cell {known}.")


def number_ids(connection: Owner, number: int) -> None:
    """Let all ids of a cell begin at its number times ID_RANGE."""
    least = number * ID_RANGE + 1
    rows = connection.execute(
        "select format('%%I.%%I', schemaname, sequencename) from pg_sequences "
        "where schemaname = 'app' and coalesce(last_value, 0) < %s",
        [least],
    ).fetchall()
    for (name,) in rows:
        connection.execute("select setval(%s, %s, false)", [name, least])


def subscribe(connection: Owner, name: str, publication: str, publisher: Owner, url: str) -> None:
    """Copy a publication's tables and follow them, as a superuser. The URL stays out of the server's log."""
    chosen = options(connection.info.server_version, publisher.info.server_version)
    connection.execute(
        "set log_statement = none; set log_min_error_statement = panic; set log_min_duration_statement = -1"
    )
    run(connection, f"create subscription {{}} connection {{url}} publication {{}}{chosen}", name, publication, url=url)
    connection.execute("reset log_statement; reset log_min_error_statement; reset log_min_duration_statement")


def options(subscriber: int, publisher: int) -> str:
    """The options of a subscription, by the version numbers of both servers."""
    # As in PostgreSQL 15; since then the tables' owner does it, whom row-level security binds.
    found = ["run_as_owner = true"] if subscriber >= 160000 else []
    # The publisher's standby has the slot, too.
    found += ["failover = true"] if min(subscriber, publisher) >= 170000 else []
    return f" with ({', '.join(found)})" if found else ""


def let_copy(connection: Owner, server: Server) -> None:
    """Let the login of a server's replication URL read tables."""
    _change_reading(connection, server, "grant pg_read_all_data to {}")


def end_copying(connection: Owner, server: Server) -> None:
    """End `let_copy` unless a move copies. The right includes the passwords of subscriptions."""
    if value(connection, "select 1 from pg_publication where pubname like 'pipeline_move_%%'") is None:
        _change_reading(connection, server, "revoke pg_read_all_data from {}")


def _change_reading(connection: Owner, server: Server, statement: str) -> None:
    login, _password = login_of(server.replication_url)
    if login and not value(connection, "select rolsuper from pg_roles where rolname = %s", login):
        run(connection, statement, login)


def drop_subscription(connection: Owner, name: str) -> None:
    """Drop a subscription, and its slot if the publisher can be reached."""
    if value(connection, "select 1 from pg_subscription where subname = %s", name) is None:
        return
    try:
        run(connection, "drop subscription {}", name)
    except psycopg.Error:
        run(connection, "alter subscription {} disable", name)
        run(connection, "alter subscription {} set (slot_name = none)", name)
        run(connection, "drop subscription {}", name)


def has_slot(connection: Owner, name: str) -> bool:
    """Whether a server has a slot with all that its reader lacks."""
    return bool(
        value(
            connection,
            "select 1 from pg_replication_slots where slot_name = %s and wal_status is distinct from 'lost'",
            name,
        )
    )


def drop_slot(connection: Owner, name: str) -> None:
    """End a slot's reader, and drop the slot. A subscription reads its slot again at once, so both are tried again."""

    def dropped() -> bool:
        ended = "select pg_terminate_backend(active_pid, 1000) from pg_replication_slots where slot_name = %s"
        connection.execute(ended, [name])
        drop = "select pg_drop_replication_slot(slot_name) from pg_replication_slots where slot_name = %s"
        try:
            connection.execute(drop, [name])
        except psycopg.errors.ObjectInUse:
            return False
        return True

    until(dropped, 10, f"Ending the reader of the slot {name}")


def wait_for_copies(connection: Owner, subscription: str, log: Callable[[str], None], seconds: float) -> None:
    """Wait until a subscription has copied its tables and follows."""

    def left() -> int:
        return value(
            connection,
            "select count(*) from pg_subscription_rel r join pg_subscription s on s.oid = r.srsubid "
            "where s.subname = %s and r.srsubstate <> 'r'",
            subscription,
        )

    end, told = time.monotonic() + seconds, 0.0
    while number := left():
        if time.monotonic() > end:
            raise CellsError(f"Copying takes longer than {seconds:g} s; see the log of the target's server.")
        failed = value(
            connection, "select sync_error_count from pg_stat_subscription_stats where subname = %s", subscription
        )
        if failed and failed > MOST_FAILURES:
            raise CellsError("Copying fails; the log of the target's server has the reason.")
        if time.monotonic() > told + 5:
            told = time.monotonic()
            log(f"copying: {number} tables to go")
        time.sleep(0.05)
