"""The data layer's one seam: pools, named queries, and a transaction bound to the thread that runs it.

pugsql loads, names and documents the statements in `sql/`. They are executed on a psycopg connection: `:name`
becomes `%(name)s` once, at load, which costs half of what a bound SQLAlchemy connection does for each call.
"""

import contextlib
import json
import re
import threading
from decimal import Decimal
from functools import partial
from pathlib import Path

import orjson
import psycopg
import structlog
from psycopg.rows import dict_row, tuple_row
from psycopg.types.json import set_json_dumps, set_json_loads
from psycopg_pool import ConnectionPool
from pugsql.compiler import Module
from sqlalchemy.dialects.postgresql.psycopg import PGDialect_psycopg

from pipeline.chaos import chaos_point

SQL = Path(__file__).resolve().parent.parent / "sql"
POOL_TIMEOUT = 3.0
# The methods that change a record.
CHANGES = ("PUT", "PATCH", "DELETE")
BEGIN = "begin"
# Reads all from one snapshot, and cannot change a row that was changed after it.
BEGIN_ON_SNAPSHOT = "begin isolation level repeatable read"

log = structlog.get_logger(__name__)


def dumps(value):
    """JSON bytes; a Decimal becomes a JSON number with exactly its digits."""
    return orjson.dumps(value, default=_decimal)


def _decimal(value):
    if isinstance(value, Decimal):
        return orjson.Fragment(str(value))
    raise TypeError(type(value).__name__)


loads = partial(json.loads, parse_float=Decimal)
set_json_dumps(dumps)
set_json_loads(loads)


class Query:
    """A named statement of `sql/`, executed on the current transaction.

    Called with its parameters it returns what its header says: `:one` a dict or None, `:many` a list of dicts,
    `:scalar` a value, `:affected` a count. The parameter `request_id` fills itself, with the id of the request that is
    being served or whose event is being delivered.
    """

    def __init__(self, statement, current):
        self.name, self.__doc__ = statement.name, statement.__doc__
        self.kind = statement.result.display_type
        self.sql = self._text(statement)
        self.json_sql = self._as_json()
        self._knows_request = "%(request_id)s" in self.sql
        self._current = current

    def _text(self, statement):
        compiled = str(statement._text.compile(dialect=PGDialect_psycopg()))
        # pugsql's own first line names an absolute path; the log only needs the name
        body = re.sub(r"\A-- pugsql function[^\n]*\n", "", compiled)
        return f"-- {statement.name}\n{body.rstrip().rstrip(';')}"

    def _as_json(self):
        made = "to_json(r)" if self.kind == "row" else "coalesce(json_agg(r), '[]')"
        return f"-- {self.name}\nwith r as (\n{self.sql}\n) select {made}::text from r"

    def __call__(self, **parameters):
        if self._knows_request:
            parameters.setdefault("request_id", structlog.contextvars.get_contextvars().get("request_id"))
        cursor = self._current().execute(self.sql, parameters)
        if self.kind == "row":
            return cursor.fetchone()
        if self.kind == "rows":
            return cursor.fetchall()
        if self.kind == "rowcount":
            return cursor.rowcount
        row = cursor.fetchone()
        return next(iter(row.values())) if row else None

    def json(self, **parameters):
        """The result as JSON bytes made by PostgreSQL: an object (None without a row), or an array."""
        cursor = self._current().cursor(row_factory=tuple_row)
        row = cursor.execute(self.json_sql, parameters).fetchone()
        return row and row[0].encode()


class Queries:
    """All statements below a folder as attributes: `queries.template_get(id=1)`.

    With `reload` a changed file is used by the next call (development).
    """

    def __init__(self, folder=SQL, reload=False):
        self._folder, self.reload = folder, reload
        self._local = threading.local()
        self._load()

    def _load(self):
        self._stamp = self._changed()
        folders = sorted(path for path in self._folder.iterdir() if path.is_dir())
        module = Module(str(folders[0]))
        module.add_queries(*map(str, folders[1:]))
        self._named = {statement.name: Query(statement, self.connection) for statement in module}

    def _changed(self):
        return max((path.stat().st_mtime_ns for path in self._folder.glob("*/*.sql")), default=0)

    def __getattr__(self, name):
        if self.reload and self._changed() != self._stamp:
            self._load()
        try:
            return self._named[name]
        except KeyError:
            raise AttributeError(f"sql/ has no query named {name}") from None

    def __iter__(self):
        return iter(self._named.values())

    def connection(self):
        """The psycopg connection of this thread's transaction."""
        connection = getattr(self._local, "connection", None)
        if connection is None:
            raise RuntimeError("A query needs a transaction.")
        return connection

    def database(self):
        """What tells this transaction's database from others: (host, port, name); a key for caches."""
        pgconn = self.connection().pgconn
        return pgconn.host, pgconn.port, pgconn.db

    def bind(self, connection):
        """Run this thread's queries on `connection` from now on; returns the connection bound before."""
        previous = getattr(self._local, "connection", None)
        self._local.connection = connection
        return previous

    @contextlib.contextmanager
    def on(self, connection):
        """Run the queries of the `with` block on `connection`."""
        previous = self.bind(connection)
        try:
            yield connection
        finally:
            self.bind(previous)


queries = Queries()


class Database:
    """A pool of connections under one login."""

    def __init__(self, url, size=8):
        self.pool = ConnectionPool(
            url,
            min_size=1,
            max_size=size,
            timeout=POOL_TIMEOUT,
            reconnect_timeout=5,
            open=False,
            kwargs={
                "row_factory": dict_row,
                "autocommit": True,  # begin and commit are written out below
                "connect_timeout": 3,
                "application_name": "pipeline",
            },
        )
        self.pool.open()

    def begin(self, statement=BEGIN):
        """A transaction on a live connection; raises psycopg.OperationalError.

        A connection that a server restart has cut shows itself at BEGIN, before anything was done: it is
        dropped and the next one is taken.
        """
        for _ in range(self.pool.max_size + 1):
            connection = self.pool.getconn()
            try:
                connection.execute(statement)
            except psycopg.OperationalError:
                self.pool.putconn(connection)
                continue
            return connection
        raise psycopg.OperationalError("No connection of the pool is alive.")

    def end(self, connection, commit):
        """Commit or roll back, and give the connection back; a failed commit raises."""
        try:
            if commit:
                chaos_point("before_commit")
                connection.commit()
                chaos_point("after_commit")
            else:
                with contextlib.suppress(psycopg.OperationalError):
                    connection.rollback()
        finally:
            self.pool.putconn(connection)

    @contextlib.contextmanager
    def transaction(self):
        """A transaction outside of a request: commits at the end of the block, rolls back on an exception."""
        connection = self.begin()
        done = False
        try:
            with queries.on(connection):
                yield connection
            done = True
        finally:
            self.end(connection, commit=done)

    def close(self):
        """Close every connection."""
        self.pool.close()


class Transaction:
    """A request's transaction: begun by the first need, ended by the tween.

    A change with If-Match works on a snapshot (see entity_tags.py).
    """

    def __init__(self, request):
        self.database = self.connection = None
        guarded = "HTTP_IF_MATCH" in request.environ and request.method in CHANGES
        self.statement = BEGIN_ON_SNAPSHOT if guarded else BEGIN

    def begin(self, database):
        """Start it on `database` (once)."""
        if self.connection is None:
            self.database, self.connection = database, database.begin(self.statement)
            queries.bind(self.connection)

    def end(self, commit):
        """End it, if it was begun."""
        if self.connection is not None:
            connection, self.connection = self.connection, None
            queries.bind(None)
            self.database.end(connection, commit)

    def hand_over(self):
        """(database, connection) of the open transaction, for a response that streams: whoever takes it ends it."""
        connection, self.connection = self.connection, None
        queries.bind(None)
        return self.database, connection


def check_login(database):
    """Raise LoginRefused for a login that row-level security does not bind."""
    with database.transaction() as connection:
        row = connection.execute(
            """select current_user as login, rolsuper or rolbypassrls as unbound,
                      exists (select from pg_class c
                              where c.relnamespace = to_regnamespace('app') and c.relowner = r.oid) as owner
               from pg_roles r where rolname = current_user"""
        ).fetchone()
    if row["unbound"] or row["owner"]:
        raise LoginRefused(
            f"The database login {row['login']} is a superuser, bypasses row-level security or owns the tables; "
            "use pipeline_app (DATABASE_URL), pipeline_forms (DATABASE_FORMS_URL), pipeline_jobs (DATABASE_JOBS_URL)."
        )


class LoginRefused(Exception):
    """The database login has more rights than the service may have."""


def tween_factory(handler, registry):
    """A 2xx or 3xx commits, everything else rolls back."""

    def tween(request):
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


def includeme(config):
    """Open the pools: `registry.app` for callers with a token, `registry.forms` for prospects."""
    settings = config.registry.pipeline
    queries.reload = settings.environment == "development"
    config.registry.app = Database(settings.database_url, settings.database_pool)
    config.registry.forms = Database(settings.database_forms_url, settings.database_pool)
    for database in (config.registry.app, config.registry.forms):
        check_login(database)
    config.add_tween("pipeline.database.tween_factory", under="pyramid.tweens.excview_tween_factory")
