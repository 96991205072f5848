"""How Citus plans each statement of sql/ on the worker of an organization: in one task, in several, or not at all."""

import re

import psycopg

from pipeline.database import queries
from tests.database.asked import typed

_TASKS = re.compile(r"Task Count: (\d+)")


def samples(query):
    """{parameter: a value of its type}; what only marks lines is not given; a list has its first order."""
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
