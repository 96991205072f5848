"""The revision of a database, and the one that this release needs.

It does not import Alembic, which would cost each web process 10 MB.
"""

from pathlib import Path
from typing import Any, NamedTuple

import psycopg

from pipeline.database.rows import sure
from pipeline.settings.shipped import shipped

Asked = psycopg.Connection[Any] | psycopg.Cursor[Any]
FOLDER = shipped("alembic")
SCHEMA = shipped("sql") / "schema"


def schema(folder: Path = SCHEMA) -> list[str]:
    """The schema's files as SQL texts, in order, for an empty database.

    Run them in one transaction with a login that may migrate. The first one creates the server's roles.
    """
    return [file.read_text(encoding="utf-8") for file in sorted(folder.glob("*.sql"))]


def head() -> str:
    """The newest revision of this release."""
    return max(file.name[:4] for file in (FOLDER / "versions").glob("[0-9]*.py"))


class Standing(NamedTuple):
    """A database's four-digit revision, and the oldest revision that it still serves; None before migration."""

    revision: str | None = None
    serves: str | None = None

    def suits(self, release: str) -> bool:
        """Whether a release with this newest revision works on the database."""
        newer = self.revision is not None and self.serves is not None and self.serves <= release < self.revision
        return self.revision == release or newer


def standing(connection: Asked) -> Standing:
    """The Standing of a database; every login of the service may read it."""
    if sure(connection.execute("select to_regclass('public.alembic_version')").fetchone())[0] is None:
        return Standing()
    row = connection.execute("select version_num, serves from public.alembic_version").fetchone()
    return Standing(*row) if row else Standing()


def current(connection: Asked) -> str | None:
    """The database's revision, or None before the first migration."""
    return standing(connection).revision
