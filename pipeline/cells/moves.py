"""Moves an organization to another cell by logical replication with row filters.

Each step can be repeated, so the same command goes on after an interruption: copy and follow, fence, drain, follow to
the end, switch the map, compare, delete the copy that is left.
"""

import contextlib
import time
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import psycopg
from psycopg import sql

from pipeline.cells.servers import (
    CellsError,
    Owner,
    Servers,
    check_name,
    check_server,
    drop_slot,
    drop_subscription,
    end_copying,
    has_slot,
    let_copy,
    run,
    subscribe,
    until,
    value,
    wait_for_copies,
)
from pipeline.database import revisions
from pipeline.database.execution import chaos_point

COPY_SECONDS = 24 * 3600.0
# A switch that takes longer is taken back, because requests wait.
DRAIN_SECONDS, FOLLOW_SECONDS, ARRIVAL_SECONDS = 0.25, 0.5, 5.0
# It begins when no transaction of the service is older than this.
CALM, CALM_SECONDS = "100 ms", 600.0
TRIES, PAUSE_SECONDS = 20, 1.0
# Each process reads the map once a second. Until then the source's copy sends it on; without it a key is unknown.
MAP_SECONDS = 5.0
LOGINS = "('pipeline_app', 'pipeline_forms', 'pipeline_jobs')"
# Sessions belong to people, and are in all cells.
SHARED = ("sessions", "refresh_tokens")
COPYING, SWITCHED, COMPARED, DIFFERENT = "copying", "switched", "compared", "different"
Log = Callable[[str], None]


class Summary(NamedTuple):
    """Compared tables and rows, and the seconds of the fence."""

    tables: int
    rows: int
    fenced: float


class Move:
    """The move of an organization to the cell `target`."""

    def __init__(self, home: Owner, source: Owner, target: Owner, servers: Servers, id: int, names: tuple[str, str]):
        self.home, self.source, self.target, self.servers, self.id = home, source, target, servers, id
        self.source_name, self.target_name = names
        # Of the publication, the subscription and its slot.
        self.name = f"pipeline_move_{id}"
        self.tables = tables_of(source)

    @property
    def step(self) -> str | None:
        return value(self.home, "select step from cells.moves where organization_id = %s", self.id)

    def begin(self) -> None:
        """Note the move; raises CellsError for different schemas, or a target that is no cell."""
        if value(self.home, "select 1 from cells.members where name = %s", self.target_name) is None:
            raise CellsError(f"{self.target_name} is no cell yet: pipeline cells add {self.target_name}.")
        for connection, name in ((self.source, self.source_name), (self.target, self.target_name)):
            check_server(connection, name)
        found = {
            name: revisions.current(one)
            for name, one in ((self.source_name, self.source), (self.target_name, self.target))
        }
        if len(set(found.values())) > 1 or self.tables != tables_of(self.target):
            raise CellsError(f"The schemas differ: {found}; run pipeline migrate.")
        if value(self.source, "select 1 from app.organizations where id = %s", self.id) is None:
            raise CellsError(f"{self.source_name} has no organization {self.id}.")
        with self.home.transaction():
            self.home.execute(
                "insert into cells.placements (organization_id, cell) values (%s, 'home') on conflict do nothing",
                [self.id],
            )
            self.home.execute(
                "insert into cells.moves (organization_id, source, target) values (%s, %s, %s)",
                [self.id, self.source_name, self.target_name],
            )

    def copy(self, log: Log) -> None:
        """Copy the rows, and follow their changes."""
        if value(self.source, "select 1 from pg_publication where pubname = %s", self.name) is None:
            parts = sql.SQL(", ").join(
                sql.SQL("app.{} where ({} = {})").format(
                    sql.Identifier(table), sql.Identifier(column), sql.Literal(self.id)
                )
                for table, column in self.tables.items()
            )
            self.source.execute(sql.SQL("create publication {} for table {}").format(sql.Identifier(self.name), parts))
        let_copy(self.source, self.servers.named(self.source_name))
        if not has_slot(self.source, self.name):
            # Lost in a failover of the source: what it followed is incomplete.
            drop_subscription(self.target, self.name)
        if value(self.target, "select 1 from pg_subscription where subname = %s", self.name) is None:
            drop_slot(self.source, self.name)
            self.delete(self.target)
            chaos_point("move_before_copy")
            url = self.servers.named(self.source_name).replication_url
            subscribe(self.target, self.name, self.name, self.source, url)
        chaos_point("move_copying")
        wait_for_copies(self.target, self.name, log, COPY_SECONDS)
        self.follow(COPY_SECONDS)

    def follow(self, seconds: float) -> None:
        """Wait until the target has all present commits of the source, by a counted change of 0."""
        mark = value(
            self.source,
            "insert into app.record_count_deltas (organization_id, kind, delta) values (%s, 'leads', 0) returning id",
            self.id,
        )
        until(
            lambda: (
                value(
                    self.target,
                    "select 1 from app.record_count_deltas where organization_id = %s and id = %s",
                    self.id,
                    mark,
                )
                or value(
                    self.source,
                    "select 1 where not exists (select from app.record_count_deltas "
                    "where organization_id = %s and id = %s)",
                    self.id,
                    mark,
                )
            ),
            seconds,
            "Following the last changes",
        )

    def switch(self, log: Log) -> tuple[float, Owner]:
        """(seconds of the fence, the target with a snapshot of the switch); retries."""
        for left in reversed(range(TRIES)):
            wait_for_calm(self.source)
            # Both cells follow home.
            self.fence("here", self.source, self.target)
            opened = self.servers.named(self.target_name).connect()
            self.follow(COPY_SECONDS)
            begun = time.monotonic()
            try:
                self.fence("fenced", self.source)
                chaos_point("move_fenced")
                drain(self.source, DRAIN_SECONDS)
                self.follow(FOLLOW_SECONDS)
                opened.execute("begin isolation level repeatable read; select 1 from cells.this_cell")
                chaos_point("move_before_switch")
                self.place()
                return time.monotonic() - begun, opened
            except CellsError as error:
                self.fence("here", self.source)
                opened.close()
                if not left:
                    raise
                log(f"{error} The organization works on; trying again.")
                time.sleep(PAUSE_SECONDS)
        raise CellsError("The switch was not tried.")

    def fence(self, state: str, *cells: Owner) -> None:
        """Let requests of the organization wait, or no longer; returns when these cells know it."""
        at = value(
            self.home,
            "update cells.placements set state = %s, placed_at = clock_timestamp() where organization_id = %s "
            "returning placed_at",
            state,
            self.id,
        )
        asked = "select 1 from cells.placements where organization_id = %s and placed_at >= %s"
        seconds = ARRIVAL_SECONDS if state == "fenced" else CALM_SECONDS
        for cell in cells:
            until(partial(value, cell, asked, self.id, at), seconds, "Copying the map to a cell")

    def place(self) -> None:
        """Switch the map. The record of change goes on with larger numbers."""
        offset = value(self.home, "select feed_offset from cells.placements where organization_id = %s", self.id)
        last = value(self.source, "select pg_snapshot_xmax(pg_current_snapshot())::text::bigint") + offset
        first = value(self.target, "select pg_snapshot_xmin(pg_current_snapshot())::text::bigint")
        with self.home.transaction():
            placed = self.home.execute(
                "update cells.placements set cell = %s, state = 'here', feed_offset = %s, "
                "placed_at = clock_timestamp() where organization_id = %s and state = 'fenced'",
                [self.target_name, max(0, last - first), self.id],
            )
            if not placed.rowcount:
                raise CellsError("Somebody has let requests go on.")
            self.home.execute("update cells.moves set step = 'switched' where organization_id = %s", [self.id])

    def compare(self, opened: Owner) -> tuple[int, int]:
        """(tables, rows) that are equal in the source and in the target's snapshot; raises CellsError."""
        rows = 0
        for table, column in self.tables.items():
            ours, theirs = (digest(one, table, column, self.id) for one in (self.source, opened))
            if ours != theirs:
                self.note(DIFFERENT)
                raise CellsError(f"app.{table} differs: {ours} in {self.source_name}, {theirs} in {self.target_name}.")
            rows += ours[0]
        self.note(COMPARED)
        return len(self.tables), rows

    def note(self, step: str) -> None:
        self.home.execute("update cells.moves set step = %s where organization_id = %s", [step, self.id])

    def end_replication(self) -> None:
        drop_subscription(self.target, self.name)
        self.end_publication()

    def end_publication(self) -> None:
        drop_slot(self.source, self.name)
        run(self.source, "drop publication if exists {}", self.name)
        end_copying(self.source, self.servers.named(self.source_name))

    def delete(self, connection: Owner) -> None:
        """Delete the organization's copy, without triggers."""
        if not value(connection, "select not app.is_here(%s)", self.id):
            raise CellsError("The cell serves the organization.")
        for table, column in sorted(self.tables.items(), key=lambda one: one[0] == "organizations"):
            with connection.transaction():
                connection.execute("set local session_replication_role = replica")
                run(connection, "delete from app.{} where {} = {id}", table, column, id=self.id)

    def forget(self) -> None:
        self.home.execute("delete from cells.moves where organization_id = %s", [self.id])


def tables_of(connection: Owner) -> dict[str, str]:
    """{table: the column with the organization} of all tables that move."""
    rows = connection.execute(
        "select c.relname::text, a.attname::text from pg_class c join pg_attribute a on a.attrelid = c.oid "
        "where c.relnamespace = 'app'::regnamespace and c.relkind = 'r' and c.relname <> all(%s) "
        "and a.attname = case c.relname when 'organizations' then 'id' else 'organization_id' end order by 1",
        [list(SHARED)],
    )
    return dict(rows.fetchall())


def digest(connection: Owner, table: str, column: str, id: int) -> tuple[int, Any]:
    """(number, checksum) of an organization's rows."""
    columns = value(
        connection,
        "select string_agg(format('%%I', attname), ', ' order by attname) from pg_attribute "
        "where attrelid = %s::regclass and attnum > 0 and not attisdropped",
        f"app.{table}",
    )
    row = connection.execute(
        sql.SQL(
            f"select count(*), coalesce(sum(hashtextextended(row({columns})::text, 0)::numeric), 0) "
            "from {} where {} = {}"
        ).format(sql.Identifier("app", table), sql.Identifier(column), sql.Literal(id))
    ).fetchone()
    assert row is not None
    return row[0], row[1]


def wait_for_calm(connection: Owner) -> None:
    """Wait until all transactions of the service are young."""
    asked = (
        "select 1 where not exists (select from pg_stat_activity where datname = current_database() "
        f"and usename in {LOGINS} and xact_start < clock_timestamp() - interval '{CALM}')"
    )
    until(lambda: value(connection, asked), CALM_SECONDS, "A transaction of the service")


def drain(connection: Owner, seconds: float) -> None:
    """Wait for the end of all present transactions of the service."""
    asked = (
        "select pid, xact_start from pg_stat_activity where datname = current_database() "
        f"and usename in {LOGINS} and xact_start is not null"
    )
    running = set(connection.execute(asked).fetchall())
    until(lambda: not running & set(connection.execute(asked).fetchall()), seconds, "A transaction of the service")


def move(servers: Servers, id: int, target: str, log: Log, keep: bool = False, accept: bool = False) -> Summary:
    """Move an organization, or go on with its move; raises CellsError.

    keep: leave the copy to the next call. accept: ignore a difference.
    """
    with servers.home.connect() as home:
        alone(home, id)
        known = home.execute("select source, target from cells.moves where organization_id = %s", [id]).fetchone()
        source = (
            known[0]
            if known
            else value(
                home, "select coalesce((select cell from cells.placements where organization_id = %s), 'home')", id
            )
        )
        if known and known[1] != target:
            raise CellsError(f"The organization is moving to {known[1]}; go on with that, or use --abort.")
        if source == target:
            raise CellsError(f"The organization is in {target}.")
        with servers.named(source).connect() as first, servers.named(target).connect() as second:
            for connection, name in ((first, source), (second, target)):
                check_name(connection, name)
            one = Move(home, first, second, servers, id, (source, target))
            if not known:
                one.begin()
            if one.step == DIFFERENT and not accept:
                raise CellsError(f"The copies in {source} and {target} differ: look at both, then use --accept.")
            return _go_on(one, log, keep)


def _go_on(one: Move, log: Log, keep: bool) -> Summary:
    tables = rows = 0
    fenced = 0.0
    if one.step == COPYING:
        # An interrupted switch may have left it.
        one.fence("here", one.source)
        one.copy(log)
        log("copied; switching")
        fenced, opened = one.switch(log)
        chaos_point("move_switched")
        log(f"switched; requests waited {fenced * 1000:.0f} ms; comparing")
        with opened:
            tables, rows = one.compare(opened)
    elif one.step == SWITCHED:
        _compare_late(one)
    chaos_point("move_compared")
    one.end_replication()
    chaos_point("move_before_deletion")
    if keep:
        log(f"compared; {one.source_name} keeps its copy until the command runs again without --keep")
        return Summary(tables, rows, fenced)
    time.sleep(MAP_SECONDS)
    drain(one.source, 120)
    one.delete(one.source)
    one.forget()
    return Summary(tables, rows, fenced)


def _compare_late(one: Move) -> None:
    """Compare the record of change after an interruption; raises CellsError."""
    for table, column in one.tables.items():
        if table == "changes":
            ours, theirs = (changes(connection, one.id) for connection in (one.source, one.target))
            if not ours <= theirs:
                raise CellsError(f"{one.target_name} lacks {len(ours - theirs)} changes; the copy is kept.")
        elif column == "id" and digest(one.target, table, column, one.id)[0] == 0:
            raise CellsError(f"{one.target_name} lacks the organization; the copy is kept.")
    one.note(COMPARED)


def changes(connection: Owner, id: int) -> set[tuple[Any, ...]]:
    """The numbers of an organization's changes of a month."""
    asked = "select transaction_id, id from app.changes where organization_id = %s and at > now() - interval '30 days'"
    return set(connection.execute(asked, [id]).fetchall())


def alone(home: Owner, id: int) -> None:
    """Raise CellsError unless no other command moves the organization, or migrates, until the connection ends."""
    if not value(home, "select pg_try_advisory_lock_shared(hashtextextended('pipeline migrate', 0))"):
        raise CellsError("pipeline migrate is at work: move the organization afterwards.")
    if not value(home, "select pg_try_advisory_lock(hashtextextended('pipeline cells move', %s))", id):
        raise CellsError("Another pipeline cells move is at work on the organization.")


def abort(servers: Servers, id: int, log: Log) -> None:
    """Take back a move that has not switched; raises CellsError. A target that is away keeps its copy."""
    with servers.home.connect() as home:
        alone(home, id)
        known = home.execute("select source, target, step from cells.moves where organization_id = %s", [id]).fetchone()
        if known is None:
            raise CellsError("The organization is not moving.")
        source, target, step = known
        if step != COPYING:
            raise CellsError(f"The organization is in {target} already: go on with the move, then move it back.")
        with servers.named(source).connect() as first, contextlib.ExitStack() as stack:
            try:
                second = stack.enter_context(servers.named(target).connect())
            except psycopg.OperationalError:
                log(f"{target} is away: it serves nobody its copy, and the next move to it replaces that.")
                second = None
            one = Move(home, first, second or first, servers, id, (source, target))
            one.fence("here", first)
            if second is None:
                one.end_publication()
            else:
                one.end_replication()
                one.delete(second)
            one.forget()
