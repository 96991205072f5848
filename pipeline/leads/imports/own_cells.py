"""Own fields of leads in files: their cells, and fields for columns that have none."""

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal
from functools import lru_cache, partial
from typing import Any

from pipeline.api.fields.own_fields import CHOICES, KEY_PATTERN, MULTIPLE, read_value
from pipeline.database import Row
from pipeline.leads.imports import cells
from pipeline.validation import Invalid, refuse
from pipeline.validation.dates import as_date

OWN = "fields."
# A comma before three digits may mean thousands.
_NUMBER = re.compile(r"-?(0|[1-9]\d{0,14})([.,]\d{1,6})?")
_GROUPED = re.compile(r"-?[1-9]\d{0,2}(?:([., '’])\d{3}(?:\1\d{3})*([.,]\d{1,2}))")
_CURRENCY = r"(?:[%€$£¥￥₺₽₩₹]|R\$|zł|kr|Kč|Ft|TL|EUR|USD|GBP|CHF|PLN|TRY|BRL|JPY|SEK|NOK|DKK|CZK|HUF|AED|SAR)"
_AMOUNT = re.compile(rf"{_CURRENCY}?\s*(-?)\s*{_CURRENCY}?\s*(\d.*?)\s*{_CURRENCY}?")
# Day.month.year, year/month/day, 31 Jan 2026, Jan 31, 2026.
_DATE = re.compile(r"(\d{1,2})\.(\d{1,2})\.(\d{4})")
_YEAR_FIRST = re.compile(r"(\d{4})/(\d{1,2})/(\d{1,2})")
_SLASHED = re.compile(r"(\d{1,2})/(\d{1,2})/(\d{4})")
_MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
_NAMED = re.compile(r"(?:(?P<day>\d{1,2})[ -])?(?P<month>[A-Za-z]{3,9})\.?[ -](?:(?P<late>\d{1,2}), ?)?(?P<year>\d{4})")
# In our languages, and as spreadsheets of them and other programs write true and false.
_YES = "yes true ja oui sí sì si x wahr vrai verdadero vero waar tak sim evet はい نعم checked ✓ ✔"
_NO = "no false nein non nee falsch faux falso onwaar nie não hayır いいえ لا"
WORDS = dict.fromkeys(_YES.split(), True) | dict.fromkeys(_NO.split(), False)
# Types of new fields, the first that all cells of the column fit.
GUESSED = ("number", "date", "yes_no", "email", "url")
LONGEST_KEY, LONGEST_NUMBER = 40, 60


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
    shown = cells.visible(cell).replace("\u202f", " ")
    amount = _AMOUNT.fullmatch(shown) if len(shown) <= LONGEST_NUMBER else None
    text = amount[1] + amount[2] if amount else ""
    if grouped := _GROUPED.fullmatch(text):
        text = f"{text[:1].strip('0123456789')}{re.sub(r'[^0-9]', '', text[: grouped.start(2)])}{grouped[2]}"
    number = _NUMBER.fullmatch(text)
    if number is None or (number[2] or "").startswith(",") and len(number[2]) == 4:
        refuse("wrong_type", wanted="a number such as 1234.5")
    return Decimal(text.replace(",", "."))


def _date(cell: str) -> str:
    """A day in a notation that means one day alone, also with the time that a workbook adds."""
    text = cells.visible(cell).removesuffix("00:00:00").rstrip("T ")
    if german := _DATE.fullmatch(text):
        text = f"{german[3]}-{german[2]:0>2}-{german[1]:0>2}"
    elif ordered := _YEAR_FIRST.fullmatch(text):
        text = f"{ordered[1]}-{ordered[2]:0>2}-{ordered[3]:0>2}"
    elif slashed := _SLASHED.fullmatch(text):
        day, month = sorted((slashed[1], slashed[2]), key=int, reverse=True)
        # 2/1/2026 is in January or in February.
        text = f"{slashed[3]}-{month:0>2}-{day:0>2}" if int(day) > 12 or day == month else ""
    elif (named := _NAMED.fullmatch(text)) and (month := named["month"].lower()[:3]) in _MONTHS:
        text = f"{named['year']}-{_MONTHS.index(month) + 1:02}-{named['day'] or named['late'] or '':0>2}"
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
        fits = _fits if len(cell) > LONGEST_NUMBER else _fits_known
        self.types = [type for type in self.types if fits(type, cell)]

    @property
    def type(self) -> str:
        return self.types[0] if self.types else "text"


_GUESSING = {type: reader_of({"type": type}, "") for type in GUESSED}


def _fits(type: str, cell: str) -> bool:
    try:
        return _GUESSING[type](cell) is not None
    except Invalid:
        return False


# Cells of narrow columns repeat.
_fits_known = lru_cache(maxsize=20_000)(_fits)


def new_field(label: str, type: str, taken: set[str]) -> Row:
    """The definition of a field for a column; its key is none of the `taken` ones, and is added to them.

    `fields.seats`, as another organization has exported it, becomes seats.
    """
    own = label.removeprefix(OWN)
    if own != label and re.fullmatch(KEY_PATTERN, own) and len(own) <= LONGEST_KEY and own not in taken:
        label = own
    plain = unicodedata.normalize("NFKD", label).encode("ascii", "ignore").decode().lower()
    stem = re.sub(r"[^a-z0-9]+", "_", plain).strip("_0123456789")[:LONGEST_KEY].strip("_") or "column"
    numbers = (f"{stem[: LONGEST_KEY - 4]}_{number}" for number in range(2, 1000))
    key = stem if stem not in taken else next(one for one in numbers if one not in taken)
    taken.add(key)
    return {"key": key, "label": label, "type": type, "options": [], "default": None, "required": False}
