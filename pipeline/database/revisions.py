"""Revisions of databases and of this release, without Alembic's 10 MB."""

from typing import Any, NamedTuple

import psycopg

from pipeline.database.connections import not_none
from pipeline.process.settings.shipped import shipped

Asked = psycopg.Connection[Any] | psycopg.Cursor[Any]
FOLDER = shipped("alembic")
SCHEMA = shipped("sql") / "schema"
# The schema of 0.1.0, which never changes.
BASELINE = FOLDER / "baseline.sql"
IS_OURS = """
select exists (
    select from pg_attribute where attrelid = to_regclass('public.alembic_version') and attname = 'serves'
)"""


def schema() -> list[str]:
    """The schema's files in order, for one transaction. The first creates roles."""
    return [file.read_text(encoding="utf-8") for file in sorted(SCHEMA.glob("*.sql"))]


def head() -> str:
    return max(file.name[:4] for file in (FOLDER / "versions").glob("[0-9]*.py"))


class SchemaState(NamedTuple):
    """A database's revision, and the oldest that it serves; or None."""

    revision: str | None = None
    serves: str | None = None

    def is_usable_by(self, release: str) -> bool:
        """Whether a release with this revision works here."""
        newer = self.revision is not None and self.serves is not None and self.serves <= release < self.revision
        return self.revision == release or newer


def schema_state(connection: Asked) -> SchemaState:
    """The SchemaState of a database; any login may read it."""
    # Another program's table lacks the column.
    if not not_none(connection.execute(IS_OURS).fetchone())[0]:
        return SchemaState()
    row = connection.execute("select version_num, serves from public.alembic_version").fetchone()
    return SchemaState(*row) if row else SchemaState()


def current(connection: Asked) -> str | None:
    """The database's revision, or None."""
    return schema_state(connection).revision
