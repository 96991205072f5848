"""One row of a CSV file as a lead's values, checked by the same types as the lead's JSON.

A hundred thousand rows must take half a second. So a cell of a plain text column never reaches its type when it is
printable ASCII within the column's length: the type would return it as it is. Every other cell is read by its type.
"""

import re
from collections.abc import Callable, Mapping, Sequence, Set
from functools import lru_cache
from typing import Any, NamedTuple

from pipeline.http.csv_cells import unquote
from pipeline.leads import schemas
from pipeline.leads.csv_format import COLUMNS, FULL_NAME
from pipeline.validation import Invalid, Text, refuse
from pipeline.validation.emails import email_key, usual_form
from pipeline.validation.types import Type

MAX_VALUE = 200
TOO_MANY = "The row has more cells than the header. A text with a delimiter in it must be quoted."
NO_SEAT = "Is no active seat of the organization."
# In lower case: that of INFO@ and the like is made lower.
_LOCAL = re.compile(r"[a-z0-9_+-]+(?:\.[a-z0-9_+-]+)*", re.ASCII)
_LEAD = schemas.Lead()
_NODES = {column: _LEAD[column] for column in COLUMNS}
_LONGEST = _NODES["first_name"].typ.max_length


class RowError(NamedTuple):
    """Why a row is not imported; `row` counts the header as 1."""

    row: int
    column: str
    code: str
    message: str
    value: str


def no_active_seat(row: int, email: str) -> RowError:
    """The RowError of a row that would give a lead to an inactive seat."""
    return RowError(row, "assigned_to", "unknown_reference", NO_SEAT, email)


class RowReader:
    """Reads the rows of a Table of `width` and `places`; `seats` maps the keys of email addresses to the ids of seats.

    Those in `inactive` may stand in a row that gives nobody a lead; `met_inactive` tells that one was read.
    """

    def __init__(self, width: int, places: Mapping[str, int], seats: Mapping[str, int], inactive: Set[int]) -> None:
        self.width, self.seats, self.inactive, self.met_inactive = width, seats, inactive, False
        self.plan: list[tuple[int, int, str, int, Callable[[str], Any]]] = []
        for column, place in places.items():
            own, index = getattr(self, f"_{column}", None), COLUMNS.index(column) if column in COLUMNS else 0
            # Every cell of a column with a reader or a type of its own goes there, whatever its length.
            longest = 0 if own else _longest_plain(_NODES[column].typ)
            self.plan.append((place, index, column, longest, own or _NODES[column].typ.load))

    def read(self, row: int, cells: Sequence[str]) -> tuple[list[Any], list[RowError]]:
        """Values in the order of COLUMNS, and errors, of a row; a blank cell is None."""
        values: list[Any] = [None] * len(COLUMNS)
        errors: list[RowError] = []
        count = len(cells)
        whole = "".join(cells)
        plain = whole.isascii() and whole.isprintable() and "'" not in whole
        for place, index, column, longest, reader in self.plan:
            cell = cells[place] if place < count else ""
            cell = cell.strip() if plain else unquote(cell).strip()
            if len(cell) <= longest and (plain or (cell.isascii() and cell.isprintable())):
                values[index] = cell or None
            elif cell:
                try:
                    values[index] = reader(cell)
                except Invalid as error:
                    (violation,) = error.violations
                    errors.append(RowError(row, column, violation.code, violation.message, cell[:MAX_VALUE]))
        if count > self.width and (stray := next(filter(str.strip, cells[self.width :]), None)):
            # Mostly a comma within a text that is not quoted: what follows stands in the wrong column.
            errors.append(RowError(row, "", "too_many_cells", TOO_MANY, stray[:MAX_VALUE]))
        first = values[0]
        if isinstance(first, tuple):
            values[0], values[1] = first
        elif first is None and not any(error.column in ("first_name", FULL_NAME) for error in errors):
            errors.insert(0, RowError(row, "first_name", "required", "Is required.", ""))
        return values, errors

    def _name(self, cell: str) -> tuple[str, str | None] | None:
        """First name and last name of a full name, split at its last space; None of one that nobody can see."""
        name = cell if len(cell) <= _LONGEST and cell.isascii() and cell.isprintable() else _typed("first_name", cell)
        if name is None:
            return None
        first, _, last = name.rpartition(" ")
        return (first.strip(), last) if first else (last, None)

    def _email(self, cell: str) -> str | None:
        local, _, domain = cell.rpartition("@")
        if cell.isascii() and len(cell) <= 254 and len(local) <= 64 and _LOCAL.fullmatch(local):
            known = _domain(domain)
            if known:
                return f"{local}@{known}"
        return _typed("email", cell)

    def _status(self, cell: str) -> str | None:
        return _known_status(cell)

    def _tags(self, cell: str) -> str | None:
        return _typed("tags", cell)

    def _assigned_to(self, cell: str) -> int:
        user_id = self.seats.get(_seat_key(cell))
        if user_id is None:
            refuse("unknown_reference", NO_SEAT)
        self.met_inactive = self.met_inactive or user_id in self.inactive
        return user_id


def _longest_plain(typ: Type) -> int:
    """Up to which length a type returns printable ASCII as it is; 0 for a type that checks more than the length."""
    return typ.max_length if type(typ) is Text and typ.pattern is None and typ.min_length == 1 else 0


def _typed(name: str, cell: str) -> str | None:
    """The value by the field's own type."""
    return _NODES[name].typ.load(cell)


@lru_cache(maxsize=100)
def _known_status(cell: str) -> str | None:
    return _typed("status", cell.lower())


@lru_cache(maxsize=20_000)
def _seat_key(cell: str) -> str:
    return email_key(usual_form(cell))


@lru_cache(maxsize=20_000)
def _domain(domain: str) -> str | None:
    """The normalised domain of an email address, or None; files name the same domains over and over."""
    try:
        known = _typed("email", f"a@{domain}")
    except Invalid:
        return None
    return known.partition("@")[2] if known else None
