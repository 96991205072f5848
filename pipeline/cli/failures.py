"""What a command says when it cannot do what it is asked: one line, and exit code 1 (2 for wrong use)."""

from typing import Any

import click
import psycopg
import redis
from sqlalchemy.exc import DBAPIError

from pipeline.database import LoginRefused, NotDistributed
from pipeline.database.statements import StatementError
from pipeline.database.waiting import first_line
from pipeline.settings import SettingsError

NOT_MIGRATED = (
    psycopg.errors.InvalidSchemaName,
    psycopg.errors.UndefinedTable,
    psycopg.errors.UndefinedColumn,
    psycopg.errors.UndefinedFunction,
)


class Failure(click.ClickException):
    """A command failed for a reason that its user can do something about."""


class Misuse(Failure):
    """A command was called in a wrong way, or under wrong settings."""

    exit_code = 2


class Commands(click.Group):
    """A group whose commands fail with one line."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except Exception as error:
            raise explained(error) from error


def explained(caught: Exception) -> Failure:
    """The Failure for an error that lies outside of the program (database away, wrong setting); raises any other."""
    error = caught.orig if isinstance(caught, DBAPIError) else caught
    if isinstance(error, SettingsError):
        return Misuse(str(error))
    if isinstance(error, LoginRefused | NotDistributed | StatementError) or type(error).__name__ == "ServerError":
        return Failure(str(error))
    if isinstance(error, psycopg.OperationalError):
        return Failure(f"The database cannot be used: {first_line(error)}")
    if isinstance(error, redis.RedisError):
        return Failure(f"Redis cannot be used: {first_line(error)}")
    if isinstance(error, psycopg.errors.InsufficientPrivilege):
        return Failure(
            f"The database login lacks a right ({first_line(error)}); docs/database.md says which login has it."
        )
    if isinstance(error, NOT_MIGRATED):
        return Failure(f"The schema is not this release's ({first_line(error)}): run pipeline migrate.")
    raise caught
