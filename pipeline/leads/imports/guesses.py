"""Own fields for the columns of a file that no field takes."""

from collections.abc import Mapping

from pipeline.database import Row
from pipeline.leads.imports.files import Source
from pipeline.leads.imports.own_cells import Guess, new_field


class Guesses:
    """The types of a source's ignored columns, by their filled cells; `mapping` may leave columns out."""

    def __init__(self, source: Source, mapping: Mapping[str, str | None] | None) -> None:
        self.own, self.header = source.own, [title.strip() for title in source.table.header]
        left_out = {"", *(title.strip().casefold() for title in mapping or {})}
        self.places = [place for place in source.places.ignored if self.header[place].casefold() not in left_out]
        self.found: dict[int, Guess] = {}

    def see(self, cells: list[str] | str) -> None:
        """Reads a row."""
        for place in self.places if isinstance(cells, list) else ():
            if place < len(cells) and (cell := cells[place].strip()):
                self.found.setdefault(place, Guess()).see(cell)

    def fields(self) -> list[Row]:
        """The definitions of the new fields, in the order of the columns."""
        taken = {row["key"] for row in self.own}
        return [new_field(self.header[place], guess.type, taken) for place, guess in sorted(self.found.items())]
