"""Migrations: Alembic configured in code, and the few helpers that the revisions in alembic/versions share.

`upgrade(url)` brings a database to the newest revision; docs/migrations.md tells how the revisions go together with the
files of sql/schema/. The statements run as the role pipeline_owner, whoever connects, so that every object has the same
owner in every installation.
"""

import contextlib
import re
import time
from collections.abc import Callable, Iterator

import psycopg
import sqlalchemy
from alembic.config import Config
from sqlalchemy import create_engine
from sqlalchemy.exc import OperationalError
from sqlalchemy.pool import NullPool

from alembic import command, op
from pipeline.database.parts import record_parts
from pipeline.database.revisions import FOLDER

# Waiting for a table lock may not take long, because every reader of the table would queue behind us.
LIMITS = "set lock_timeout = '5s'; set statement_timeout = '10min'"
# How often a revision is tried that does not get its lock: a transaction that takes long must end in between.
TRIES, PAUSE_SECONDS = 60, 1.0
NO_LIMITS = "set lock_timeout = 0; set statement_timeout = 0"
# The table that Alembic would create, and beside it the oldest release that still works on the schema.
VERSION_TABLE = """
create table if not exists public.alembic_version (
    version_num varchar(32) not null, serves varchar(32) not null default '0001',
    constraint alembic_version_pkc primary key (version_num)
)"""


def configuration() -> Config:
    """The Alembic configuration, without an .ini file."""
    config = Config()
    # Config reads its values through a %-interpolating parser, so a path with a percent sign must be doubled.
    config.set_main_option("script_location", str(FOLDER).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    return config


def upgrade(url: str, progress: Callable[[str], None] = lambda line: None) -> None:
    """Bring the database at url to the newest revision; do nothing when it is there already.

    url: a libpq URL of a superuser, or of a role that docs/database.md allows to migrate.
    progress: called with one line for each revision applied.
    Two processes upgrading one database at the same time: the second waits for the first. (Not for two
    threads of one process: Alembic keeps its context in a global.) Each revision commits alone; when one
    fails, nothing of it stays and its error is raised as sqlalchemy.exc.DBAPIError.
    """
    plain = re.sub(r"^(postgres(?:ql)?)\+\w+:", r"\1:", url)
    engine = create_engine("postgresql+psycopg://", creator=lambda: psycopg.connect(plain), poolclass=NullPool)
    with _alone(plain), engine.connect() as connection:
        connection.exec_driver_sql(f"{LIMITS}; set client_min_messages = warning")
        connection.commit()
        config = configuration()
        config.attributes.update(connection=connection, progress=progress)
        _persist(connection, lambda: command.upgrade(config, "head"), progress)
        with psycopg.connect(plain) as recording:
            record_parts(recording)


def _persist(connection: sqlalchemy.Connection, run: Callable[[], object], progress: Callable[[str], None]) -> None:
    """Run, and again while somebody holds a lock: who waits for one makes others wait, so each try gives up soon."""
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
def _alone(url: str) -> Iterator[None]:
    """No other migration of the database while the block runs; waits as long as the other one needs.

    No login of the service can take the lock: they may only read the table. (An advisory lock is anybody's.)
    """
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(
            f"{NO_LIMITS}; set client_min_messages = warning; set idle_in_transaction_session_timeout = 0"
        )
        # Two that make the table at the same time: for the second one it is there then.
        with contextlib.suppress(psycopg.errors.UniqueViolation, psycopg.errors.DuplicateTable):
            connection.execute(VERSION_TABLE)
        with connection.transaction():
            # Lets the migration's own connection write to the table.
            connection.execute("lock table public.alembic_version in share update exclusive mode")
            yield


# What follows is for the revisions.


def installer(sql: str) -> None:
    """Run statements as the role that connected: only for what the cluster or the database itself has."""
    # The driver gets the text untouched: a colon or a percent sign in it is not a parameter.
    op.get_bind().exec_driver_sql(sql, execution_options={"no_parameters": True})


def owned(sql: str) -> None:
    """Run statements as pipeline_owner."""
    installer(f"set local role pipeline_owner;\n{sql.rstrip().rstrip(';')};\nset local role none;")


def lookups(sql: str) -> None:
    """Run statements as pipeline_lookup: the SECURITY DEFINER functions that see past one organization."""
    owned("grant create on schema app to pipeline_lookup")
    installer(f"set local role pipeline_lookup;\n{sql.rstrip().rstrip(';')};\nset local role none;")
    owned("revoke create on schema app from pipeline_lookup")


def serves(revision: str) -> None:
    """Say that no release older than the one with this revision works from now on: something is taken away."""
    installer(f"update public.alembic_version set serves = '{revision}'")


def index(name: str, definition: str, unique: bool = False) -> None:
    """Build an index while others write to its table: `index("teams_name", "on app.teams (organization_id, name)")`.

    That cannot be part of a transaction, so what the revision did before is committed first; let a revision do nothing
    else. When it fails half-way, it can be run again: the unfinished index, which nothing uses, is removed.
    """
    with op.get_context().autocommit_block():
        for statement in (
            f"set role pipeline_owner; {NO_LIMITS}",
            f"drop index concurrently if exists app.{name}",
            f"create {'unique ' if unique else ''}index concurrently {name} {definition}",
            f"reset role; {LIMITS}",
        ):
            installer(statement)
