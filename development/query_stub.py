"""Generates pipeline/database/queries.pyi, the types of each query's parameters and result; a test compares it.

    python -m development.query_stub

A parameter has the type of its cast in the statement, else Any. Parameters that only choose lines, or that only
optional lines use, are optional.
"""

import re
from pathlib import Path

from pipeline.database.queries import FILLED, Queries

FILE = Path(__file__).resolve().parents[1] / "pipeline" / "database" / "queries.pyi"
TYPES = {
    "bigint": "int",
    "integer": "int",
    "double precision": "float",
    "numeric": "decimal.Decimal",
    "boolean": "bool",
    "date": "datetime.date",
    "timestamptz": "datetime.datetime | str",
    "text": "str",
    "uuid": "uuid.UUID | str",
    "json": "str",
    "jsonb": "str",
    "jsonpath": "str",
    "bytea": "bytes",
    "text[]": "Sequence[str]",
    "bigint[]": "Sequence[int | None]",
    "integer[]": "Sequence[int]",
}
LONGEST = 120
RESULTS = {"row": "Row | None", "rows": "list[Row]", "scalar": "Any", "rowcount": "int"}
HEADER = '''\
"""Generated from sql/ by python -m development.query_stub; not to be changed by hand."""

import datetime
import decimal
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar, overload

from psycopg import Connection, Error

from pipeline.database.connections import Database
from pipeline.database.statements import SqlStatement, Variant

# The types of a row's values are those of its columns.
Row = dict[str, Any]

class SentQuery:
    text: bytes
    values: list[Any]
    variant: Variant

class NamedQuery:
    name: str
    kind: str
    parameters: tuple[str, ...]
    frame: str
    statement: SqlStatement
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...
    def json(self, *args: Any, **kwargs: Any) -> Any: ...
    def each(self, by: Mapping[str, Sequence[int]], **given: Any) -> list[str | None]: ...
    def words(self, name: str) -> tuple[str, ...]: ...
    def explained(self, options: str, /, **parameters: Any) -> list[Any]: ...
    def merged(self, **parameters: Any) -> bytes: ...
    def sent(self, parameters: dict[str, Any], frame: str = ...) -> SentQuery: ...

P = ParamSpec("P")
T = TypeVar("T")

class TypedQuery(NamedQuery, Generic[P, T]):
    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> T: ...
    @overload
    def json(self: TypedQuery[P, Row | None], *args: P.args, **kwargs: P.kwargs) -> bytes | None: ...
    @overload
    def json(self: TypedQuery[P, list[Row]], *args: P.args, **kwargs: P.kwargs) -> bytes: ...

# The signatures below become attributes that can also be asked for JSON.
def query(signature: Callable[Concatenate[Queries, P], T]) -> TypedQuery[P, T]: ...

class ConnectionContext:
    connection: Connection[Row]
    role: str | None
    organization: str | None
    database: Database | None
    def __init__(self, connection: Connection[Row]) -> None: ...

def line_of(error: Error, text: bytes, variant: Variant) -> int: ...

SQL: Path
FILLED: dict[str, Callable[[], str | None]]

def dumps(value: object) -> bytes: ...
def loads(text: str | bytes) -> Any: ...

'''
QUERIES = """\
class Queries:
    reload: bool
    def __init__(self, folder: Path = ...) -> None: ...
    def __iter__(self) -> Iterator[NamedQuery]: ...
    def renew(self, check: Callable[[dict[str, SqlStatement]], object]) -> None: ...
    def bound(self) -> ConnectionContext: ...
    def connection(self) -> Connection[Row]: ...
    def database(self) -> tuple[bytes, bytes, bytes]: ...
    def bind(self, connection: Connection[Any] | None) -> None: ...
    def on(self, connection: Connection[Any]) -> AbstractContextManager[Connection[Any]]: ...

"""


def stub():
    """The content of the file."""
    named = sorted(Queries(), key=lambda query: query.name)
    return f"{HEADER}{QUERIES}{''.join(map(_signature, named))}\nqueries: Queries\n"


def _signature(query):
    """The query as a method, each parameter on a line of its own if one line is too short for all."""
    takes = ["self", *(["*"] if query.parameters else []), *(_parameter(query, name) for name in query.parameters)]
    head, tail = f"    def {query.name}(", f") -> {RESULTS[query.kind]}: ..."
    line = f"{head}{', '.join(takes)}{tail}"
    if len(line) > LONGEST:
        line = "\n".join([head, *(f"        {parameter}," for parameter in takes), f"    {tail}"])
    return f"    @query\n{line}\n"


def _parameter(query, name):
    """`name: type`, with a default for an optional parameter."""
    statement = query.statement
    cast = re.search(rf"cast\(\s*:{name} as ([a-z ]+(?:\[\])?)\)", statement.all_lines)
    words = statement.words.get(name)
    if words:
        kind = "bool" if set(words) == {"true", "false"} else "str"
    elif name not in statement.parameters:
        kind = "bool"
    else:
        kind = TYPES[cast[1].replace(" []", "[]")] if cast else "object"
    return f"{name}: {kind} | None" if needed(query, name) else f"{name}: {kind} | None = None"


def needed(query, name):
    """Whether a parameter is required: a line without a condition uses it, and it has no default."""
    always = any(not line.terms and re.search(rf"(?<!:):{name}\b", line.text) for line in query.statement.lines)
    return always and name not in FILLED


if __name__ == "__main__":
    FILE.write_text(stub())
