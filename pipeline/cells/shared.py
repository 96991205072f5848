"""The cells of an installation, and the tables that home shares with all of them."""

from collections.abc import Callable
from typing import Any

import psycopg

from pipeline.cells.servers import (
    CellsError,
    Owner,
    Server,
    Servers,
    check_name,
    check_server,
    drop_slot,
    drop_subscription,
    end_copying,
    let_copy,
    number_ids,
    run,
    subscribe,
    value,
    wait_for_copies,
)
from pipeline.process.settings.cells import HOME
from pipeline.process.settings.database_url import login_of

PUBLICATION = "pipeline_shared"
# The map, and people. Home alone writes them.
TABLES = ("cells.members", "cells.placements", "app.users", "app.sessions", "app.refresh_tokens")
COPY_SECONDS = 24 * 3600.0


def subscription_of(cell: str) -> str:
    """The subscription to the shared tables, and its slot."""
    return f"{PUBLICATION}_{cell}"


def add(servers: Servers, name: str, log: Callable[[str], None]) -> int:
    """Make a migrated, empty database a cell; returns its number. Repeatable."""
    server = servers.named(name)
    with servers.home.connect() as home, server.connect() as cell:
        for connection, place in ((home, HOME), (cell, name)):
            check_server(connection, place)
        if name == HOME or identity(home) == identity(cell):
            # A subscription within a server would also wait for itself.
            raise CellsError(f"The database of {name} must be another server's than home's.")
        known = value(cell, "select name from cells.this_cell")
        used = known != HOME or value(cell, "select exists (select from app.organizations)")
        if known not in (name, "") and used:
            raise CellsError(f"The database of {name} is in use: it must have no organization.")
        number = _member(home, name)
        _make_replication_login(home, servers.home)
        _make_replication_login(cell, server)
        number_ids(cell, number)
        log(f"{name} is number {number}; copying the shared tables")
        _publish(home)
        share(home, cell, servers.home, name, log)
    return number


def identity(connection: Owner) -> Any:
    """An identity of a server, equal for two connections to it alone."""
    return connection.execute(
        "select system_identifier, pg_postmaster_start_time() from pg_control_system()"
    ).fetchone()


def _member(home: Owner, name: str) -> int:
    home.execute(
        "insert into cells.members (name, number) select %s, max(number) + 1 from cells.members on conflict do nothing",
        [name],
    )
    return value(home, "select number from cells.members where name = %s", name)


def _publish(home: Owner) -> None:
    if value(home, "select 1 from pg_publication where pubname = %s", PUBLICATION) is None:
        run(home, f"create publication {{}} for table {', '.join(TABLES)}", PUBLICATION)


def _make_replication_login(connection: Owner, server: Server) -> None:
    """Create the login of a replication URL."""
    login, password = login_of(server.replication_url)
    if not login or value(connection, "select 1 from pg_roles where rolname = %s", login) is not None:
        return
    run(connection, "create role {} login replication bypassrls", login)
    if password:
        # Keeps the password out of the server's log.
        secret = connection.pgconn.encrypt_password(password.encode(), login.encode(), b"scram-sha-256").decode()
        run(connection, "alter role {} password {secret}", login, secret=secret)


def share(home: Owner, cell: Owner, of_home: Server, name: str, log: Callable[[str], None]) -> None:
    """Copy the shared tables to a cell, and follow them. Until then it serves nobody."""
    subscription = subscription_of(name)
    if value(cell, "select 1 from pg_subscription where subname = %s", subscription) is None:
        cell.execute("update cells.this_cell set name = ''")
        _empty(cell)
        drop_slot(home, subscription)
        let_copy(home, of_home)
        subscribe(cell, subscription, PUBLICATION, home, of_home.replication_url)
    wait_for_copies(cell, subscription, log, COPY_SECONDS)
    end_copying(home, of_home)
    cell.execute("update cells.this_cell set name = %s", [name])


def _empty(cell: Owner) -> None:
    """Delete the copies, without checks of foreign keys."""
    with cell.transaction():
        cell.execute("set local session_replication_role = replica")
        for table in TABLES:
            cell.execute(f"delete from {table}")


def reconcile(servers: Servers, name: str, log: Callable[[str], None]) -> list[str]:
    """Copy the shared tables to a cell anew; returns disagreements with the map."""
    server = servers.named(name)
    if name == HOME:
        raise CellsError("home has the map; reconcile each other cell after its restore.")
    with servers.home.connect() as home, server.connect() as cell:
        check_server(cell, name)
        check_name(cell, name)
        number = value(home, "select number from cells.members where name = %s", name)
        if number is None:
            raise CellsError(f"{name} is no cell yet: pipeline cells add {name}.")
        cell.execute("update cells.this_cell set name = ''")
        drop_subscription(cell, subscription_of(name))
        for connection, one in ((home, servers.home), (cell, server)):
            _make_replication_login(connection, one)
        number_ids(cell, number)
        share(home, cell, servers.home, name, log)
    return [line for line in disagreements(servers) if f" {name}" in line]


def disagreements(servers: Servers) -> list[str]:
    """Misplaced and doubled organizations of the present cells."""
    found: dict[int, list[str]] = {}
    with servers.home.connect() as home:
        placed: dict[int, str] = dict(home.execute("select organization_id, cell from cells.placements").fetchall())
        moving = {row[0] for row in home.execute("select organization_id from cells.moves").fetchall()}
        members = {row[0] for row in home.execute("select name from cells.members").fetchall()}
    away = set()
    for name in members & set(servers.by_name):
        try:
            with servers.named(name).connect() as connection:
                for (id,) in connection.execute("select id from app.organizations").fetchall():
                    found.setdefault(id, []).append(name)
        except psycopg.OperationalError:
            away.add(name)
    lines = []
    for id, names in sorted(found.items()):
        cell = placed.get(id, HOME)
        if id not in moving and names != [cell] and cell not in away:
            others = ", ".join(one for one in names if one != cell)
            lines.append(f"organization {id}: the map says {cell}; there is a copy in {others}")
    lines += [
        f"organization {id}: the map says {cell}, which does not have it"
        for id, cell in sorted(placed.items())
        if cell not in away and cell not in found.get(id, [])
    ]
    return lines


def remove(servers: Servers, name: str) -> None:
    """Take an empty cell out; raises CellsError."""
    with servers.home.connect() as home:
        held = value(home, "select count(*) from cells.placements where cell = %s", name)
        moving = value(home, "select count(*) from cells.moves where %s in (source, target)", name)
        if name == HOME:
            raise CellsError("home has the map and the people; it cannot be removed.")
        if held or moving:
            raise CellsError(f"{name} has {held} organizations and {moving} moves; move them first.")
        try:
            with servers.named(name).connect() as cell:
                check_name(cell, name)
                if left := value(cell, "select id from app.organizations limit 1"):
                    raise CellsError(f"{name} has a copy of organization {left}: see pipeline doctor.")
                cell.execute("update cells.this_cell set name = ''")
                drop_subscription(cell, subscription_of(name))
        except psycopg.OperationalError:
            pass  # It is away, perhaps for good.
        drop_slot(home, subscription_of(name))
        home.execute("delete from cells.members where name = %s", [name])
