"""Imports leads from CSV in the request's transaction."""

from collections.abc import Iterable
from typing import IO, Any

from pipeline.database import not_none, queries
from pipeline.http.quotas.slots import busy
from pipeline.leads.csv_format import Table, read_table, refused
from pipeline.leads.csv_rows import RowError, RowReader, no_active_seat, taken_id
from pipeline.validation.emails import email_key

MAX_ROWS = 100_000
MAX_ERRORS = 1_000
MAX_IDS = 1_000


def import_leads(file: IO[bytes], dry_run: bool, on_duplicate: str) -> dict[str, Any]:
    """Returns the report; `on_duplicate` is skip, update or create.

    Duplicates share external id, email address, or name, phone and company; `update` sets their non-blank cells.
    Raises 422 for an invalid or too long file, 429 during another import.
    """
    table = read_table(file)
    queries.transfer_patience()
    # Concurrent imports would insert the same rows twice.
    if not queries.lead_import_lock():
        raise busy("Another import of your organization is under way. Try again when it has ended.")
    reader = _reader(table, on_duplicate)
    total, failed, errors = _copy(table.rows, reader)
    with_ids = "external_id" in table.places
    refused, counts = _prepare(dry_run, on_duplicate, reader.met_inactive, with_ids)
    imported, updated = ([], []) if dry_run else _store()
    failed += len(refused)
    errors = sorted(errors + refused, key=lambda error: error.row)
    return {
        "dry_run": dry_run,
        "total": total,
        **counts,
        "skipped": total - failed - sum(counts.values()),
        "failed": failed,
        "imported_ids": imported[:MAX_IDS],
        "updated_ids": updated[:MAX_IDS],
        "ids_truncated": max(len(imported), len(updated)) > MAX_IDS,
        "ignored_columns": table.ignored,
        "errors": [error._asdict() for error in errors[:MAX_ERRORS]],
        "errors_truncated": len(errors) > MAX_ERRORS,
    }


def _reader(table: Table, on_duplicate: str) -> RowReader:
    """The reader of rows; `create` assigns leads to active seats only."""
    seats = queries.lead_import_seats()
    known = [seat for seat in seats if seat["seat_active"] or on_duplicate != "create"]
    inactive = {seat["user_id"] for seat in known if not seat["seat_active"]}
    by_email = {email_key(seat["email"]): seat["user_id"] for seat in known}
    return RowReader(table.width, table.places, by_email, inactive)


def _copy(rows: Iterable[tuple[int, list[str]]], reader: RowReader) -> tuple[int, int, list[RowError]]:
    """Returns (total, failed, errors) and fills the temporary table."""
    total = failed = 0
    errors: list[RowError] = []
    queries.lead_import_begin()
    with queries.connection().cursor() as cursor, cursor.copy(queries.lead_import_copy.merged()) as copy:
        for number, cells in rows:
            total += 1
            if total > MAX_ROWS:
                raise refused("too_many_rows", f"May have at most {MAX_ROWS} rows.")
            values, violations = reader.read(number, cells)
            if violations:
                failed += 1
                errors.extend(violations[: MAX_ERRORS + 1 - len(errors)])
            else:
                copy.write_row((number, *values))
    return total, failed, errors


def _prepare(
    dry_run: bool, on_duplicate: str, with_inactive: bool, with_ids: bool
) -> tuple[list[RowError], dict[str, int]]:
    """Returns (errors of rows with inactive seats or taken external ids, {imported, updated})."""
    queries.lead_import_analyze()
    if on_duplicate == "update" and not dry_run:
        queries.lead_import_hold()
    if on_duplicate != "create":
        queries.lead_import_match()
        if with_ids:
            queries.lead_import_key()
    refused = [taken_id(**row) for row in queries.lead_import_taken()] if with_ids and on_duplicate == "create" else []
    if with_inactive:
        refused += [no_active_seat(**row) for row in queries.lead_import_refuse(on_duplicate=on_duplicate)]
    if on_duplicate == "skip":
        queries.lead_import_skip()
    elif on_duplicate == "update":
        queries.lead_import_fold()
        queries.lead_import_fill()
        queries.lead_import_keep()
    counts = not_none(queries.lead_import_counts())
    return refused, {name: int(count) for name, count in counts.items()}


def _store() -> tuple[list[int], list[int]]:
    """Returns the ids of (new leads, changed leads), sorted."""
    updated = sorted(row["id"] for row in queries.lead_import_update())
    return sorted(row["id"] for row in queries.lead_import_insert()), updated
