"""Own fields for the columns of a file that no field takes."""

from collections.abc import Mapping

from pipeline.database import Row
from pipeline.leads.imports import headers
from pipeline.leads.imports.files import Source
from pipeline.leads.imports.own_cells import Guess, new_field


class Guesses:
    """The types of a source's ignored columns, by their filled cells; `mapping` may leave columns out.

    Columns with equal headers make one field.
    """

    def __init__(self, source: Source, mapping: Mapping[str, str | None] | None) -> None:
        self.own = source.own
        left_out = {"", *map(headers.key, mapping or {})}
        titles = {place: source.table.header[place] for place in source.places.ignored}
        self.keys = {place: key for place, title in titles.items() if (key := headers.key(title)) not in left_out}
        # {key: label of its first column}
        self.labels = {key: headers.label(titles[place]) for place, key in reversed(self.keys.items())}
        self.found: dict[str, Guess] = {}

    def see(self, cells: list[str] | str) -> None:
        """Reads a row."""
        for place, key in self.keys.items() if isinstance(cells, list) else ():
            if place < len(cells) and (cell := cells[place].strip()):
                self.found.setdefault(key, Guess()).see(cell)

    def fields(self) -> list[Row]:
        """The definitions of the new fields, in the order of the columns."""
        taken = {row["key"] for row in self.own}
        found = [key for key in dict.fromkeys(self.keys.values()) if key in self.found]
        return [new_field(self.labels[key], self.found[key].type, taken) for key in found]
