"""The parts of the schema `app`: tables, columns, policies, triggers, functions, grants; and how two schemas differ.

A migration records the parts that it leaves. The service compares them when it starts, so that a policy that was
opened by hand, or a function that was replaced, stops the start.
"""

import hashlib
from typing import Any

import psycopg

from pipeline.database.queries import dumps, queries
from pipeline.database.revisions import SCHEMA, schema

# A definition is shown up to this length, from a little before the first difference on.
LONGEST, BEFORE = 1000, 60
# The definition of each part, by its kind and name.
Parts = dict[tuple[str, str], str]
# A start does not compare these: an operator may add indexes and statistics, and a copy of a database has other grants.
OPERATORS, OF_DATABASE = ("index", "statistics"), " on the database to "
TABLE = """
create table if not exists public.pipeline_schema (
    files text not null, reader text not null, server integer not null, parts jsonb not null);
revoke all on public.pipeline_schema from public;
grant select on public.pipeline_schema to pipeline_app, pipeline_forms, pipeline_jobs;
delete from public.pipeline_schema"""
OTHER_FILES = (
    "The schema of this database was made by other files of sql/schema/. In development, remove the data folder "
    "(.data, or DATA_DIR) and start again; its data is lost."
)


class SchemaDiffers(Exception):
    """The schema of a database is not the one that its migration left; the message lists the differences."""


def parts(connection: psycopg.Connection[Any]) -> Parts:
    """The parts of a database's schema."""
    with connection.transaction(), queries.on(connection):
        queries.search_only(schema="pg_catalog")
        return {(part["kind"], part["name"]): part["definition"] for part in queries.schema_parts()}


def record_parts(connection: psycopg.Connection[Any]) -> None:
    """Record the parts as they are, with what tells whether they can be compared: files, statement, server."""
    found = [[kind, name, definition] for (kind, name), definition in parts(connection).items()]
    connection.execute(TABLE)
    values = (_files(), _reader(), _server(connection), dumps(found).decode())
    insert = "insert into public.pipeline_schema (files, reader, server, parts) values (%s, %s, %s, %s)"
    connection.execute(insert, values)


def check_parts(connection: psycopg.Connection[Any]) -> None:
    """Raise SchemaDiffers when the schema of a connection is not as this release's migration left it."""
    connection.execute("select set_config('search_path', 'pg_catalog', false)")
    if connection.execute("select to_regclass('public.pipeline_schema')").fetchone() == (None,):
        raise SchemaDiffers(OTHER_FILES)
    row = connection.execute("select files, server, parts from public.pipeline_schema").fetchone()
    if row is None or row[0] != _files():
        raise SchemaDiffers(OTHER_FILES)
    if row[1] != _server(connection):
        raise SchemaDiffers(f"The schema was recorded on PostgreSQL {row[1]}: run pipeline migrate.")
    _compare(connection, row[2])


def check_before(connection: psycopg.Connection[Any]) -> bool:
    """Raise SchemaDiffers when the schema is not as the migration of an earlier release left it.

    False where nothing can be compared: nothing was recorded, by another server or by a release that read other parts.
    """
    if connection.execute("select to_regclass('public.pipeline_schema')").fetchone() == (None,):
        return False
    row = connection.execute("select reader, server, parts from public.pipeline_schema").fetchone()
    if row is None or row[:2] != (_reader(), _server(connection)):
        return False
    _compare(connection, row[2])
    return True


def _compare(connection: psycopg.Connection[Any], recorded: list[list[str]]) -> None:
    wanted = {(kind, name): definition for kind, name, definition in recorded}
    if found := differences(_compared(wanted), _compared(parts(connection))):
        lines = "\n".join(f"  {line}" for line in found)
        raise SchemaDiffers(f"The schema is not as its migration left it:\n{lines}\nUndo this before you go on.")


def recorded_on(connection: psycopg.Connection[Any]) -> int | None:
    """The version of the server on which the parts were recorded; None where they were not."""
    if connection.execute("select to_regclass('public.pipeline_schema')").fetchone() == (None,):
        return None
    row = connection.execute("select server from public.pipeline_schema").fetchone()
    return None if row is None else int(row[0])


def _compared(found: Parts) -> Parts:
    return {
        part: definition
        for part, definition in found.items()
        if part[0] not in OPERATORS and OF_DATABASE not in part[1]
    }


def _files() -> str:
    return hashlib.sha256("\0".join(schema()).encode()).hexdigest()


def _reader() -> str:
    """The digest of the statement that reads the parts."""
    return hashlib.sha256((SCHEMA.parent / "cli" / "drift.sql").read_bytes()).hexdigest()


def _server(connection: psycopg.Connection[Any]) -> int:
    return connection.info.server_version // 10000


def differences(wanted: Parts, found: Parts) -> list[str]:
    """A line for each part that is missing, added or changed."""
    lines = []
    for part in sorted(wanted.keys() | found.keys()):
        name = " ".join(part)
        if part not in found:
            lines.append(_line("missing", name, _short(wanted[part])))
        elif part not in wanted:
            lines.append(_line("added", name, _short(found[part])))
        elif wanted[part] != found[part]:
            lines.append(_line("changed", name, _change(wanted[part], found[part])))
    return lines


def _change(wanted: str, found: str) -> str:
    """How a definition has changed; of a long one, from a little before the first difference on."""
    one, other = (" ".join(text.split()) for text in (wanted, found))
    same = next(
        (place for place, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other))
    )
    start = max(0, same - BEFORE) if max(len(one), len(other)) > LONGEST else 0
    return f"{_short(one, start)} has become {_short(other, start)}"


def _line(what: str, name: str, told: str) -> str:
    return f"{what:<7} {name}{f': {told}' if told else ''}"


def _short(text: str, start: int = 0) -> str:
    line = " ".join(text.split())
    end = start + LONGEST
    return f"{'… ' if start else ''}{line[start:end]}{' …' if len(line) > end else ''}"
