"""Reads CSV rows with the types of the lead's JSON; for speed, plain texts skip them."""

import re
from collections.abc import Callable, Mapping, Sequence, Set
from functools import lru_cache
from typing import Any, NamedTuple

from pipeline.http.endpoints.csv_cells import unquote
from pipeline.leads import schemas
from pipeline.leads.csv_format import COLUMNS, FULL_NAME
from pipeline.validation import ExternalId, Invalid, Text, refuse
from pipeline.validation.codes import sentence
from pipeline.validation.emails import email_key, usual_form
from pipeline.validation.types import Type

MAX_VALUE = 200
TOO_MANY = "The row has more cells than the header. A text with a delimiter in it must be quoted."
NO_SEAT = "Is not an active seat of the organization."
# Lower case only: email types lower local parts such as INFO.
_LOCAL = re.compile(r"[a-z0-9_+-]+(?:\.[a-z0-9_+-]+)*", re.ASCII)
_LEAD = schemas.Lead()
_NODES = {column: _LEAD[column] for column in COLUMNS}
_LONGEST = _NODES["first_name"].typ.max_length


class RowError(NamedTuple):
    """The reason for a failed row; the header is row 1."""

    row: int
    column: str
    code: str
    message: str
    value: str


def no_active_seat(row: int, email: str) -> RowError:
    """Returns the RowError for an inactive seat."""
    return RowError(row, "assigned_to", "unknown_reference", NO_SEAT, email)


def taken_id(row: int, external_id: str) -> RowError:
    """Returns the RowError for the external id of a lead or an earlier row."""
    return RowError(row, "external_id", "external_id_taken", sentence("external_id_taken"), external_id)


class RowReader:
    """Reads rows of a Table; `seats` maps email keys to user ids.

    `met_inactive`: a row names one of the `inactive` seats.
    """

    def __init__(self, width: int, places: Mapping[str, int], seats: Mapping[str, int], inactive: Set[int]) -> None:
        self.width, self.seats, self.inactive, self.met_inactive = width, seats, inactive, False
        self.plan: list[tuple[int, int, str, int, Callable[[str], Any]]] = []
        for column, place in places.items():
            own, index = getattr(self, f"_{column}", None), COLUMNS.index(column) if column in COLUMNS else 0
            # 0 sends every cell to the column's own reader or type.
            longest = 0 if own else _longest_plain(_NODES[column].typ)
            self.plan.append((place, index, column, longest, own or _NODES[column].typ.load))

    def read(self, row: int, cells: Sequence[str]) -> tuple[list[Any], list[RowError]]:
        """Returns (values in the order of COLUMNS, errors)."""
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
            # Often an unquoted comma, which moves later cells.
            errors.append(RowError(row, "", "too_many_cells", TOO_MANY, stray[:MAX_VALUE]))
        first = values[0]
        if isinstance(first, tuple):
            values[0], values[1] = first
        elif first is None and not any(error.column in ("first_name", FULL_NAME) for error in errors):
            errors.insert(0, RowError(row, "first_name", "required", "Is required.", ""))
        return values, errors

    def _name(self, cell: str) -> tuple[str, str | None] | None:
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
        return _typed("status", cell.lower())

    def _assigned_to(self, cell: str) -> int:
        user_id = self.seats.get(_seat_key(cell))
        if user_id is None:
            refuse("unknown_reference", NO_SEAT)
        self.met_inactive = self.met_inactive or user_id in self.inactive
        return user_id


def _longest_plain(typ: Type) -> int:
    if not isinstance(typ, Text) or type(typ) not in (Text, ExternalId):
        return 0
    return typ.max_length if typ.pattern is None and typ.min_length == 1 else 0


def _typed(name: str, cell: str) -> str | None:
    return _NODES[name].typ.load(cell)


@lru_cache(maxsize=20_000)
def _seat_key(cell: str) -> str:
    return email_key(usual_form(cell))


@lru_cache(maxsize=20_000)
def _domain(domain: str) -> str | None:
    try:
        known = _typed("email", f"a@{domain}")
    except Invalid:
        return None
    return known.partition("@")[2] if known else None
