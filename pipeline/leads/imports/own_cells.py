"""Own fields of leads in files: their cells, and fields for columns that have none."""

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal
from functools import partial
from typing import Any

from pipeline.api.fields.own_fields import CHOICES, MULTIPLE, read_value
from pipeline.database import Row
from pipeline.leads.imports import cells
from pipeline.validation import Invalid, refuse
from pipeline.validation.dates import as_date

OWN = "fields."
# A comma before three digits may mean thousands.
_NUMBER = re.compile(r"-?(0|[1-9]\d{0,14})([.,]\d{1,6})?")
_GROUPED = re.compile(r"-?[1-9]\d{0,2}(?:([., '’])\d{3}(?:\1\d{3})*([.,]\d{1,2}))")
_DATE = re.compile(r"(\d{1,2})\.(\d{1,2})\.(\d{4})")
_WORDS = {"yes": True, "true": True, "ja": True, "oui": True, "sí": True, "sì": True, "si": True, "x": True}
WORDS = _WORDS | dict.fromkeys(("no", "false", "nein", "non", "nee"), False)
# Types of new fields, the first that all cells of the column fit.
GUESSED = ("number", "date", "yes_no", "email", "url")
LONGEST_KEY, LONGEST_LABEL = 40, 255


def titles_of(own: Iterable[Row], known: Callable[[str], object]) -> dict[str, str]:
    """{header: field} of own fields, by `fields.key` and by label unless `known` has it."""
    labels = {row["label"]: f"{OWN}{row['key']}" for row in own if not known(row["label"])}
    return labels | {f"{OWN}{row['key']}": f"{OWN}{row['key']}" for row in own}


def reader_of(field: Row, currency: str) -> Callable[[str], Any]:
    """The value of a cell; the reader raises Invalid."""
    of_type, read = READERS.get(field["type"]), partial(read_value, field, currency)
    if field["type"] in CHOICES:
        of_type = partial(_several if field["type"] == MULTIPLE else _option, field["options"])
    return read if of_type is None else lambda cell: read(of_type(cell))


def _number(cell: str) -> Decimal:
    text = cells.visible(cell).rstrip("%€$ ").lstrip("€$ ")
    if grouped := _GROUPED.fullmatch(text):
        text = re.sub(r"\D", "", text[: grouped.start(2)]) + grouped[2]
        text = f"-{text}" if cell.startswith("-") else text
    number = _NUMBER.fullmatch(text)
    if number is None or (number[2] or "").startswith(",") and len(number[2]) == 4:
        refuse("wrong_type", wanted="a number such as 1234.5")
    return Decimal(text.replace(",", "."))


def _date(cell: str) -> str:
    """A day, also as day.month.year or with the time that a workbook adds."""
    text = cells.visible(cell).removesuffix("00:00:00").rstrip("T ")
    if german := _DATE.fullmatch(text):
        text = f"{german[3]}-{german[2]:0>2}-{german[1]:0>2}"
    if as_date(text) is None:
        refuse("invalid_date", "Must be a date written YYYY-MM-DD.")
    return text


def _yes_no(cell: str) -> bool:
    value = WORDS.get(cells.visible(cell).casefold())
    if value is None:
        refuse("wrong_type", wanted="yes or no")
    return value


def _email(cell: str) -> str | None:
    return cells.email(cell)[0]


def _option(options: Sequence[str], cell: str) -> str:
    return {option.casefold(): option for option in options}.get(cell.casefold(), cell)


def _several(options: Sequence[str], cell: str) -> list[str]:
    parts = (part.strip() for part in re.split(r"[;|\n]", cell))
    return list(dict.fromkeys(_option(options, part) for part in parts if part))


READERS: Mapping[str, Callable[[str], Any]] = {
    "number": _number,
    "money": _number,
    "date": _date,
    "yes_no": _yes_no,
    "email": _email,
}


class Guess:
    """The type of a new field for a column, by its cells."""

    def __init__(self) -> None:
        self.types = list(GUESSED)

    def see(self, cell: str) -> None:
        self.types = [type for type in self.types if _fits(type, cell)]

    @property
    def type(self) -> str:
        return self.types[0] if self.types else "text"


def _fits(type: str, cell: str) -> bool:
    try:
        return reader_of({"type": type}, "")(cell) is not None
    except Invalid:
        return False


def new_field(header: str, type: str, taken: set[str]) -> Row:
    """The definition of a field for a column; its key is none of the `taken` ones, and is added to them."""
    plain = unicodedata.normalize("NFKD", header).encode("ascii", "ignore").decode().lower()
    stem = re.sub(r"[^a-z0-9]+", "_", plain).strip("_0123456789")[:LONGEST_KEY].strip("_") or "column"
    numbers = (f"{stem[: LONGEST_KEY - 4]}_{number}" for number in range(2, 1000))
    key = stem if stem not in taken else next(one for one in numbers if one not in taken)
    taken.add(key)
    label = header[:LONGEST_LABEL]
    return {"key": key, "label": label, "type": type, "options": [], "default": None, "required": False}
