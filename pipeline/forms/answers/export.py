"""All responses of a template as CSV or XLSX, streamed from COPY, one version of the template after another."""

import csv
import functools
import io
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from decimal import Decimal
from typing import Any

from xlsxwriter import Workbook

from pipeline.api.exports.csv_cells import quote
from pipeline.api.exports.csv_export import CONTENT_TYPE, header_line
from pipeline.api.streams import CHUNK, Stream, join_pieces
from pipeline.database import Connection, loads, not_none, queries
from pipeline.files.content import XLSX
from pipeline.forms.answers.columns import Cell, header, row
from pipeline.forms.translations import Texts, texts_for
from pipeline.interviews.templates.translations import translated
from pipeline.validation import Values, invalid_field

# Limits of a sheet in Excel.
MOST_ROWS, MOST_COLUMNS, LONGEST_CELL = 1_048_576, 16_384, 32_767
# A row's cells in the order of the columns.
Rows = Iterable[list[Cell]]


def csv_export(id: int, query: Values, delimiter: str) -> Stream | None:
    """The CSV file; None for an unknown template."""
    return _export(id, query, functools.partial(_csv, delimiter), CONTENT_TYPE, "csv")


def xlsx_export(id: int, query: Values) -> Stream | None:
    """The workbook; None for an unknown template, 422 for more columns than a sheet has."""
    return _export(id, query, _xlsx, XLSX, "xlsx", MOST_COLUMNS)


def _export(
    id: int,
    query: Values,
    write: Callable[[Sequence[str], Rows], Iterable[bytes]],
    content_type: str,
    extension: str,
    most: int | None = None,
) -> Stream | None:
    if queries.interview_template_get(id=id) is None:
        return None
    asked = {"template_id": id, "first": query["from"], "last": query["to"], "status": query["status"]}
    queries.transfer_patience()
    locale = not_none(queries.organization_get())["locale"]
    texts = texts_for(locale) if query["values"] == "labels" else None
    # Parsed one after another: a template may have hundreds of versions.
    ids = [found["id"] for found in queries.form_versions_answered(**asked)]
    versions = (translated(not_none(queries.interview_version_get(id=one)), [locale]) for one in ids)
    columns = header(versions, labels=texts is not None)
    if most is not None and len(columns) > most:
        raise invalid_field("values", "too_long", f"A sheet has at most {most:,} columns, this table {len(columns):,}.")
    statements = [
        (queries.interview_version_get.merged(id=one), queries.form_responses.merged(**asked, version_id=one))
        for one in ids
    ]

    def read(connection: Connection) -> Iterator[bytes]:
        return iter(write(list(columns.values()), _rows(connection, statements, locale, texts, list(columns))))

    return Stream(read, content_type, f"responses-{id}.{extension}")


def _rows(
    connection: Connection, statements: list[tuple[bytes, bytes]], locale: str, texts: Texts | None, columns: list[str]
) -> Iterator[list[Cell]]:
    for version_statement, responses in statements:
        version = translated(next(_copied(connection, version_statement)), [locale])
        for response in _copied(connection, responses):
            cells = row(response, version, texts)
            yield [cells.get(column) for column in columns]


def _copied(connection: Connection, statement: bytes) -> Iterator[dict[str, Any]]:
    statement = b"copy (select row_to_json(found) from (\n%b\n) as found) to stdout" % statement
    with connection.cursor() as cursor, cursor.copy(statement) as copy:
        copy.set_types(["text"])
        for (line,) in copy.rows():
            yield loads(line)


def _csv(delimiter: str, titles: Sequence[str], rows: Rows) -> Iterator[bytes]:
    yield header_line(())[:-2] + _line(titles, delimiter)
    yield from join_pieces(_line(cells, delimiter) for cells in rows)


def _line(cells: Sequence[Cell], delimiter: str) -> bytes:
    line = io.StringIO(newline="")
    csv.writer(line, delimiter=delimiter).writerow([_text(cell) for cell in cells])
    return line.getvalue().encode()


def _text(cell: Cell) -> str:
    if isinstance(cell, Decimal):
        return format(cell, "f")
    return quote(cell) if isinstance(cell, str) else "" if cell is None else str(cell)


def _xlsx(titles: Sequence[str], rows: Rows) -> Iterator[bytes]:
    """Excel's format ends with its table of contents, so the file is complete before its first byte is sent."""
    with tempfile.TemporaryFile() as file:
        with Workbook(file, {"constant_memory": True}) as book:
            number = MOST_ROWS
            for cells in rows:
                if number == MOST_ROWS:
                    sheet, number = _sheet(book, titles), 1
                _write(sheet, number, cells)
                number += 1
            if not book.worksheets():
                _sheet(book, titles)
        file.seek(0)
        while chunk := file.read(CHUNK):
            yield chunk


def _sheet(book: Workbook, titles: Sequence[str]) -> Any:
    sheet = book.add_worksheet()
    sheet.freeze_panes(1, 0)
    _write(sheet, 0, titles)
    return sheet


def _write(sheet: Any, number: int, cells: Sequence[Cell]) -> None:
    """Texts are written as texts, so no formula runs and no link is made."""
    for place, cell in enumerate(cells):
        if isinstance(cell, str):
            sheet.write_string(number, place, cell if len(cell) <= LONGEST_CELL else f"{cell[: LONGEST_CELL - 1]}…")
        elif cell is not None:
            sheet.write_number(number, place, cell)
