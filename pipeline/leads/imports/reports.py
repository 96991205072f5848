"""The report of an import."""

import tempfile
from collections.abc import Iterator
from typing import Any

from pipeline import files
from pipeline.api.exports.csv_export import MEDIA_TYPE, exported
from pipeline.database import not_none, queries
from pipeline.leads.imports.files import Source
from pipeline.leads.imports.rows import MAX_VALUE, MOST_LISTED, CellError, RowReader
from pipeline.validation import Values

RESULT_COLUMNS = ("row", "result", "lead_id", "reason")
# Rows between two notes of the progress.
STEP = 5_000
# {result of a row: its count in the report}.
COUNTS = {
    "created": "imported",
    "updated": "updated",
    "unchanged": "unchanged",
    "skipped": "skipped",
    "conflict": "conflicts",
    "failed": "failed",
}
UNREAD = "No field takes the filled cells of this column."
DOUBTFUL = (
    "The file is read as {encoding}. In {other}, this would be “{otherwise}”. "
    "If that is right, import the file with encoding={other}."
)
SHARED = "Another person has the same address. Both are leads, because it stands for a role."
NAMED_BY = "The row has no first name; the lead is named by its email address or company."


def report(source: Source, options: Values, total: int, errors: list[CellError], reader: RowReader) -> dict[str, Any]:
    """Returns the report; at most 1,000 of each list."""
    counted = {row["result"]: row["count"] for row in queries.lead_import_counts()}
    listed = not_none(queries.lead_import_listed(result=options["result"]))
    return {
        "dry_run": options["dry_run"],
        "total": total,
        **{name: int(counted.get(result, 0)) for result, name in COUNTS.items()},
        "encoding": source.encoding,
        "delimiter": source.delimiter,
        "ignored_columns": source.ignored,
        "warnings": _warnings(source, reader),
        "errors": [error._asdict() for error in sorted(errors, key=lambda error: error.row)[:MOST_LISTED]],
        "rows": listed["rows"],
        "rows_url": None,
    }


def kept_rows(report: dict[str, Any], options: Values) -> int | None:
    """Stores the results of all rows as CSV if the report lists only a part; returns the file's id.

    Stores nothing if the organization's storage is full.
    """
    if sum(report[COUNTS[result]] for result in options["result"] or COUNTS) <= MOST_LISTED:
        return None
    results = exported("", RESULT_COLUMNS, queries.lead_import_rows, {"result": options["result"]})
    with tempfile.SpooledTemporaryFile(files.SPOOL) as file:
        for chunk in results.read(queries.connection()):
            file.write(chunk)
        try:
            return files.store(file, "import-results.csv", MEDIA_TYPE)
        except files.StorageFull:
            return None


def _warnings(source: Source, reader: RowReader) -> list[dict[str, Any]]:
    """A doubtful encoding, columns with cells that nobody reads, then cells that were left out, by row."""
    header = source.table.header
    columns = [
        {"code": "unread_column", "message": UNREAD, "column": header[place].strip(), "count": count}
        for place, count in sorted(reader.unread.items())
    ]
    cells = [warning._asdict() for warning in sorted(reader.warnings, key=lambda warning: warning.row)]
    return [*_doubtful(source), *columns, *cells][:MOST_LISTED]


def _doubtful(source: Source) -> Iterator[dict[str, Any]]:
    if source.doubt:
        read, other, otherwise = source.doubt
        message = DOUBTFUL.format(encoding=source.encoding, other=other, otherwise=otherwise)
        yield {"code": "doubtful_encoding", "message": message, "value": read}


def reason(error: CellError) -> str:
    return f"{error.column}: {error.message}" if error.column else error.message


def named_by(row: int, value: str, derived: bool) -> CellError:
    return CellError(row, "first_name", "named_by", NAMED_BY, value[:MAX_VALUE])


def same_address(row: int, value: str) -> CellError:
    return CellError(row, "email", "same_address", SHARED, value[:MAX_VALUE])
