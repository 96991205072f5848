"""Reads rows with the types of the lead's JSON; for speed, plain texts skip them."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Any, NamedTuple

from pipeline.api.exports.csv_cells import unquote
from pipeline.database import dumps
from pipeline.leads import schemas
from pipeline.leads.imports import cells as cleaned
from pipeline.leads.imports import headers
from pipeline.leads.imports.columns import COLUMNS, FULL_NAME, IDENTITY, storable
from pipeline.leads.imports.own_cells import OWN
from pipeline.validation import MAX_ID, ExternalId, Invalid, Text, refuse
from pipeline.validation.codes import sentence
from pipeline.validation.emails import email_key, usual_form
from pipeline.validation.types import Type

MAX_VALUE = 200
# Warnings, errors and results in a report.
MOST_LISTED = 1_000
TOO_MANY = "The row has more cells than the header. A text with a delimiter in it must be quoted."
NO_SEAT = "Is not an active seat of the organization."
BROKEN = "The cell shows the error of a formula. Correct the formula in the spreadsheet."
SEVERAL = "The cell has several values; the first one is imported."
UNREADABLE = "Must be a time such as 2026-01-31T09:30:00Z, as exported; later changes of the lead are not noticed."
NAMELESS = "The row has no name, email address or company."
# Lower case only: email types lower local parts such as INFO.
_LOCAL = re.compile(r"[a-z0-9_+-]+(?:\.[a-z0-9_+-]+)*", re.ASCII)
_SIGNS = str.maketrans("", "", ".-_")
_WORD_END = re.compile(r"[0-9]*(?:[._-]|$)")
_PHONE = re.compile(r"\+?[0-9][0-9 ()/.-]{2,}")
_LEAD = schemas.Lead()
_NODES = {column: _LEAD[column] for column in COLUMNS}
_LONGEST = _NODES["first_name"].typ.max_length
_NAMES = ("first_name", "last_name", FULL_NAME)
FIRST, LAST = COLUMNS.index("first_name"), COLUMNS.index("last_name")
EMAIL, COMPANY, EXTERNAL_ID = (COLUMNS.index(name) for name in ("email", "company", "external_id"))
_TIME = re.compile(r"(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(?::(\d\d)(?:[.,](\d{1,6}))?)? ?(?:Z|\+00:?00)?")


class CellError(NamedTuple):
    """The reason for a failed row, or for a cell that is left out."""

    row: int
    column: str
    code: str
    message: str
    value: str


class Read(NamedTuple):
    """A row that was read: the values of the copied columns, the name of a lead without one, and the own
    fields as JSON."""

    identity: list[Any]
    kept: list[str] | None
    called: str | None
    values: list[Any]
    own: str | None
    errors: list[CellError]


def told(cell: str) -> str:
    """A cell for the report: its beginning."""
    return storable(cell[:MAX_VALUE])


def no_active_seat(row: int, email: str) -> CellError:
    return CellError(row, "assigned_to", "unknown_reference", NO_SEAT, email)


def taken_id(row: int, external_id: str) -> CellError:
    return CellError(row, "external_id", "external_id_taken", sentence("external_id_taken"), external_id)


class RowReader:
    """Reads rows of a Table; `seats`: user ids by email key and name.

    `own` maps columns of own fields to their readers.
    `met_inactive`: a row names one of the `inactive` seats. `role_rows`: rows whose address may be one of `roles`.
    `unread` counts filled cells by column that are not read.
    `warnings` are cells that were left out.
    """

    def __init__(
        self,
        header: Sequence[str],
        places: headers.Places,
        seats: Mapping[str, int],
        inactive: Set[int],
        roles: Set[str],
        own: Mapping[str, Callable[[str], Any]],
    ) -> None:
        self.width, self.seats, self.inactive, self.met_inactive = len(header), seats, inactive, False
        self.roles = roles
        self.ignored = [*places.ignored, *(place for field in IDENTITY for place in places.of.get(field, [])[1:])]
        self.role_rows: list[int] = []
        self.unread: Counter[int] = Counter()
        self.warnings: list[CellError] = []
        self.identity = [places.of.get(field, [None])[0] for field in IDENTITY]
        self.own: list[tuple[int, Sequence[int], str, Callable[[str], Any]]] = []
        self.plan: list[tuple[int, Sequence[int], int, str, int, Callable[[str], Any]]] = []
        for column, (place, *others) in places.of.items():
            if column in own:
                self.own.append((place, others, column, own[column]))
            elif column not in IDENTITY:
                reader, index = getattr(self, f"_{column}", None), COLUMNS.index(column) if column in COLUMNS else -1
                # 0 sends every cell to the column's own reader or type.
                longest = 0 if reader else _longest_plain(_NODES[column].typ)
                self.plan.append((place, others, index, column, longest, reader or _NODES[column].typ.load))
        self.row = 0

    def read(self, row: int, cells: Sequence[str]) -> Read:
        """Returns the Read row; errors fail it."""
        self.row = row
        values: list[Any] = [None] * (len(COLUMNS) + 1)
        errors: list[CellError] = []
        kept: list[str] = []
        count = len(cells)
        whole = "".join(cells)
        plain = whole.isascii() and whole.isprintable() and "'" not in whole
        for place, others, index, column, longest, reader in self.plan:
            cell = cells[place] if place < count else ""
            if others:
                cell = self._first_filled(cells, place, others)
            cell = cell.strip() if plain else unquote(cell).strip()
            if cell in cleaned.FORMULA_ERRORS:
                self._leave_out(column, "formula_error", BROKEN, cell, kept)
            elif len(cell) <= longest and (plain or (cell.isascii() and cell.isprintable())):
                values[index] = cell or None
            elif cell:
                try:
                    values[index] = reader(cell)
                except Invalid as error:
                    self._refuse(column, error, cell, errors, kept)
        for place in self.ignored:
            if place < count and cells[place] and not cells[place].isspace():
                self.unread[place] += 1
        if count > self.width and (stray := next(filter(str.strip, cells[self.width :]), None)):
            # Often an unquoted comma, which moves later cells.
            errors.append(CellError(row, "", "too_many_cells", TOO_MANY, told(stray)))
        own = self._own(cells, kept) if self.own else None
        return Read(self._identified(cells), kept or None, self._called(values, errors), values[:-1], own, errors)

    def _own(self, cells: Sequence[str], kept: list[str]) -> str | None:
        """The values of own fields as JSON; names those whose cell is left out in `kept`."""
        values = {}
        for place, others, column, reader in self.own:
            cell = cells[place] if place < len(cells) else ""
            if others:
                cell = self._first_filled(cells, place, others)
            if not (cell := unquote(cell).strip()):
                continue
            if cell in cleaned.FORMULA_ERRORS:
                self._leave_out(column, "formula_error", BROKEN, cell, kept)
                continue
            try:
                values[column.removeprefix(OWN)] = reader(cell)
            except Invalid as error:
                self._leave_out(column, error.violations[0].code, error.violations[0].message, cell, kept)
        return dumps({key: value for key, value in values.items() if value is not None}).decode() if values else None

    def _refuse(self, column: str, error: Invalid, cell: str, errors: list[CellError], kept: list[str]) -> None:
        """A name that is refused fails its row; another cell is left out."""
        (violation,) = error.violations
        if column in _NAMES:
            errors.append(CellError(self.row, column, violation.code, violation.message, told(cell)))
        else:
            self._leave_out(column, violation.code, violation.message, cell, kept)

    def _leave_out(self, column: str, code: str, message: str, cell: str, kept: list[str]) -> None:
        self._warn(CellError(self.row, column, code, message, told(cell)))
        kept.append(column)

    def _warn(self, found: CellError) -> None:
        if len(self.warnings) < MOST_LISTED:
            self.warnings.append(found)

    def _first_filled(self, cells: Sequence[str], place: int, others: Sequence[int]) -> str:
        filled = [one for one in (place, *others) if one < len(cells) and cells[one].strip()]
        self.unread.update(filled[1:])
        return cells[filled[0]] if filled else ""

    def _called(self, values: list[Any], errors: list[CellError]) -> str | None:
        """Fills the name from a full name; returns what a new lead without a first name is called."""
        if values[-1] is not None:
            if values[FIRST] is None and values[LAST] is None:
                values[FIRST], values[LAST] = values[-1]
            elif not _agree(values[-1], (values[FIRST], values[LAST])):
                self._warn(CellError(self.row, FULL_NAME, "several_values", SEVERAL, told(_joined(values[-1]))))
        if values[FIRST] is not None or any(error.column in _NAMES for error in errors):
            return None
        address = values[EMAIL]
        called = values[LAST] or (cleaned.local_part(address) if address else values[COMPANY])
        if called is None and values[EXTERNAL_ID] is None and self.identity == [None] * 3:
            errors.insert(0, CellError(self.row, "first_name", "required", NAMELESS, ""))
        return called

    def _identified(self, cells: Sequence[str]) -> list[Any]:
        """(id, creation, last moment that the time of change may mean)."""
        if self.identity == [None] * 3:
            return self.identity
        id, created, updated = (
            cells[one].strip() if one is not None and one < len(cells) else "" for one in self.identity
        )
        if updated and _moments(updated)[1] is None:
            self._warn(CellError(self.row, "updated_at", "invalid_date", UNREADABLE, told(updated)))
        number = int(id) if id.isascii() and id.isdigit() and len(id) < 20 else 0
        if id and (place := self.identity[0]) is not None:
            # Until a lead has one of them, they are another program's.
            self.unread[place] += 1
        return [number if 0 < number <= MAX_ID else None, _moments(created)[0], _moments(updated)[1]]

    def _name(self, cell: str) -> tuple[str, str | None] | None:
        name = cell if len(cell) <= _LONGEST and cell.isascii() and cell.isprintable() else _typed("first_name", cell)
        return None if name is None else cleaned.full_name(name)

    def _email(self, cell: str) -> str | None:
        local, _, domain = cell.rpartition("@")
        if cell.isascii() and len(cell) <= 254 and len(local) <= 64 and _LOCAL.fullmatch(local):
            known = _domain(domain)
            if known:
                name = local.partition("+")[0]
                whole = name.translate(_SIGNS).rstrip(headers.DIGITS)
                if whole in self.roles or _WORD_END.split(name, maxsplit=1)[0] in self.roles:
                    self.role_rows.append(self.row)
                return f"{local}@{known}"
        # Whether other letters and extensions stand for a role, the database knows.
        self.role_rows.append(self.row)
        return self._first_of("email", *cleaned.email(cell))

    def _phone(self, cell: str) -> str | None:
        if len(cell) <= 40 and _PHONE.fullmatch(cell) and "." not in cell and " / " not in cell and cell.strip("0 "):
            return cell
        number, rest = cleaned.phone(cell)
        return self._first_of("phone", number and _typed("phone", number), rest)

    def _first_of(self, column: str, value: str | None, rest: str) -> str | None:
        """The first of several values in a cell; warns of the others."""
        if rest:
            self._warn(CellError(self.row, column, "several_values", SEVERAL, told(rest)))
        return value

    def _job_title(self, cell: str) -> str | None:
        """Other programs call a salutation a title."""
        return None if headers.letters(cell[: headers.LONGEST]) in headers.SALUTATIONS else _typed("job_title", cell)

    def _tags(self, cell: str) -> str | None:
        is_export = self.identity[1] is not None
        return _typed("tags", cell if is_export else cleaned.tags(cell))

    def _status(self, cell: str) -> str | None:
        return _typed("status", headers.STATUSES.get(headers.letters(cell[: headers.LONGEST]), cell.lower()))

    def _assigned_to(self, cell: str) -> int:
        # By address, also behind a name, or by name.
        user_id = self.seats.get(_seat_key(cell)) or self.seats.get(_named_seat(cell))
        if user_id is None:
            refuse("unknown_reference", NO_SEAT)
        self.met_inactive = self.met_inactive or user_id in self.inactive
        return user_id


def _moments(cell: str) -> tuple[datetime | None, datetime | None]:
    """The first and the last moment that a time means: a spreadsheet may have cut it to seconds or minutes."""
    found = _TIME.fullmatch(cell)
    if found is None:
        return None, None
    day, minute, second, fraction = found.groups()
    try:
        first = datetime.fromisoformat(f"{day}T{minute}:{second or '00'}.{(fraction or '').ljust(6, '0')}").replace(
            tzinfo=UTC
        )
    except ValueError:
        return None, None
    step = timedelta(microseconds=10 ** (6 - len(fraction or ""))) if second else timedelta(minutes=1)
    return first, first + step - timedelta(microseconds=1)


def _joined(name: Iterable[str | None]) -> str:
    return " ".join(filter(None, name))


def _agree(one: Iterable[str | None], other: Iterable[str | None]) -> bool:
    words, others = ({*_joined(name).casefold().split()} for name in (one, other))
    return words <= others or others <= words


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
def _named_seat(cell: str) -> str:
    try:
        return email_key(cleaned.email(cell)[0] or "")
    except Invalid:
        return seat_name(cell)


def seat_name(name: str) -> str:
    return " ".join(name.casefold().split())


@lru_cache(maxsize=20_000)
def _domain(domain: str) -> str | None:
    try:
        known = _typed("email", f"a@{domain}")
    except Invalid:
        return None
    return known.partition("@")[2] if known else None
