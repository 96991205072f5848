"""Reads a CSV text as a table: its delimiter, its header, and rows with an error where one cannot be read."""

import csv
import io
import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import IO, NamedTuple

from pipeline.api.exports.csv_export import DELIMITERS
from pipeline.leads.imports import headers
from pipeline.leads.imports.columns import LONGEST_CELL, MAX_COLUMNS, MAX_ROWS, refused, storable
from pipeline.validation.codes import sentence

_WORDS = {sign: word for word, sign in DELIMITERS.items()}
# Excel's own line names the delimiter, and is no row there.
UNKNOWN = "No line has a known name of a column; the preview shows the columns, and mapping names their fields."
_NAMED = re.compile(r"sep=([,;\t|])\r?\n?")
# Maximum characters of the text above the rows, and lines that may precede the header.
_HEAD, _ABOVE = 64 * 1024, 30
# What footers of reports say, but names do not: figures, colons, sentences.
_FOOTER, _MOST_WORDS = re.compile(r"[:©\d]|\(c\)", re.IGNORECASE), 4
_ADDRESS = re.compile(r"[^\s@]+@[^\s@]+")
BELOW = "The row stands below the table: it is a total or a footer. Take it out, or add the missing cells."
# More rows than this without a closing quote are no CSV.
_MOST_BROKEN = 1_000
# The eight million cells of a line of 24 MB take 600 MB.
_MOST_CELLS = 100_000
_WIDE = f"The line has more than {_MOST_CELLS:,} cells."

# (row number from 1, cells, or the reason why it cannot be read).
Row = tuple[int, list[str] | str]


class Table(NamedTuple):
    """A table: the header, its row number, the word of the delimiter, and the rows that are not blank."""

    header: list[str]
    header_row: int
    delimiter: str
    rows: Iterator[Row]


def read_table(text: IO[str], mapping: Mapping[str, str | None], any_header: bool = False) -> Table:
    """Returns the Table; raises 422 without a header (any_header: of known fields or not), and from `rows`."""
    head = text.read(_HEAD)
    text.seek(0)
    if len(head) == _HEAD and not re.search("[\r\n]", head.strip()):
        raise refused("invalid_csv", f"The header may have at most {_HEAD:,} characters.")
    named = _NAMED.match(head.lstrip("\ufeff"))
    if named:
        text.readline()
        head = head[head.index(named[0]) + len(named[0]) :]
    delimiter, header_row = _found(head, named[1] if named else None, mapping)
    records = enumerate(_Records(text, delimiter), 1)
    _number, cells = next(itertools.islice(records, header_row - 1, None), (0, ""))
    header = [storable(title) for title in cells] if isinstance(cells, list) else []
    if len(header) > MAX_COLUMNS:
        raise refused("invalid_csv", f"The file has {len(header):,} columns; it may have at most {MAX_COLUMNS:,}.")
    if not headers.score(header, mapping) and not (any_header and any(header)):
        raise refused("invalid_csv", f"{sentence('missing_column', column='first_name')} {UNKNOWN}", "missing_column")
    return Table(header, header_row, _WORDS[delimiter], _filled(records, header))


def _found(head: str, delimiter: str | None, mapping: Mapping[str, str | None]) -> tuple[str, int]:
    """(delimiter, row number of the header): those with the most known fields, then with the most columns."""
    found = [
        (score, len(row), -number, sign)
        for sign in ([delimiter] if delimiter else _WORDS)
        for number, row, score in _scored(head, sign, mapping)
    ]
    if not found:
        return delimiter or ",", 1
    best = max(found, key=lambda one: one[:3])
    return best[3], -best[2]


def _scored(head: str, sign: str, mapping: Mapping[str, str | None]) -> Iterator[tuple[int, list[str], int]]:
    for number, row in enumerate(itertools.islice(_Records(io.StringIO(head, newline=""), sign), _ABOVE), 1):
        if isinstance(row, list) and any(row):
            yield number, row, headers.score(row[: MAX_COLUMNS + 1], mapping)


def _filled(records: Iterator[tuple[int, list[str] | str]], header: list[str]) -> Iterator[Row]:
    # Rows below the table have BELOW instead of cells.
    count, after_gap = 0, False
    # The last rows that may stand below the table.
    held: list[Row] = []
    several = sum(map(bool, header)) > 1
    for number, cells in records:
        # Files that were joined repeat the header.
        if isinstance(cells, list) and (not any(cells) or "".join(cells).isspace() or cells == header):
            after_gap = cells != header
            continue
        count += 1
        if count > MAX_ROWS:
            raise refused("too_many_rows", f"May have at most {MAX_ROWS} rows.")
        may_be_below = isinstance(cells, list) and _may_be_below(cells, after_gap, bool(held))
        if several and len(held) < _ABOVE and may_be_below:
            held.append((number, cells))
            continue
        yield from held
        held.clear()
        after_gap = False
        yield number, cells
    is_footer = any(_is_total(cells) or _is_remark("".join(cells)) for _number, cells in held)
    yield from ((number, BELOW if is_footer else cells) for number, cells in held)


def _may_be_below(cells: Sequence[str], after_gap: bool, after_total: bool) -> bool:
    # A footer has one cell, after a blank row.
    if _is_total(cells) or not (after_gap or after_total):
        return _is_total(cells)
    filled = [cell for cell in cells if cell and not cell.isspace()]
    is_alone = len(filled) == 1 and not _ADDRESS.fullmatch(filled[0].strip())
    return is_alone and (after_gap or _is_remark(filled[0]))


def _is_remark(text: str) -> bool:
    return len(text.split()) > _MOST_WORDS or bool(_FOOTER.search(text))


def _is_total(cells: Sequence[str]) -> bool:
    # Besides its word, a total has no letters.
    first = next(filter(str.strip, cells), "")
    word = first.strip(" :").casefold()
    return word in headers.TOTALS and not any(map(str.isalpha, "".join(cells).replace(first, "", 1)))


class _Records:
    """The records of a CSV text: lists of cells, or the reason why a line is none; then the next line begins anew."""

    def __init__(self, text: IO[str], delimiter: str) -> None:
        self.text, self.delimiter, self.broken = text, delimiter, 0
        self.lines: list[str] = []
        self.again: list[str] = []
        self.reader = csv.reader(iter(self._line, ""), delimiter=delimiter, strict=True, skipinitialspace=True)

    def __iter__(self) -> Iterator[list[str] | str]:
        while True:
            self.lines.clear()
            try:
                yield next(self.reader)
            except StopIteration:
                return
            except UnicodeError:
                raise refused(
                    "unsupported_encoding", "The text is not in the encoding that its beginning has."
                ) from None
            except csv.Error as error:
                yield self._refused(str(error))

    def _line(self) -> str:
        line = self.again.pop() if self.again else self.text.readline()
        self.lines.append(line)
        if line.count(self.delimiter) > _MOST_CELLS:
            raise csv.Error(_WIDE)
        return line

    def _refused(self, error: str) -> str:
        """Reads the lines after the first one again."""
        self.broken += 1
        if self.broken > _MOST_BROKEN:
            raise refused("invalid_csv", f"More than {_MOST_BROKEN:,} lines have quotes that do not fit.")
        self.again += reversed([line for line in self.lines[1:] if line])
        self.reader = csv.reader(iter(self._line, ""), self.reader.dialect)
        if error == _WIDE:
            return error
        if "field limit" in error:
            return f"A cell is longer than {LONGEST_CELL:,} characters, or its quote is never closed."
        return "A quote within a cell must be doubled, and a cell with quotes must be quoted as a whole."
