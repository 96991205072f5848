"""Imports leads in one transaction: rows are copied, matched and stored as sets."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import IO, Any, NamedTuple

from pipeline.api.fields.own_fields import defaults_of
from pipeline.database import Row, dumps, queries
from pipeline.http.fairness.slots import busy
from pipeline.leads.imports import own_cells, reports
from pipeline.leads.imports.columns import COLUMNS
from pipeline.leads.imports.files import Source, open_source
from pipeline.leads.imports.own_cells import OWN
from pipeline.leads.imports.reading import tables
from pipeline.leads.imports.rows import NAMELESS, CellError, RowReader, no_active_seat, seat_name, taken_id
from pipeline.validation import Values
from pipeline.validation.codes import sentence
from pipeline.validation.emails import email_key

# Fields that blank=clear does not clear.
NEVER_BLANK = ("first_name", "source", "status")


class Copied(NamedTuple):
    """What copying has found: the number of rows, and errors of the failed ones."""

    total: int
    errors: list[CellError]


def import_leads(
    file: IO[bytes], options: Values, progress: Callable[[int], None] | None = None, new: Sequence[Row] = ()
) -> dict[str, Any]:
    """Returns the report; `options` are those of LeadImport, `new` own fields besides the stored ones.

    Calls `progress` with numbers of read rows. Raises 422 for an invalid or too long file, 429 during another import.
    """
    source = open_source(file, options, new)
    queries.transfer_patience()
    # Concurrent imports would insert the same rows twice.
    if not queries.lead_import_lock():
        raise busy("Another import of your organization is under way. Try again when it has ended.")
    reader = reader_of(source, options["on_duplicate"])
    copied = _copy(source.table.rows, reader, progress)
    errors = copied.errors + _decide(options, source, reader)
    if not options["dry_run"]:
        queries.lead_import_update()
        queries.lead_import_insert(defaults=dumps(defaults_of(source.own)).decode())
    queries.lead_import_conclude(dry_run=options["dry_run"])
    return reports.report(source, options, copied.total, errors, reader)


def reader_of(source: Source, on_duplicate: str) -> RowReader:
    """The reader of rows; `create` assigns leads to active seats only."""
    seats = queries.lead_import_seats()
    known = [seat for seat in seats if seat["seat_active"] or on_duplicate != "create"]
    inactive = {seat["user_id"] for seat in known if not seat["seat_active"]}
    by_email = {email_key(seat["email"]): seat["user_id"] for seat in known}
    names = Counter(seat_name(seat["name"]) for seat in known)
    by_name = {name: seat["user_id"] for seat in known if names[name := seat_name(seat["name"])] == 1}
    roles, columns = set(queries.lead_import_role_words()), source.own_columns
    currency = queries.organization_currency() if columns else ""
    own = {
        f"{OWN}{row['key']}": own_cells.reader_of(row, currency)
        for row in source.own
        if f"{OWN}{row['key']}" in columns
    }
    return RowReader(source.table.header, source.places, by_name | by_email, inactive, roles, own)


def _copy(rows: Iterable[tables.Row], reader: RowReader, progress: Callable[[int], None] | None) -> Copied:
    """Fills the temporary table."""
    total = 0
    errors: list[CellError] = []
    queries.lead_import_begin()
    queries.lead_import_begin_results()
    with queries.connection().cursor() as cursor, cursor.copy(queries.lead_import_copy.merged()) as copy:
        for number, cells in rows:
            total += 1
            if progress and total % reports.STEP == 0:
                progress(total)
            if isinstance(cells, str):
                read, failed = None, [CellError(number, "", "invalid_csv", cells, "")]
            else:
                read = reader.read(number, cells)
                failed = read.errors
            if failed or read is None:
                errors.extend(failed[: reports.MOST_LISTED - len(errors)])
                copy.write_row((number, *[None] * 5, "failed", reports.reason(failed[0]), *[None] * len(COLUMNS), None))
            else:
                copy.write_row((number, *read.identity, read.kept, read.called, None, None, *read.values, read.own))
    return Copied(total, errors)


def _decide(options: Values, source: Source, reader: RowReader) -> list[CellError]:
    """Sets the result of each row that makes no new lead and changes none; returns further errors."""
    mode, places = options["on_duplicate"], source.places.of
    queries.lead_import_analyze()
    if mode != "create":
        if _match("id" in places, "external_id" in places):
            del reader.unread[places["id"][0]]
        if mode == "update" and not options["dry_run"]:
            queries.lead_import_hold()
        shared = queries.lead_import_same_addresses(rows=reader.role_rows) if reader.role_rows else ()
        reader.warnings += [reports.same_address(**row) for row in shared]
    if mode == "skip":
        queries.lead_import_skip()
    if mode == "update":
        queries.lead_import_restore()
    errors = _taken() if "external_id" in places and mode != "skip" else []
    reader.warnings += [reports.named_by(**row) for row in queries.lead_import_call() if row["derived"]]
    if "id" in places or "external_id" in places:
        nameless = queries.lead_import_nameless(reason=NAMELESS)
        errors += [CellError(row["row"], "first_name", "required", NAMELESS, "") for row in nameless]
    if reader.met_inactive:
        reader.warnings += [no_active_seat(**row) for row in queries.lead_import_refuse(on_duplicate=mode)]
    if mode == "update":
        blank = [column for column in COLUMNS if column in places and column not in NEVER_BLANK] + source.own_columns
        cleared = blank if options["blank"] == "clear" else []
        queries.lead_import_fold(columns=list(COLUMNS))
        if source.own_columns:
            queries.lead_import_fold_fields()
        queries.lead_import_fill(cleared=cleared)
        queries.lead_import_compare(conflicts=options["conflicts"])
    return errors


def _taken() -> list[CellError]:
    message = sentence("external_id_taken")
    return [taken_id(**row) for row in queries.lead_import_taken(reason=f"external_id: {message}")]


def _match(by_id: bool, by_external_id: bool) -> bool:
    """Finds the leads and the leaders of rows; returns whether an id matched."""
    queries.lead_import_loops(allowed=False)
    matched = by_id and queries.lead_import_match_ids() > 0
    if by_external_id:
        queries.lead_import_match_external_ids()
    queries.lead_import_match_emails()
    queries.lead_import_match_names()
    queries.lead_import_group()
    queries.lead_import_group_names()
    while queries.lead_import_follow():
        pass
    queries.lead_import_loops(allowed=True)
    queries.lead_import_analyze_matches()
    return matched
