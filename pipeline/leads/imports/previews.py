"""Shows how the import reads a file, without storing anything."""

from collections import Counter, defaultdict
from collections.abc import Mapping
from typing import IO, Any

from pipeline.database import loads
from pipeline.leads.imports.columns import COLUMNS
from pipeline.leads.imports.files import Source, open_source
from pipeline.leads.imports.guesses import Guesses
from pipeline.leads.imports.importing import reader_of
from pipeline.leads.imports.reading.tables import Row
from pipeline.leads.imports.reports import reason
from pipeline.leads.imports.rows import FIRST, RowReader, told
from pipeline.validation import Values

# Rows, and values of each column, in a preview.
SHOWN = 3


def preview(file: IO[bytes], options: Values) -> dict[str, Any]:
    """Returns the columns with their fields, and the first rows as leads; `options` are those of LeadFile.

    Raises 422 for an invalid or too long file.
    """
    source = open_source(file, options, any_header=True)
    reader = reader_of(source, "skip")
    filled: Counter[int] = Counter()
    examples: defaultdict[int, list[str]] = defaultdict(list)
    rows: list[dict[str, Any]] = []
    total = 0
    guesses = Guesses(source, options["mapping"])
    for number, cells in source.table.rows:
        total += 1
        if len(rows) < SHOWN:
            rows.append(_read(reader, (number, cells)))
        guesses.see(cells)
        if isinstance(cells, list):
            for place, cell in enumerate(cells):
                if cell and not cell.isspace():
                    filled[place] += 1
                    if filled[place] <= SHOWN:
                        examples[place].append(told(cell.strip()))
    return {
        "columns": _columns(source, filled, examples),
        "encoding": source.encoding,
        "delimiter": source.delimiter,
        "header_row": source.table.header_row,
        "total": total,
        "ignored_columns": source.ignored,
        "new_fields": [{name: field[name] for name in ("key", "label", "type")} for field in guesses.fields()],
        "rows": rows,
    }


def _columns(source: Source, filled: Mapping[int, int], examples: Mapping[int, list[str]]) -> list[dict[str, Any]]:
    fields = {place: field for field, places in source.places.of.items() for place in places}
    return [
        {
            "header": title.strip(),
            "field": fields.get(place),
            "filled": filled.get(place, 0),
            "examples": examples.get(place, []),
        }
        for place, title in enumerate(source.table.header)
    ]


def _read(reader: RowReader, row: Row) -> dict[str, Any]:
    """A row as a new lead, or the reason why it fails."""
    number, cells = row
    if isinstance(cells, str):
        return {"row": number, "lead": None, "reason": cells}
    read = reader.read(number, cells)
    if read.errors:
        return {"row": number, "lead": None, "reason": reason(read.errors[0])}
    lead = dict(zip(COLUMNS, read.values, strict=True))
    lead["fields"] = loads(read.own or "{}")
    lead["first_name"] = read.values[FIRST] or read.called
    return {"row": number, "lead": lead, "reason": None}
