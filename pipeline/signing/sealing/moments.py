"""Times of signatures in words."""

from datetime import datetime, timedelta
from typing import Literal

from babel import Locale
from babel.dates import format_date, format_time

Length = Literal["short", "medium", "long"]


def moment(at: datetime, day: Length, clock: Length, locale: Locale) -> str:
    """A local time with its zone, such as `31 January 2026, 09:30 CET (UTC+1)`; `day` and `clock` are CLDR lengths."""
    comma = "،" if locale.language == "ar" else ","
    date, time = format_date(at, day, locale=locale), format_time(at, clock, locale=locale)
    return f"{date}{comma} {time} {zone(at)}"


def zone(at: datetime) -> str:
    """The zone's abbreviation, if it has one, with the distance from UTC."""
    name, minutes = at.tzname() or "", (at.utcoffset() or timedelta()) // timedelta(minutes=1)
    hours, rest = divmod(abs(minutes), 60)
    distance = f"UTC{'-' if minutes < 0 else '+'}{hours}" + (f":{rest:02}" if rest else "") if minutes else "UTC"
    return f"{name} ({distance})" if name.isalpha() and name != distance else distance
