"""A database's servers: one PostgreSQL, or a cluster (docs/citus.md) where one worker has an organization's rows."""

import threading
import time
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import psycopg
import structlog
from psycopg.conninfo import make_conninfo
from psycopg.rows import TupleRow

from pipeline.database.connections import (
    APP,
    BEGIN,
    FORMS,
    POOL_TIMEOUT,
    START_SECONDS,
    VANISHED,
    Connection,
    Database,
    check_login,
    not_none,
)
from pipeline.database.execution import command, never_prepare
from pipeline.database.queries import Row, queries
from pipeline.database.waiting import first_line, until_there

if TYPE_CHECKING:
    from pyramid.config import Configurator

STEPS = "public.distribution_steps"
# to_regclass() needs a right on the schema.
BEGUN = """
select from pg_class as relation
join pg_namespace as place on place.oid = relation.relnamespace
where place.nspname = 'public' and relation.relname = 'distribution_steps'"""
# Seconds until a moved shard is found; the old worker refuses.
FRESH_SECONDS = 1.0
# An organization's shards are together, so one table is enough.
SHARD = "select app.shard_of(%s) as shard"
PLACES = """
select placement.shardid as shard, placement.nodename as host, placement.nodeport as port
from pg_dist_shard_placement as placement
join pg_dist_shard as shard on shard.shardid = placement.shardid
where shard.logicalrelid = 'app.organizations'::regclass"""
HOLDER = "select app.organization_of(%s, %s) as organization_id"
# Cached organizations.
MOST_KNOWN = 100_000

log = structlog.get_logger("pipeline.database")


class Address(NamedTuple):
    """A server of the cluster."""

    host: str
    port: int


class NotDistributed(Exception):
    """The distribution is not finished."""


def _forget_plans(connection: Connection) -> None:
    command(connection, b"discard plans")


class Node(Database):
    """A pool on a cluster; plans contain a shard, so none is kept."""

    new, back = staticmethod(never_prepare), staticmethod(_forget_plans)

    def __init__(self, url: str, size: int, name: str, patience: float = POOL_TIMEOUT) -> None:
        super().__init__(url, size, name, patience)
        self._away, self._errors, self._trying = False, 0, threading.Lock()

    def begin(self, statement: bytes = BEGIN) -> Connection:
        """A transaction. While the server is away, one thread waits and others fail at once."""
        if not self._away:
            return self._begin(statement)
        if not self._trying.acquire(blocking=False):
            raise psycopg.OperationalError("The server was unreachable a moment ago.")
        try:
            return self._begin(statement)
        finally:
            self._trying.release()

    def _begin(self, statement: bytes) -> Connection:
        try:
            connection = super().begin(statement)
        except psycopg.OperationalError:
            # A pool in full use has no connection error.
            errors = self.pool.get_stats().get("connections_errors", 0)
            self._away, self._errors = errors > self._errors, errors
            raise
        self._away = False
        return connection


class Cluster(Node):
    """The coordinator's pool, with those of the workers."""

    def __init__(self, url: str, size: int, name: str, patience: float = POOL_TIMEOUT) -> None:
        super().__init__(url, size, name, patience)
        self._made = partial(Node, size=size, name=name, patience=patience)
        self._lock, self._looked_at = threading.Lock(), 0.0
        self._workers: dict[Address, Node] = {}
        self._places: dict[int, Address] = {}
        self._shards: dict[int, int] = {}
        self._told = False
        try:
            self._poll()
        except BaseException:
            self.close()
            raise

    def of(self, organization_id: int) -> Database:
        """The pool of an organization's worker; raises psycopg.OperationalError."""
        shard = self._shards.get(organization_id)
        if shard is None:
            if len(self._shards) >= MOST_KNOWN:
                self._shards = {}
            shard = self._shards[organization_id] = self._query(SHARD, organization_id)[0]["shard"]
        self._refresh()
        return self._workers[self._places[shard]]

    def holding(self, kind: str, key: str) -> Database:
        """The pool of a key's organization, or the coordinator's."""
        organization_id = self._query(HOLDER, kind, key)[0]["organization_id"]
        return self if organization_id is None else self.of(organization_id)

    def each(self) -> list[Database]:
        """The pools of all workers with organizations."""
        self._refresh()
        return [self._workers[place] for place in sorted(set(self._places.values()))]

    def servers(self) -> list[Database]:
        """The coordinator's pool and those of the workers."""
        return [self, *self.each()]

    def urls(self, url: str) -> list[str]:
        """The coordinator's URL for each of these workers."""
        self._refresh()
        return [make_conninfo(url, host=place.host, port=place.port) for place in sorted(set(self._places.values()))]

    def close(self) -> None:
        super().close()
        for worker in self._workers.values():
            worker.close()

    def _refresh(self) -> None:
        if time.monotonic() < self._looked_at + FRESH_SECONDS or not self._lock.acquire(blocking=False):
            return
        try:
            self._poll()
        except psycopg.OperationalError as error:
            if not self._told:
                log.warning("the coordinator is away", error=first_line(error))
            self._told = True
        finally:
            self._looked_at = time.monotonic()
            self._lock.release()

    def _poll(self) -> None:
        places = {row["shard"]: Address(row["host"], row["port"]) for row in self._query(PLACES)}
        for place in set(places.values()) - self._workers.keys():
            self._workers[place] = self._made(make_conninfo(self.url, host=place.host, port=place.port))
        self._places, self._looked_at, self._told = places, time.monotonic(), False

    def _query(self, statement: str, *values: object) -> list[Row]:
        connection = self.begin()
        try:
            return connection.execute(statement, values).fetchall()
        finally:
            self.end(connection, commit=False)


def open_database(url: str, size: int, name: str = "other", patience: float = POOL_TIMEOUT) -> Database:
    """The pools of a URL; raises psycopg.OperationalError, LoginRefused, NotDistributed."""
    with psycopg.connect(url, autocommit=True, **VANISHED) as connection:
        distributed = is_distributed(connection)
    database = Cluster(url, size, name, patience) if distributed else Database(url, size, name, patience)
    try:
        check_login(database)
    except BaseException:
        database.close()
        raise
    return database


def is_distributed(connection: psycopg.Connection[TupleRow]) -> bool:
    """Whether the database is on a cluster; raises NotDistributed."""
    if connection.execute(BEGUN).fetchone() is None:
        return False
    if connection.execute(f"select exists (select from {STEPS} where done_at is null)").fetchone() == (True,):
        raise NotDistributed("The distribution of the database is not finished: run pipeline distribute.")
    return True


def url_of(url: str, organization_id: int) -> str:
    """The URL of an organization's server; raises NotDistributed."""
    with psycopg.connect(url, autocommit=True, **VANISHED) as connection:
        if not is_distributed(connection):
            return url
        (shard,) = not_none(connection.execute(SHARD, [organization_id]).fetchone())
        places = {number: (host, port) for number, host, port in connection.execute(PLACES)}
    host, port = places[shard]
    return make_conninfo(url, host=host, port=port)


def includeme(config: "Configurator") -> None:
    """Open `registry.app` (callers) and `registry.forms` (prospects)."""
    settings = config.registry.pipeline
    queries.reload = settings.environment == "development"
    for name, url in ((APP, settings.database_url), (FORMS, settings.database_forms_url)):
        opened = partial(open_database, url, settings.database_pool, name)
        setattr(config.registry, name, until_there("PostgreSQL", opened, START_SECONDS))
