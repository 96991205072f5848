"""The CSV format of leads."""

import codecs
import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import IO, NamedTuple

from pipeline.database import queries
from pipeline.validation import Violation
from pipeline.validation.codes import sentence
from pipeline.validation.errors import Problem

# The order of the import and export queries; each is a field of the body.
COLUMNS = tuple(queries.lead_import_copy.statement.fields["lead"])
EXPORTED = ("id", "created_at", "updated_at", *COLUMNS)
FULL_NAME = "name"
ALIASES = {
    "first_name": "firstname first forename givenname vorname prénom",
    "last_name": "lastname last surname familyname nachname",
    "email": "email emailaddress mail workemail emailid",
    "phone": "phone phonenumber telephone tel mobile mobilephone workphone cell businessphone",
    "company": "company companyname organization organisation organizationname account accountname employer firm",
    "job_title": "jobtitle title position role jobrole",
    "source": "source leadsource",
    "status": "status leadstatus",
    "notes": "notes note comment comments description",
    "tags": "tags tag labels",
    "assigned_to": "assignedto assignee owner leadowner rep assignedtoemail owneremail",
    "external_id": "externalid",
    FULL_NAME: "name fullname contactname leadname",
}
_NAMED = {alias: column for column, aliases in ALIASES.items() for alias in aliases.split()}
_DELIMITERS = ",;\t|"
# Maximum characters and columns of the header.
_HEAD, MAX_COLUMNS = 64 * 1024, 1_000
# First bytes of ZIP (Excel, Numbers, LibreOffice) and OLE (old Excel) files.
_WORKBOOKS = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")
_BOMS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))

# Limits the text after a quote that is never closed.
csv.field_size_limit(128 * 1024)


class Table(NamedTuple):
    """A CSV file; `places` is {column: index}, `ignored` lists unknown headers.

    `rows` yields (row number from 1, cells) without blank rows.
    """

    width: int
    places: dict[str, int]
    ignored: list[str]
    rows: Iterator[tuple[int, list[str]]]


def read_table(file: IO[bytes]) -> Table:
    """Returns a Table; raises 422 for an invalid file, also while `rows` is read."""
    text = io.TextIOWrapper(file, encoding=_encoding(file), newline="")
    records = enumerate(_records(text, _delimiter(text)), 1)
    header = next((cells for _number, cells in records if any(cells)), [])
    if len(header) > MAX_COLUMNS:
        raise refused("invalid_csv", f"The file has {len(header):,} columns; it may have at most {MAX_COLUMNS:,}.")
    places, ignored = _places(header)
    if "first_name" not in places and FULL_NAME not in places:
        raise refused("invalid_csv", sentence("missing_column", column="first_name"), "missing_column")
    return Table(len(header), places, ignored, _rows(records))


def _encoding(file: IO[bytes]) -> str:
    start = file.read(8)
    file.seek(0)
    if start.startswith(_WORKBOOKS):
        words = "This is a workbook of a spreadsheet. Save it as CSV (UTF-8), and send that file."
        raise refused("unsupported_file", words)
    if start.startswith((codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)):
        raise _unsupported()
    return next((encoding for bom, encoding in _BOMS if start.startswith(bom)), "utf-8")


def _delimiter(text: IO[str]) -> str:
    try:
        head = text.read(_HEAD)
        text.seek(0)
    except UnicodeError:
        raise _unsupported() from None
    if len(head) == _HEAD and not re.search("[\r\n]", head.strip()):
        raise refused("invalid_csv", f"The header may have at most {_HEAD:,} characters.")
    if "\x00" in head.partition("\n")[0]:  # UTF-16 without a byte order mark, or binary
        raise _unsupported()
    return max(_DELIMITERS, key=lambda delimiter: _score(head, delimiter))


def _score(head: str, delimiter: str) -> tuple[int, int]:
    reader = csv.reader(io.StringIO(head, newline=""), delimiter=delimiter)
    try:
        header = next(filter(any, reader), [])
    except csv.Error:
        return 0, 0
    return len(_places(header)[0]), len(header)


def _places(header: Sequence[str]) -> tuple[dict[str, int], list[str]]:
    places: dict[str, int] = {}
    ignored: list[str] = []
    for place, title in enumerate(header):
        column = _NAMED.get(re.sub(r"[\s_.–-]+", "", title.casefold()))
        if column is None or column in places:
            ignored.append(title.strip())
        else:
            places[column] = place
    if "first_name" in places and FULL_NAME in places:
        ignored.append(header[places.pop(FULL_NAME)].strip())
    return places, [title for title in ignored if title]


def _records(text: IO[str], delimiter: str) -> Iterator[list[str]]:
    reader = csv.reader(text, delimiter=delimiter, strict=True)
    try:
        yield from reader
    except UnicodeError:
        raise _unsupported() from None
    except csv.Error as error:
        raise refused("invalid_csv", f"Line {reader.line_num}: {error}.") from None


def _rows(records: Iterable[tuple[int, list[str]]]) -> Iterator[tuple[int, list[str]]]:
    for number, cells in records:
        if any(cells) and not "".join(cells).isspace():
            yield number, cells


def _unsupported() -> Problem:
    return refused("unsupported_encoding", "Must be UTF-8, or UTF-16 with a byte order mark.")


def refused(code: str, message: str, violation: str | None = None) -> Problem:
    """Returns the 422 for a file."""
    return Problem(code, message, [Violation("file", violation or code, message)])
