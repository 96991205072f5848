"""How Citus plans each statement of sql/ on the worker of an organization: in one task, in several, or not at all."""

import re

import psycopg

from pipeline.database import queries

# A parameter's value by the type that the statement casts it to; a list's by its first word.
SAMPLES = {
    "bigint": 1,
    "integer": 1,
    "smallint": 1,
    "boolean": True,
    "text": "x",
    "jsonb": "{}",
    "json": "{}",
    "timestamptz": "2026-01-01T00:00:00Z",
    "date": "2026-01-01",
    "numeric": 1,
    "interval": "1 day",
    "bytea": b"x",
    "double precision": 1.0,
    "pg_snapshot": "10:20:",
}
_CAST = re.compile(r"cast\(:(\w+) as ([a-z_ ]+?)\s*(\[\])?\)")
_TASKS = re.compile(r"Task Count: (\d+)")


def typed(query):
    """{parameter: a value of the type that the statement casts it to; None without a cast}."""
    types = {name: (kind, array) for name, kind, array in _CAST.findall(query.statement.whole)}
    values = {}
    for name in query.parameters:
        kind, array = types.get(name, (None, ""))
        values[name] = ("{1}" if kind in ("bigint", "integer") else "{}") if array else SAMPLES.get(kind)
    return values


def samples(query):
    """The same, but what only marks lines is not given; a list has its first order."""
    marks = {name: query.words(name)[0] if name.startswith("sort_") else None for name in query.statement.words}
    return typed(query) | marks


def planned(connection, query):
    """How a query is planned on a connection with a context: "no table", "one task", "N tasks", or what is refused."""
    try:
        with connection.transaction(force_rollback=True), queries.on(connection):
            lines = query.explained("costs off", **samples(query))
    except psycopg.Error as error:
        return f"refused: {error.diag.message_primary or error}"
    counts = [int(count) for count in _TASKS.findall("\n".join(lines))]
    if not counts:
        return "no table"
    return "one task" if counts == [1] else f"{len(counts)} steps, at most {max(counts)} tasks"
