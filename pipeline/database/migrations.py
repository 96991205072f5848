"""Alembic's configuration and helpers for revisions (docs/migrations.md). Statements run as pipeline_owner."""

import contextlib
import re
import time
from collections.abc import Callable, Iterator
from typing import Any

import psycopg
import sqlalchemy
from alembic.config import Config
from sqlalchemy import create_engine
from sqlalchemy.exc import DBAPIError, OperationalError
from sqlalchemy.pool import NullPool

from alembic import command, context, op
from pipeline.database.revisions import FOLDER, head, schema, schema_state
from pipeline.database.schema_record import record_parts

# Requests wait behind it for 2 s at most; autovacuum gives way after 1 s (deadlock_timeout).
LIMITS = "set lock_timeout = '1500ms'; set statement_timeout = '10min'"
TRIES, PAUSE_SECONDS = 60, 1.0
# 42710 and 23505: the role came into being meanwhile. XX000: "tuple concurrently updated".
ROLE_MADE_MEANWHILE = {"42710", "23505", "XX000"}
NO_LIMITS = "set lock_timeout = 0; set statement_timeout = 0"
# Alembic's table, with the oldest release that the schema serves.
VERSION_TABLE = """
create table if not exists public.alembic_version (
    version_num varchar(32) not null, serves varchar(32) not null default '0001',
    constraint alembic_version_pkc primary key (version_num)
)"""
# Every login may read the revision, none may change it.
VERSION_RIGHTS = """
revoke all on public.alembic_version from public;
grant select on public.alembic_version to pipeline_app, pipeline_forms, pipeline_jobs;
"""


def configuration() -> Config:
    config = Config()
    # Config interpolates %, so a path doubles it.
    config.set_main_option("script_location", str(FOLDER).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    return config


def upgrade(
    url: str,
    progress: Callable[[str], None] = lambda line: None,
    to: str = "head",
    applied: Callable[[sqlalchemy.Connection], None] = lambda connection: None,
) -> None:
    """Migrate to a revision; raises sqlalchemy.exc.DBAPIError.

    An empty database gets this release's schema from sql/schema, unless `to` names a revision.

    url: a login that may migrate (docs/database.md). progress: called for each revision, which commits alone. applied:
    called before each commit. A second process waits; threads are not supported.
    """
    plain = re.sub(r"^(postgres(?:ql)?)\+\w+:", r"\1:", url)
    engine = create_engine("postgresql+psycopg://", creator=lambda: psycopg.connect(plain), poolclass=NullPool)
    with _exclusive(plain), engine.connect() as connection:
        connection.exec_driver_sql(f"{LIMITS}; set client_min_messages = warning")
        connection.commit()
        if to == "head" and schema_state(_driver(connection)).revision is None:
            return _persist(connection, lambda: _install(connection, progress), progress)
        config = configuration()
        config.attributes.update(connection=connection, progress=progress, applied=applied)
        return _persist(connection, lambda: command.upgrade(config, to), progress)


def _install(connection: sqlalchemy.Connection, progress: Callable[[str], None]) -> None:
    """Create this release's schema from its files, as if all revisions had run."""
    roles, *subjects = schema()
    create_roles(connection, roles)
    for statements in (*subjects, VERSION_RIGHTS):
        connection.exec_driver_sql(statements, execution_options={"no_parameters": True})
    # No older release has used this database.
    connection.exec_driver_sql(f"insert into public.alembic_version values ('{head()}', '{head()}')")
    record_parts(_driver(connection))
    connection.commit()
    progress(f"{head()}: The schema of this release.")


def _driver(connection: sqlalchemy.Connection) -> psycopg.Connection[Any]:
    driver = connection.connection.driver_connection
    assert isinstance(driver, psycopg.Connection)
    return driver


def _persist(connection: sqlalchemy.Connection, run: Callable[[], object], progress: Callable[[str], None]) -> None:
    for left in reversed(range(TRIES)):
        try:
            run()
            break
        except OperationalError as error:
            connection.rollback()
            if not left or not isinstance(error.orig, psycopg.errors.LockNotAvailable):
                raise
            progress("A table is in use; the revision is tried again.")
            time.sleep(PAUSE_SECONDS)


@contextlib.contextmanager
def _exclusive(url: str) -> Iterator[None]:
    """Exclude other migrations during the block. Logins of the service cannot take this lock."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(
            f"{NO_LIMITS}; set client_min_messages = warning; set idle_in_transaction_session_timeout = 0"
        )
        # Another process may create it at the same time.
        with contextlib.suppress(psycopg.errors.UniqueViolation, psycopg.errors.DuplicateTable):
            connection.execute(VERSION_TABLE)
        with connection.transaction():
            # This mode allows the migration's own writes.
            connection.execute("lock table public.alembic_version in share update exclusive mode")
            yield


# For revisions:


def create_roles(connection: sqlalchemy.Connection, roles: str, attempts: int = 10) -> None:
    """Create the server's roles; tried again when another database's migration was doing the same."""
    for attempt in range(1, attempts + 1):
        try:
            with connection.begin_nested():
                connection.exec_driver_sql(roles, execution_options={"no_parameters": True})
                return
        except DBAPIError as error:
            meanwhile = isinstance(error.orig, psycopg.Error) and error.orig.sqlstate in ROLE_MADE_MEANWHILE
            if attempt == attempts or not meanwhile:
                raise


def installer(sql: str) -> None:
    """Run statements as the connected role."""
    # A colon or percent sign is not a parameter.
    op.get_bind().exec_driver_sql(sql, execution_options={"no_parameters": True})


def owned(sql: str) -> None:
    """Run statements as pipeline_owner."""
    installer(f"set local role pipeline_owner;\n{sql.rstrip().rstrip(';')};\nset local role none;")


def lookups(sql: str) -> None:
    """Run statements as pipeline_lookup, for SECURITY DEFINER functions."""
    owned("grant create on schema app to pipeline_lookup")
    installer(f"set local role pipeline_lookup;\n{sql.rstrip().rstrip(';')};\nset local role none;")
    owned("revoke create on schema app from pipeline_lookup")


def serves(revision: str) -> None:
    """Set the oldest release that works from now on."""
    installer(f"update public.alembic_version set serves = '{revision}'")


def index(name: str, definition: str, unique: bool = False) -> None:
    """Build an index concurrently: `index("teams_name", "on app.teams (organization_id, name)")`.

    Commits before. An interrupted revision runs again from its beginning, so its other statements are repeatable.
    """
    attributes = context.config.attributes
    attributes["applied"](op.get_bind())
    with op.get_context().autocommit_block():
        attributes["progress"](f"      builds the index {name} {definition}; reads and writes go on")
        for statement in (
            f"set role pipeline_owner; {NO_LIMITS}",
            f"drop index concurrently if exists app.{name}",
            f"create {'unique ' if unique else ''}index concurrently {name} {definition}",
            f"reset role; {LIMITS}",
        ):
            installer(statement)
