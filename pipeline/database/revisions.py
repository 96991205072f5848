"""Where the schema of a database stands, and which one this release makes and needs.

`standing(connection)` asks a database; `head()` and `schema()` tell of this release. Nothing here needs Alembic, of
which each web process would hold 10 MB.
"""

from pathlib import Path
from typing import Any, NamedTuple

import psycopg

from pipeline.database.rows import sure
from pipeline.settings.shipped import shipped

# What may ask where a database stands.
Asked = psycopg.Connection[Any] | psycopg.Cursor[Any]
FOLDER = shipped("alembic")
SCHEMA = shipped("sql") / "schema"


def schema(folder: Path = SCHEMA) -> list[str]:
    """The files of the schema as SQL texts, in the order in which they make an empty database.

    Run them in one transaction as whoever may migrate. The first one makes the cluster's roles.
    """
    return [file.read_text(encoding="utf-8") for file in sorted(folder.glob("*.sql"))]


def head() -> str:
    """The newest revision that this release knows; each file's name begins with its revision's number."""
    return max(file.name[:4] for file in (FOLDER / "versions").glob("[0-9]*.py"))


class Standing(NamedTuple):
    """Where a database stands: its revision, and the oldest revision whose release works on it; None before the first.

    Revisions are numbered, with four digits.
    """

    revision: str | None = None
    serves: str | None = None

    def suits(self, release: str) -> bool:
        """Whether the release with this newest revision works here: on its own schema or a later one that serves it."""
        newer = self.revision is not None and self.serves is not None and self.serves <= release < self.revision
        return self.revision == release or newer


def standing(connection: Asked) -> Standing:
    """Where the database of a connection stands; any of Pipeline's logins may ask."""
    if sure(connection.execute("select to_regclass('public.alembic_version')").fetchone())[0] is None:
        return Standing()
    row = connection.execute("select version_num, serves from public.alembic_version").fetchone()
    return Standing(*row) if row else Standing()


def current(connection: Asked) -> str | None:
    """The revision that the database stands at, None before the first migration."""
    return standing(connection).revision
