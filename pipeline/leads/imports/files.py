"""The file of an import as a table: a text or a workbook."""

from collections.abc import Mapping, Sequence
from typing import IO, NamedTuple

from pipeline.database import Row, queries
from pipeline.leads.imports import headers
from pipeline.leads.imports.columns import refused
from pipeline.leads.imports.own_cells import OWN, titles_of
from pipeline.leads.imports.reading.encodings import Doubt, open_text
from pipeline.leads.imports.reading.tables import Table, read_table
from pipeline.leads.imports.reading.workbooks import is_workbook, sheet_text
from pipeline.validation import Invalid, Values, Violation
from pipeline.validation.codes import sentence
from pipeline.validation.violations import nearest, step


class Source(NamedTuple):
    """A table, the columns of its fields, and encoding and delimiter as the report names them; none of a workbook.

    own: the own fields of leads. doubt: why the encoding may be wrong.
    """

    table: Table
    places: headers.Places
    encoding: str | None
    delimiter: str | None
    own: Sequence[Row]
    doubt: Doubt | None

    @property
    def own_columns(self) -> list[str]:
        """The own fields that have a column."""
        return [field for field in self.places.of if field.startswith(OWN)]

    @property
    def ignored(self) -> list[str]:
        """The headers of columns without a field."""
        titles = (self.table.header[place].strip() for place in self.places.ignored)
        return [title for title in titles if title]


def open_source(file: IO[bytes], options: Values, new: Sequence[Row] = (), any_header: bool = False) -> Source:
    """Returns the Source; raises 422 for a file that is no table of leads, or a mapping of other columns or fields.

    new: own fields besides the stored ones. any_header: as of read_table.
    """
    own = [*queries.field_definitions(kind="lead"), *new]
    chosen: dict[str, str | None] = options["mapping"] or {}
    _check_fields(chosen, own)
    known = titles_of(own, _is_known)
    mapping = {title: field for title, field in known.items() if not _is_chosen(title, chosen)} | chosen
    doubt = None
    if is_workbook(file):
        table, encoding, delimiter = read_table(sheet_text(file, options["sheet"]), mapping, any_header), None, None
    else:
        if options["sheet"]:
            raise refused("unsupported_file", "A CSV file has no sheets.", "conflict", "sheet")
        text = open_text(file, options["encoding"])
        table, encoding, doubt = read_table(text.lines, mapping, any_header), text.encoding, text.doubt
        delimiter = table.delimiter
    titles = set(map(headers.key, table.header))
    unknown = [title for title in chosen if headers.key(title) not in titles]
    if unknown:
        message = sentence("unknown_key", owner="The file", what="column")
        raise Invalid([Violation(f"mapping.{step(title)}", "unknown_key", message, "query") for title in unknown])
    return Source(table, headers.places(table.header, mapping), encoding, delimiter, own, doubt)


def _is_known(title: str) -> bool:
    return headers.recognized(title)[0] is not None


def _is_chosen(title: str, chosen: Mapping[str, str | None]) -> bool:
    return headers.key(title) in set(map(headers.key, chosen))


def _check_fields(mapping: Mapping[str, str | None], own: Sequence[Row]) -> None:
    """Raises 422 for own fields that do not exist."""
    keys = [row["key"] for row in own]
    unknown = {title: field.removeprefix(OWN) for title, field in mapping.items() if field and field.startswith(OWN)}
    violations = [
        Violation(f"mapping.{step(title)}", "unknown_key", f"There is no such field.{nearest(key, keys)}", "query")
        for title, key in unknown.items()
        if key not in keys
    ]
    if violations:
        raise Invalid(violations)
