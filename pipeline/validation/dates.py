"""Dates and timestamps."""

import datetime
import re
from typing import Any

from pipeline.validation.types import Schema, Written
from pipeline.validation.violations import refuse

EARLIEST, LATEST = 1900, 9999
DATE = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)
TODAY = "today"
# The same years as a pattern.
_DESCRIBED = "^(19|[2-9][0-9])"
_YEARS = f"Must lie in the years {EARLIEST} to {LATEST}."
# Calendar or week dates; `fromisoformat` checks the combinations.
_TIMESTAMP = re.compile(
    r"\d{4}-?(\d{2}-?\d{2}|[Ww]\d{2}-?\d)[Tt ]\d{2}:?\d{2}(:?\d{2}([.,]\d+)?)?(?P<offset>[Zz]|[+-]\d{2}(:?\d{2})?)?",
    re.ASCII,
)

# In a query string "+" decodes to a space.
_LOST_PLUS = re.compile(r"(?<=\d) (\d{2}(:?\d{2})?)$", re.ASCII)


class Date(Written):
    """A date `YYYY-MM-DD`."""

    def read(self, given: Any) -> datetime.date:
        if not isinstance(given, str) or not DATE.fullmatch(given):
            refuse("wrong_type", wanted="a date YYYY-MM-DD")
        date = as_date(given)
        if date is None:
            refuse("invalid_date")
        if date.year < EARLIEST:
            refuse("out_of_range", _YEARS)
        return date

    def describe(self) -> Schema:
        return {"type": "string", "format": "date", "pattern": _DESCRIBED}


class WrittenDate(Written):
    """A date as text, or with `today` also "today"."""

    def __init__(self, today: bool = False) -> None:
        self.today = today

    def read(self, given: Any) -> str:
        if not isinstance(given, str):
            refuse("wrong_type", wanted="a string")
        if as_date(given) is None and not (self.today and given == TODAY):
            refuse("invalid_date", "Must be a date written YYYY-MM-DD" + (', or "today".' if self.today else "."))
        return given

    def describe(self) -> Schema:
        date = {"type": "string", "format": "date"}
        return {"anyOf": [date, {"type": "string", "const": TODAY}]} if self.today else date


class Timestamp(Written):
    """An ISO 8601 timestamp with offset, read as UTC."""

    def __init__(self, future: bool = False) -> None:
        self.future = future

    def read(self, given: Any) -> datetime.datetime:
        match = _TIMESTAMP.fullmatch(given) if isinstance(given, str) else None
        if not match:
            if isinstance(given, str) and _TIMESTAMP.fullmatch(_LOST_PLUS.sub(r"+\1", given)):
                refuse("offset_missing", "Has a space in place of the + of the offset. In a URL, write %2B.")
            refuse("wrong_type", wanted="an ISO 8601 timestamp such as 2026-01-31T09:30:00Z")
        if not match["offset"]:
            refuse("offset_missing")
        try:
            moment = datetime.datetime.fromisoformat(given.upper().replace(",", ".")).astimezone(datetime.UTC)
        except (ValueError, OverflowError):
            refuse("invalid_date", "Is not a valid date and time.")
        if not EARLIEST <= moment.year <= LATEST:
            refuse("out_of_range", _YEARS)
        if self.future and moment <= datetime.datetime.now(datetime.UTC):
            refuse("in_the_past")
        return moment

    def describe(self) -> Schema:
        return {"type": "string", "format": "date-time", "pattern": _DESCRIBED}


def as_date(value: Any) -> datetime.date | None:
    """Returns the date of `YYYY-MM-DD`, else None."""
    if not isinstance(value, str) or not DATE.fullmatch(value):
        return None
    try:
        return datetime.date.fromisoformat(value)
    except ValueError:
        return None
