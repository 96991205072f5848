"""The named queries of `sql/`, executed on the thread's transaction.

A statement's first and last lines hold its name, variant and role, for pg_stat_activity and pg_stat_statements. Where
size affects the plan, they add the organization, for its own plan.
"""

import contextlib
import functools
import json
import re
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any, NamedTuple

import orjson
import psycopg
import structlog
from psycopg import sql
from psycopg.types.json import set_json_dumps, set_json_loads

from pipeline.database import statements
from pipeline.database.execution import Result, execute, meter
from pipeline.process import tracing
from pipeline.process.settings.shipped import shipped

# {column: value}.
Row = dict[str, Any]
SQL = shipped("sql")
# Columns that set the transaction's role or organization.
ROLE, ORGANIZATION = "database_role", "organization_context"
# Cached texts, of a few kilobytes.
KEPT = 1024
# Parameters with a default: the request's id and the current span.
FILLED = {
    "request_id": lambda: structlog.contextvars.get_contextvars().get("request_id"),
    "traceparent": tracing.traceparent,
}
SPOKEN = {"db.system.name": "postgresql"}


def dumps(value: object) -> bytes:
    """JSON bytes; a Decimal keeps its digits."""
    return orjson.dumps(value, default=_decimal)


def _decimal(value: object) -> orjson.Fragment:
    if isinstance(value, Decimal):
        return orjson.Fragment(str(value))
    raise TypeError(type(value).__name__)


# json.loads would create one per value, which is slow.
_read = json.JSONDecoder(parse_float=Decimal).decode


def loads(text: str | bytes) -> Any:
    """The data of JSON, with Decimal for fractions."""
    return _read(text if isinstance(text, str) else text.decode())


set_json_dumps(dumps)
set_json_loads(loads)


class SentQuery(NamedTuple):
    """A query for some values: `text` with `$n`, and the values. prepare: its plan may be kept."""

    text: bytes
    values: list[Any]
    variant: statements.Variant
    prepare: bool


class NamedQuery:
    """A named statement of `sql/`.

    A call returns `:one` a dict or None, `:many` a list of dicts, `:scalar` a value, `:affected` a count. Omits marked
    lines without a parameter.
    """

    def __init__(self, statement: statements.SqlStatement, bound: Callable[[], "ConnectionContext"]) -> None:
        self.statement, self.name, self.__doc__ = statement, statement.name, statement.doc
        self.kind = statement.kind
        self._bound = bound
        marks = (name for name in statement.words if name != statements.FILTERED)
        self.parameters = tuple(dict.fromkeys((*statement.parameters, *marks)))
        self._known = frozenset(self.parameters)
        self._is_page = "limit" in statement.parameters
        self._filled = self._known.intersection(FILLED)
        made = "to_json(r)" if self.kind == "row" else "coalesce(json_agg(r), '[]')"
        self.frame = f"with r as (\n{{}}\n) select {made}::text from r"

    def __call__(self, **parameters: Any) -> Any:
        result = self._execute(parameters)
        if self.kind == "rowcount":
            return result.rowcount
        if self.kind == "rows":
            return result.fetchall()
        row = result.fetchone()
        if self.kind != "row":
            return next(iter(row.values())) if row else None
        if row:
            self._bound().set_context(row)
        return row

    def json(self, **parameters: Any) -> bytes | None:
        """JSON bytes from PostgreSQL: an object, None or an array."""
        found = self._execute(parameters, self.frame).pgresult
        return found.get_value(0, 0) if found and found.ntuples else None

    def each(self, by: Mapping[str, Sequence[int]], **given: Any) -> list[str | None]:
        """A `:one` for many values of some parameters: JSON or None for each, by one statement."""
        sent = self.sent({**given, **by})
        names, text = sent.variant.parameters, sent.variant.text
        numbers = {name: names.index(name) + 1 for name in by}
        for name, number in numbers.items():
            text = re.sub(rf"\${number}\b", f"wanted.{name}", text)
        arrays = ", ".join(f"cast(${number} as bigint[])" for number in numbers.values())
        frame = (
            "select (select to_json(r)::text from (\n{}\n) as r) as record"
            f"\nfrom unnest({arrays}) with ordinality as wanted({', '.join(by)}, place)\norder by wanted.place"
        )
        who = self._bound().first_line_suffix(False)
        found = self._run(sent._replace(text=_text(sent.variant.name, text, who, frame)))
        return [row["record"] for row in found.fetchall()]

    def words(self, name: str) -> tuple[str, ...]:
        """The words of a mark's parameter, in order."""
        return self.statement.words[name]

    def explained(self, options: str, /, **parameters: Any) -> list[Any]:
        """The rows of `explain (options)`; with `analyze` the statement runs."""
        return [
            line for row in self._execute(parameters, f"explain ({options})\n{{}}").fetchall() for line in row.values()
        ]

    def merged(self, **parameters: Any) -> bytes:
        """The statement with literals, for COPY and psql."""
        sent, connection = self.sent(parameters), self._bound().connection
        literals = [sql.Literal(value).as_string(connection) for value in sent.values]
        return re.sub(r"\$(\d+)", lambda number: literals[int(number[1]) - 1], sent.text.decode()).encode()

    def sent(self, parameters: dict[str, Any], frame: str = "{}") -> SentQuery:
        """The SentQuery of {name: value}; raises TypeError for a wrong or missing parameter."""
        if not self._known.issuperset(parameters):
            raise TypeError(f"{self.name} has no parameter {', '.join(sorted(set(parameters) - self._known))}.")
        for name in self._filled.difference(parameters):
            parameters[name] = FILLED[name]()
        variant = self.statement.variant(parameters) if self.statement.words else self.statement.compiled()
        try:
            values = [parameters[name] for name in variant.parameters]
        except KeyError as error:
            raise TypeError(f"{self.name} needs the parameter {error.args[0]}.") from None
        who = self._bound().first_line_suffix(bool(self.statement.words))
        text = _text(variant.name, variant.text, who, frame)
        return SentQuery(text, values, variant, not self._is_page or self.statement.keeps_plan(parameters))

    def _execute(self, parameters: dict[str, Any], frame: str = "{}") -> Result:
        return self._run(self.sent(parameters, frame))

    def _run(self, sent: SentQuery) -> Result:
        started, connection = time.perf_counter(), self._bound().connection
        try:
            with tracing.span(sent.variant.name, tracing.CLIENT, **SPOKEN):
                return execute(connection, sent.text, sent.values, sent.prepare)
        except psycopg.Error as error:
            error.add_note(f"{self.statement.file}:{line_of(error, sent.text, sent.variant)}, {sent.variant.name}")
            raise
        finally:
            meter.add(time.perf_counter() - started)


@functools.lru_cache(KEPT)
def _text(name: str, text: str, who: str, frame: str) -> bytes:
    comment = f"-- {name}{who}"
    return f"{comment}\n{frame.format(text)}\n{comment}".encode()


def line_of(error: psycopg.Error, text: bytes, variant: statements.Variant) -> int:
    """The line of a PostgreSQL error in the file."""
    position = int(error.diag.statement_position or 0)
    before = text.decode()[:position].count("\n")
    offset = text.decode().split(variant.text, 1)[0].count("\n")
    return variant.numbers[min(max(before - offset, 0), len(variant.numbers) - 1)]


class ConnectionContext:
    """A connection and its pool, with its transaction's role and organization."""

    __slots__ = ("connection", "role", "organization", "database")

    def __init__(self, connection: psycopg.Connection[Row]) -> None:
        self.connection = connection
        self.role: str | None = None
        self.organization: str | None = None
        # The `Database`, which imports this module.
        self.database: Any = None

    def set_context(self, row: Row) -> None:
        """Take role and organization from a row."""
        self.role = row.get(ROLE, self.role)
        self.organization = row.get(ORGANIZATION, self.organization)

    def first_line_suffix(self, sized: bool) -> str:
        """Role and, when `sized`, organization for the first line."""
        role = f", {self.role}" if self.role else ""
        return f"{role}, organization {self.organization}" if sized and self.organization else role


class Queries:
    """All statements below a folder: `queries.template_get(id=1)`. `reload`: use changed files without `renew`."""

    def __init__(self, folder: Path = SQL) -> None:
        self._folder, self.reload, self._local = folder, False, threading.local()
        self._named: dict[str, NamedQuery] | None = None

    def renew(
        self, check: Callable[[dict[str, statements.SqlStatement]], object] | None = None
    ) -> dict[str, NamedQuery]:
        """Reload the files, unless check({name: Statement}) raises; raises StatementError."""
        self._stamp = self._changed()
        loaded = statements.load(self._folder)
        if check:
            check(loaded)
        named = self._named = {name: NamedQuery(statement, self.bound) for name, statement in loaded.items()}
        return named

    def _changed(self) -> int:
        return max((path.stat().st_mtime_ns for path in self._folder.glob("*/*.sql")), default=0)

    def __getattr__(self, name: str) -> NamedQuery:
        try:
            return self._current()[name]
        except KeyError:
            raise AttributeError(f"sql/ has no query named {name}") from None

    def __iter__(self) -> Iterator[NamedQuery]:
        return iter(self._current().values())

    def _current(self) -> dict[str, NamedQuery]:
        if self._named is None or (self.reload and self._changed() != self._stamp):
            return self.renew()
        return self._named

    def bound(self) -> ConnectionContext:
        """This thread's ConnectionContext; raises RuntimeError without a transaction."""
        bound = getattr(self._local, "bound", None)
        if bound is None:
            raise RuntimeError("A query needs a transaction.")
        return bound

    def connection(self) -> psycopg.Connection[Row]:
        return self.bound().connection

    def database(self) -> tuple[bytes, bytes, bytes]:
        """(host, port, name), a key for caches."""
        pgconn = self.connection().pgconn
        return pgconn.host, pgconn.port, pgconn.db

    def bind(self, connection: psycopg.Connection[Row] | None) -> None:
        """Run this thread's queries on `connection`, or none."""
        self._local.bound = connection and ConnectionContext(connection)

    @contextlib.contextmanager
    def on(self, connection: psycopg.Connection[Row]) -> Iterator[psycopg.Connection[Row]]:
        """Run the block's queries on `connection`."""
        previous = getattr(self._local, "bound", None)
        self.bind(connection)
        try:
            yield connection
        finally:
            self._local.bound = previous


queries = Queries()
