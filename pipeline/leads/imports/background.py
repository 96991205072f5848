"""Imports that go on after their response, in the worker, and the results of long imports."""

from typing import IO, Any

import psycopg

from pipeline import files
from pipeline.api.uploads import Upload
from pipeline.database import Row, dumps, not_none, queries
from pipeline.database.effects import OutboxEvent, Refused, UnderWay, emit
from pipeline.http.bodies import OCTETS
from pipeline.http.fairness.slots import busy
from pipeline.leads.imports import reports
from pipeline.leads.imports.files import open_source
from pipeline.leads.imports.guesses import Guesses
from pipeline.leads.imports.importing import import_leads
from pipeline.records.fields import check_room, create_fields
from pipeline.validation import Invalid, Values
from pipeline.validation.errors import Problem

# The queue of documents takes it, so that no email waits for it.
EVENT = "lead_import_documents"
# An import with more rows may be asked for in the background.
LONG = 5_000
# Imports of an organization that wait or run.
MOST_OPEN = 10
PATH = "/api/leads/imports/{id}"
TOO_LONG = "The import took too long. Nothing was imported. Import the file in parts."


def import_now(file: IO[bytes], options: Values, public_url: str) -> dict[str, Any]:
    """Returns the report of an import; raises as `import_leads`. Keeps the results that it does not list."""
    report = import_leads(file, options, new=_add_fields(file, options))
    rows = reports.kept_rows(report, options)
    if rows is not None:
        report["rows_url"] = rows_url(public_url, queries.lead_import_keep(total=report["total"], rows_file_id=rows))
    return report


def missing_fields(file: IO[bytes], options: Values) -> list[Row]:
    """The own fields that `create_fields` adds for columns that no field takes."""
    if not options["create_fields"]:
        return []
    source = open_source(file, options)
    guesses = Guesses(source, options["mapping"])
    for _number, cells in source.table.rows:
        guesses.see(cells)
    return guesses.fields()


def _add_fields(file: IO[bytes], options: Values) -> list[Row]:
    """Stores the missing fields; a dry run stores none and gets them. 409 beyond the most fields."""
    new = missing_fields(file, options)
    if options["dry_run"]:
        check_room("lead", len(new))
        return new
    create_fields("lead", new)
    return []


def rows_url(public_url: str, id: int) -> str:
    return f"{public_url}{PATH.format(id=id)}/rows"


def accept(upload: Upload, options: Values) -> int | None:
    """Stores a long file for the worker and returns the import's id; None for a file that is not long.

    Raises 422 for an invalid or too long file, 429 beyond MOST_OPEN, 507 above the organization's storage.
    """
    total = sum(1 for _row in open_source(upload.file, options).table.rows)
    if total <= LONG:
        return None
    if queries.lead_imports_open() >= MOST_OPEN:
        raise busy("Other imports of your organization are waiting. Try again when they have ended.")
    _add_fields(upload.file, options)
    file_id = files.store(upload.file, files.safe_name(upload.filename), OCTETS, received=upload.sha256)
    id = queries.lead_import_accept(options=dumps(options).decode(), file_id=file_id, total=total)
    emit(EVENT, id, {"import_id": id})
    return not_none(id)


def shown(id: int) -> bytes | None:
    """An import's record as JSON."""
    return queries.lead_import_get.json(id=id)


def rows_file(id: int) -> int | None:
    """The id of the file with the results of all rows."""
    return queries.lead_import_rows_file(id=id)


def run(event: OutboxEvent) -> None:
    """Imports an accepted file in the event's transaction."""
    id = event.payload["import_id"]
    task = queries.lead_import_begin_task(id=id)
    if task is None:
        return

    def progress(done: int) -> None:
        with event.separate():
            queries.lead_import_progress(id=id, done=done)

    try:
        with files.copy_out(task["file_id"]) as file:
            new = missing_fields(file, task["options"]) if task["options"]["dry_run"] else []
            report = import_leads(file, task["options"], progress, new)
    except psycopg.errors.QueryCanceled:
        raise Refused(TOO_LONG) from None
    except Problem as problem:
        if problem.code == "busy":
            raise UnderWay(str(problem.detail)) from None
        raise Refused(problem.detail or problem.title) from None
    except Invalid as invalid:
        raise Refused(" ".join(violation.message for violation in invalid.violations)) from None
    rows = reports.kept_rows(report, task["options"])
    if rows is not None:
        report["rows_url"] = rows_url(event.settings.public_url, id)
    _end(id, report=dumps(report).decode(), rows_file_id=rows)


def fail(id: int, error: str) -> None:
    _end(id, error=error)


def _end(id: int, report: str | None = None, rows_file_id: int | None = None, error: str | None = None) -> None:
    file_id = queries.lead_import_end(id=id, report=report, rows_file_id=rows_file_id, error=error)
    queries.file_delete(ids=[file_id])
