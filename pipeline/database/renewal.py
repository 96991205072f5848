"""PostgreSQL reads all statements before the service uses them: at its start, and when SIGHUP asks for the files anew.

So a broken file is found by the start, or by the one who has changed it, and not by a request.
"""

import re
import threading

import psycopg
import structlog
from psycopg.pq import ExecStatus

from pipeline.database.hangup import on_hangup
from pipeline.database.queries import line_of, queries
from pipeline.database.statements import StatementError

# What each login's pool may become that may do most: the role as which its statements are read. The worker's has none.
APP, FORMS, JOBS = "pipeline_admin", "pipeline_public", "none"
# The command line's statements are the owner's, and its own affair.
NOT_SERVED = "cli"
# Tables of one transaction, which statements of the same file read: they are made, and taken back at the end.
_TEMPORARY = re.compile(r"\s*(?:--.*\n\s*)*create temporary ")

log = structlog.get_logger("pipeline.statements")
_one_at_a_time = threading.Lock()


def check_statements(*logins):
    """Let PostgreSQL read every statement of the service, for pairs (Database, role); nothing is executed.

    Raises StatementError for the first that it cannot read, with file, line and name.
    """
    _check([query.statement for query in queries], logins)


def renew_on_hangup(*logins):
    """At each SIGHUP read the files anew and use them, if PostgreSQL can read all of them; else say why not."""
    on_hangup(lambda: renew(*logins))


def renew(*logins):
    """Use the files as they now are, if all of them can be read; whether they are used. The log tells either."""
    with _one_at_a_time:
        try:
            queries.renew(lambda loaded: _check(loaded, logins))
        except (StatementError, psycopg.Error, OSError) as error:
            log.error("the files of sql/ are not used, the statements stay as they were", error=str(error))
            return False
        log.info("the files of sql/ were read anew", statements=len(list(queries)))
        return True


def _check(statements, logins):
    served = [statement for statement in statements if statement.file.parent.name != NOT_SERVED]
    served.sort(key=lambda statement: (statement.file, statement.number))
    # The files that make tables; who may not make any does not send what they hold.
    makers = {statement.file for statement in served if _TEMPORARY.match(statement.whole)}
    for database, role in logins:
        connection = database.begin()
        try:
            with queries.on(connection):
                makes_tables = queries.role_enter(role=role)["makes_tables"]
            for statement in served:
                if makes_tables or statement.file not in makers:
                    _read(connection.pgconn, statement)
        finally:
            database.end(connection, commit=False)


def _read(pgconn, statement):
    variant = statement.complete
    text = variant.text.encode()
    run = pgconn.exec_ if _TEMPORARY.match(variant.text) else lambda text: pgconn.prepare(b"", text)
    result = run(text)
    if result.status == ExecStatus.COMMAND_OK:
        return
    error = psycopg.errors.error_from_result(result)
    # A lock, a time that was over, a server that has gone: nothing that the file can do anything about.
    if isinstance(error, psycopg.OperationalError):
        raise error
    message = error.diag.message_primary
    raise StatementError(f"{statement.file}:{line_of(error, text, variant)}, {statement.name}: {message}.")
