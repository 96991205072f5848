"""The parts of the schema `app`: recorded by migrations, compared at the start."""

import hashlib
import re
from typing import Any, NamedTuple

import psycopg

from pipeline.database.queries import dumps, queries
from pipeline.database.revisions import BASELINE, FOLDER, SCHEMA, current, head

LONGEST, BEFORE = 1000, 60
# {(kind, name): definition}.
Parts = dict[tuple[str, str], str]
# Operators may change indexes that are not unique, and statistics. REINDEX CONCURRENTLY builds unique ones beside.
OPERATORS, UNIQUE, HALF_BUILT = ("index", "statistics"), "CREATE UNIQUE", " (half-built)"
# A copy of a database has other grants. Our roles may not create in it.
OURS = "public|pipeline_(owner|lookup|watch|member|admin|public|app|forms|jobs)"
OF_DATABASE = re.compile(rf"(?!create .* ({OURS})$).* on the database to .*")
TABLE = """
create table if not exists public.pipeline_schema (
    files text not null, reader text not null, server integer not null, parts jsonb not null);
revoke all on public.pipeline_schema from public;
grant select on public.pipeline_schema to pipeline_app, pipeline_forms, pipeline_jobs;
delete from public.pipeline_schema"""
RECORD = """
select version.version_num, record.files, record.reader, record.server, record.parts
from public.pipeline_schema as record cross join public.alembic_version as version"""
UNDO = "Undo the differences first (docs/upgrade.md)."
OTHER_FILES = (
    "The schema of this database was made by other revisions. In development, remove the data folder "
    "(.data, or DATA_DIR) and start again; its data is lost."
)


class SchemaDiffers(Exception):
    """The schema changed; the message lists the differences."""


def parts(connection: psycopg.Connection[Any]) -> Parts:
    with connection.transaction(), queries.on(connection):
        queries.search_only(schema="pg_catalog")
        return {(part["kind"], part["name"]): part["definition"] for part in queries.schema_parts()}


def record_parts(connection: psycopg.Connection[Any]) -> None:
    """Record the parts, with files, reader and server version."""
    found = [[kind, name, definition] for (kind, name), definition in parts(connection).items()]
    connection.execute(TABLE)
    values = (_files(current(connection)), _reader(), _server(connection), dumps(found).decode())
    insert = "insert into public.pipeline_schema (files, reader, server, parts) values (%s, %s, %s, %s)"
    connection.execute(insert, values)


class SchemaRecord(NamedTuple):
    revision: str
    files: str
    reader: str
    server: int
    parts: list[list[str]]

    def is_readable(self, connection: psycopg.Connection[Any]) -> bool:
        """Whether this release, on this server, reads the same parts."""
        return (self.reader, self.server) == (_reader(), _server(connection))


def recorded(connection: psycopg.Connection[Any]) -> SchemaRecord | None:
    """The record, with the revision of the same moment."""
    if connection.execute("select to_regclass('public.pipeline_schema')").fetchone() == (None,):
        return None
    row = connection.execute(RECORD).fetchone()
    return SchemaRecord(*row) if row else None


def check_parts(connection: psycopg.Connection[Any]) -> None:
    """Raise SchemaDiffers if the schema is not as recorded, or is not this release's."""
    # A pooler gives the connection to others after the transaction.
    with connection.transaction():
        connection.execute("set local search_path = pg_catalog")
        record = recorded(connection)
        if record is None:
            raise SchemaDiffers(OTHER_FILES)
        if record.revision == head():
            _check_record(connection, record)
        # A newer release may record other parts.
        if record.is_readable(connection):
            _compare(connection, record)


def _check_record(connection: psycopg.Connection[Any], record: SchemaRecord) -> None:
    if record.files != _files(record.revision):
        raise SchemaDiffers(OTHER_FILES)
    if record.reader != _reader():
        raise SchemaDiffers("The schema was recorded by another release: run pipeline migrate.")
    if record.server != _server(connection):
        raise SchemaDiffers(f"The schema was recorded on PostgreSQL {record.server}: run pipeline migrate.")


def _compare(connection: psycopg.Connection[Any], record: SchemaRecord) -> None:
    wanted = {(kind, name): definition for kind, name, definition in record.parts}
    found = differences(*compared(wanted, parts(connection)))
    # A migration may have changed both meanwhile.
    if found and (newer := recorded(connection)) and newer != record:
        return _compare(connection, newer)
    if found:
        raise SchemaDiffers("\n  ".join(["The schema differs from the last migration:", *found, UNDO]))
    return None


def compared(wanted: Parts, found: Parts) -> tuple[Parts, Parts]:
    """Both without the operator's parts."""

    def is_ours(part: tuple[str, str]) -> bool:
        before, now = wanted.get(part, ""), found.get(part, "")
        unique = before.startswith(UNIQUE) or (now.startswith(UNIQUE) and not now.endswith(HALF_BUILT))
        return (part[0] not in OPERATORS or unique) and not OF_DATABASE.fullmatch(part[1])

    first, second = ({part: one[part] for part in one if is_ours(part)} for one in (wanted, found))
    return first, second


def _files(revision: str | None) -> str:
    files = [file for file in sorted((FOLDER / "versions").glob("[0-9]*.py")) if file.name[:4] <= (revision or "")]
    texts = [file.read_text(encoding="utf-8") for file in (BASELINE, *files)]
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()


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
            lines.append(_difference_line("missing", name, _short(wanted[part])))
        elif part not in wanted:
            lines.append(_difference_line("added", name, _short(found[part])))
        elif wanted[part] != found[part]:
            lines.append(_difference_line("changed", name, _change(wanted[part], found[part])))
    return lines


def _change(wanted: str, found: str) -> str:
    one, other = (" ".join(text.split()) for text in (wanted, found))
    same = next(
        (place for place, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other))
    )
    start = max(0, same - BEFORE) if max(len(one), len(other)) > LONGEST else 0
    return f"{_short(one, start)} has become {_short(other, start)}"


def _difference_line(what: str, name: str, change: str) -> str:
    return f"{what:<7} {name}{f': {change}' if change else ''}"


def _short(text: str, start: int = 0) -> str:
    line = " ".join(text.split())
    end = start + LONGEST
    return f"{'… ' if start else ''}{line[start:end]}{' …' if len(line) > end else ''}"
