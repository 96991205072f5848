"""The parts of the schema `app`: recorded by migrations, compared at the start."""

import hashlib
from typing import Any

import psycopg

from pipeline.database.queries import dumps, queries
from pipeline.database.revisions import BASELINE, FOLDER, SCHEMA, schema

LONGEST, BEFORE = 1000, 60
# {(kind, name): definition}.
Parts = dict[tuple[str, str], str]
# Operators may change indexes that are not unique, and statistics. A copy of a database has other grants.
OPERATORS, UNIQUE, OF_DATABASE = ("index", "statistics"), "CREATE UNIQUE", " on the database to "
TABLE = """
create table if not exists public.pipeline_schema (
    files text not null, reader text not null, server integer not null, parts jsonb not null);
revoke all on public.pipeline_schema from public;
grant select on public.pipeline_schema to pipeline_app, pipeline_forms, pipeline_jobs;
delete from public.pipeline_schema"""
OTHER_FILES = (
    "The schema of this database was made by other revisions. In development, remove the data folder "
    "(.data, or DATA_DIR) and start again; its data is lost."
)


class SchemaDiffers(Exception):
    """The schema changed; the message lists the differences."""


def parts(connection: psycopg.Connection[Any]) -> Parts:
    """The parts of the schema."""
    with connection.transaction(), queries.on(connection):
        queries.search_only(schema="pg_catalog")
        return {(part["kind"], part["name"]): part["definition"] for part in queries.schema_parts()}


def record_parts(connection: psycopg.Connection[Any]) -> None:
    """Record the parts, with files, reader and server version."""
    found = [[kind, name, definition] for (kind, name), definition in parts(connection).items()]
    connection.execute(TABLE)
    values = (_files(), _reader(), _server(connection), dumps(found).decode())
    insert = "insert into public.pipeline_schema (files, reader, server, parts) values (%s, %s, %s, %s)"
    connection.execute(insert, values)


def check_parts(connection: psycopg.Connection[Any]) -> None:
    """Raise SchemaDiffers if the schema is not this release's."""
    connection.execute("select set_config('search_path', 'pg_catalog', false)")
    if connection.execute("select to_regclass('public.pipeline_schema')").fetchone() == (None,):
        raise SchemaDiffers(OTHER_FILES)
    row = connection.execute("select files, reader, server, parts from public.pipeline_schema").fetchone()
    if row is None or row[0] != _files():
        raise SchemaDiffers(OTHER_FILES)
    if row[1] != _reader():
        raise SchemaDiffers("The schema was recorded by another release: run pipeline migrate.")
    if row[2] != _server(connection):
        raise SchemaDiffers(f"The schema was recorded on PostgreSQL {row[2]}: run pipeline migrate.")
    _compare(connection, row[3])


def check_before(connection: psycopg.Connection[Any]) -> bool:
    """Raise SchemaDiffers if the schema is not its release's; False without a comparable record."""
    if connection.execute("select to_regclass('public.pipeline_schema')").fetchone() == (None,):
        return False
    row = connection.execute("select reader, server, parts from public.pipeline_schema").fetchone()
    if row is None or row[:2] != (_reader(), _server(connection)):
        return False
    _compare(connection, row[2])
    return True


def _compare(connection: psycopg.Connection[Any], recorded: list[list[str]]) -> None:
    wanted = {(kind, name): definition for kind, name, definition in recorded}
    if found := differences(*compared(wanted, parts(connection))):
        lines = "\n".join(f"  {line}" for line in found)
        raise SchemaDiffers(f"The schema differs from the last migration:\n{lines}\nUndo the differences first.")


def is_readable(connection: psycopg.Connection[Any]) -> bool:
    """Whether check_parts can judge: False for a record of another release or server version."""
    if connection.execute("select to_regclass('public.pipeline_schema')").fetchone() == (None,):
        return True
    row = connection.execute("select reader, server from public.pipeline_schema").fetchone()
    return row in (None, (_reader(), _server(connection)))


def compared(wanted: Parts, found: Parts) -> tuple[Parts, Parts]:
    """Both without the operator's parts."""

    def is_ours(part: tuple[str, str]) -> bool:
        ours = part[0] not in OPERATORS or wanted.get(part, "").startswith(UNIQUE)
        return ours and OF_DATABASE not in part[1]

    first, second = ({part: one[part] for part in one if is_ours(part)} for one in (wanted, found))
    return first, second


def _files() -> str:
    revisions = [file.read_text(encoding="utf-8") for file in sorted((FOLDER / "versions").glob("[0-9]*.py"))]
    return hashlib.sha256("\0".join([*schema(BASELINE), *revisions]).encode()).hexdigest()


def _reader() -> str:
    return hashlib.sha256((SCHEMA.parent / "cli" / "drift.sql").read_bytes()).hexdigest()


def _server(connection: psycopg.Connection[Any]) -> int:
    return connection.info.server_version // 10000


def differences(wanted: Parts, found: Parts) -> list[str]:
    """A line for each missing, added or changed part."""
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
