"""Checks all statements with PostgreSQL, at the start and at SIGHUP."""

import re
import threading
from collections.abc import Iterable, Mapping

import psycopg
import structlog
from psycopg.pq import ExecStatus
from psycopg.pq.abc import PGconn, PGresult

from pipeline.database.connections import Database, not_none
from pipeline.database.hangup import on_hangup
from pipeline.database.queries import line_of, queries
from pipeline.database.statement_signatures import StatementSignature, check_signature, signature
from pipeline.database.statements import SqlStatement, StatementError

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
    for database, role in logins:
        _signatures(database, role, [query.statement for query in queries])


def renew_on_hangup(*logins: Login) -> None:
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


def _check(loaded: Mapping[str, SqlStatement], logins: Iterable[Login]) -> None:
    """Raise StatementError if this process cannot use {name: Statement} in place of its own statements."""
    own = [query.statement for query in queries]
    for statement in own:
        if statement.name not in loaded:
            raise StatementError(f"{statement.file}: {statement.name}: is gone, and the running release needs it.")
    for database, role in logins:
        found = _signatures(database, role, loaded.values())
        try:
            ours = _signatures(database, role, own)
        except StatementError as error:
            raise StatementError(f"{error} This is the statement in use: restart the service instead.") from error
        for name in ours.keys() & found.keys():
            check_signature(loaded[name], ours[name], found[name])


def _signatures(database: Database, role: str, loaded: Iterable[SqlStatement]) -> dict[str, StatementSignature]:
    connection = database.begin()
    try:
        with queries.on(connection):
            makes_tables = not_none(queries.role_enter(role=role))["makes_tables"]
        return signatures(connection.pgconn, loaded, makes_tables)
    finally:
        database.end(connection, commit=False)


def signatures(
    pgconn: PGconn, loaded: Iterable[SqlStatement], makes_tables: bool = True
) -> dict[str, StatementSignature]:
    """{name: Signature} of the service's statements; raises StatementError.

    Without `makes_tables`, skips statements of temporary tables: such a role does not send them.
    """
    served = [statement for statement in loaded if statement.file.parent.name != NOT_SERVED]
    # A temporary table is made first.
    served.sort(key=lambda statement: (not _makes_table(statement), statement.file, statement.number))
    sent = [one for one in served if makes_tables or not (_makes_table(one) or "pg_temp." in one.all_lines)]
    return {statement.name: _signature(pgconn, statement) for statement in sent}


def _makes_table(statement: SqlStatement) -> bool:
    return bool(_TEMPORARY.match(statement.all_lines))


def _signature(pgconn: PGconn, statement: SqlStatement) -> StatementSignature:
    text = statement.complete.text
    if _TEMPORARY.match(text):
        _succeeded(pgconn.exec_(text.encode()), statement)
        return signature(statement)
    _succeeded(pgconn.prepare(b"", text.encode()), statement)
    return signature(statement, pgconn.describe_prepared(b""))


def _succeeded(result: PGresult, statement: SqlStatement) -> None:
    if result.status == ExecStatus.COMMAND_OK:
        return
    error = psycopg.errors.error_from_result(result)
    # A lock, a timeout, a lost server.
    if isinstance(error, psycopg.OperationalError):
        raise error
    message, variant = error.diag.message_primary, statement.complete
    line = line_of(error, variant.text.encode(), variant)
    raise StatementError(f"{statement.file}:{line}, {statement.name}: {message}.")
