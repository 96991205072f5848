"""Checks all statements with PostgreSQL, at the start and at SIGHUP."""

import re
import threading
from collections.abc import Iterable, Iterator, Mapping

import psycopg
import structlog
from psycopg.pq import ExecStatus
from psycopg.pq.abc import PGconn, PGresult

from pipeline.database import signatures
from pipeline.database.connections import Database, not_none
from pipeline.database.hangup import on_hangup
from pipeline.database.queries import line_of, queries
from pipeline.database.statements import Statement, StatementError

# The most powerful role of each pool; the worker has none.
APP, FORMS, JOBS = "pipeline_admin", "pipeline_public", "none"
# The command line's statements run as the owner.
NOT_SERVED = "cli"
# Temporary tables for a file's other statements.
_TEMPORARY = re.compile(r"\s*(?:--.*\n\s*)*create temporary ")

# (pool, role that parses its statements).
Login = tuple[Database, str]

log = structlog.get_logger("pipeline.statements")
_one_at_a_time = threading.Lock()


def check_statements(*logins: Login) -> None:
    """Let PostgreSQL parse every statement; raises StatementError with file and line."""
    _check({query.name: query.statement for query in queries}, logins)


def renew_on_hangup(*logins: Login) -> None:
    """Call `renew` at each SIGHUP."""
    on_hangup(lambda: renew(*logins))


def renew(*logins: Login) -> bool:
    """Reload the files if all are valid; returns whether it did."""
    with _one_at_a_time:
        try:
            queries.renew(lambda loaded: _check(loaded, logins))
        except (StatementError, psycopg.Error, OSError) as error:
            log.error("the files of sql/ are not used, the statements stay as they were", error=str(error))
            return False
        log.info("the files of sql/ were read anew", statements=len(list(queries)))
        return True


def _check(loaded: Mapping[str, Statement], logins: Iterable[Login]) -> None:
    """Raise StatementError if the release cannot use {name: Statement}."""
    signatures.check_all_there(loaded)
    for database, role in logins:
        connection = database.begin()
        try:
            with queries.on(connection):
                makes_tables = not_none(queries.role_enter(role=role))["makes_tables"]
            for statement, found in described(connection.pgconn, loaded.values(), makes_tables):
                signatures.check(statement, found)
        finally:
            database.end(connection, commit=False)


def described(
    pgconn: PGconn, loaded: Iterable[Statement], makes_tables: bool = True
) -> Iterator[tuple[Statement, signatures.Signature]]:
    """Yield (Statement, signature) for the service's statements; raises StatementError.

    Without `makes_tables`, skips files with temporary tables.
    """
    served = [statement for statement in loaded if statement.file.parent.name != NOT_SERVED]
    served.sort(key=lambda statement: (statement.file, statement.number))
    # A role without temporary tables does not send these files' statements.
    makers = {statement.file for statement in served if _TEMPORARY.match(statement.all_lines)}
    for statement in served:
        if makes_tables or statement.file not in makers:
            yield statement, _read(pgconn, statement)


def _read(pgconn: PGconn, statement: Statement) -> signatures.Signature:
    text = statement.complete.text
    if _TEMPORARY.match(text):
        _succeeded(pgconn.exec_(text.encode()), statement)
        return signatures.signature(statement)
    _succeeded(pgconn.prepare(b"", text.encode()), statement)
    return signatures.signature(statement, pgconn.describe_prepared(b""))


def _succeeded(result: PGresult, statement: Statement) -> None:
    if result.status == ExecStatus.COMMAND_OK:
        return
    error = psycopg.errors.error_from_result(result)
    # A lock, a timeout, a lost server.
    if isinstance(error, psycopg.OperationalError):
        raise error
    message, variant = error.diag.message_primary, statement.complete
    line = line_of(error, variant.text.encode(), variant)
    raise StatementError(f"{statement.file}:{line}, {statement.name}: {message}.")
