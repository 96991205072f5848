"""Failures of commands: one line, exit code 1 (2 for wrong use)."""

import logging
import re

import click
import psycopg
import redis
from sqlalchemy.exc import DBAPIError

from pipeline.database import LoginRefused
from pipeline.database.schema_record import SchemaDiffers
from pipeline.database.statements import StatementError
from pipeline.database.waiting import first_line
from pipeline.process.settings import SettingsError

# A command does not print psycopg's log of a lost connection.
logging.getLogger("psycopg").addHandler(logging.NullHandler())

EXPLICIT = (LoginRefused, SchemaDiffers, StatementError)
NOT_MIGRATED = (
    psycopg.errors.InvalidSchemaName,
    psycopg.errors.UndefinedTable,
    psycopg.errors.UndefinedColumn,
    psycopg.errors.UndefinedFunction,
)


# By text: libpq has no error code while it connects.
CURES = {
    r'password authentication failed for user "pipeline_|no password supplied': (
        "; pipeline migrate gives the service's logins the passwords of their URLs (DATABASE_URL and its like)."
    ),
    "password authentication failed": "; correct the password in DATABASE_OWNER_URL, or in DATABASE_URL without one.",
    "database .* does not exist": "; make it (docs/operations.md, A new installation), or name another one in the URL.",
    'role "pipeline_.*" does not exist': "; pipeline migrate makes it.",
    "no pg_hba.conf entry": "; admit this machine, database and login in the server's pg_hba.conf.",
    "SSL|certificate": "; see sslmode and sslrootcert in the URL, and ssl of the server.",
    "Connection refused|resolve host|timeout|timed out|No route": "; is the server there, and right in the URL?",
    "too many clients|remaining connection slots": "; raise max_connections, or lower DATABASE_POOL or the processes.",
}


class Failure(click.ClickException):
    """A failure that the user can resolve."""


class Misuse(Failure):
    """Wrong arguments or settings."""

    exit_code = 2


def _cure(error: psycopg.OperationalError) -> str:
    return next((cure for said, cure in CURES.items() if re.search(said, str(error))), "")


def explained(caught: Exception) -> Failure:
    """The Failure for an error outside the program; raises any other error."""
    error = caught.orig if isinstance(caught, DBAPIError) else caught
    if isinstance(error, Failure):
        return error
    if isinstance(error, SettingsError):
        return Misuse(str(error))
    if isinstance(error, EXPLICIT) or type(error).__name__ == "ServerError":
        return Failure(str(error))
    if isinstance(error, psycopg.errors.LockNotAvailable):
        return Failure("Another transaction holds what is needed: see pg_stat_activity, and run the command again.")
    if isinstance(error, psycopg.OperationalError):
        return Failure(f"The database cannot be used: {first_line(error)}{_cure(error)}")
    if isinstance(error, redis.AuthenticationError) or "NOAUTH" in str(error) or "HELLO must be" in str(error):
        return Failure("Redis cannot be used: it refuses the password of REDIS_URL.")
    if isinstance(error, redis.RedisError):
        return Failure(f"Redis cannot be used: {first_line(error)}; see REDIS_URL.")
    if isinstance(error, psycopg.errors.InsufficientPrivilege):
        return Failure(f"The database login lacks a right ({first_line(error)}); see Roles in docs/database.md.")
    if isinstance(error, NOT_MIGRATED):
        return Failure(f"The schema is not this release's ({first_line(error)}): run pipeline migrate.")
    raise caught
