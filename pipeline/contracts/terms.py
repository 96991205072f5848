"""The term of a contract."""

import datetime
from calendar import monthrange

from pipeline.validation import LATEST, invalid_field


def termination_date(effective_date: datetime.date, months: int) -> datetime.date:
    """The day before a term's anniversary, clamped to the month; raises 422 after the year LATEST."""
    years, month = divmod(effective_date.month - 1 + months, 12)
    year, month = effective_date.year + years, month + 1
    day = min(effective_date.day, monthrange(year, month)[1]) - 1
    if not day:
        year, month = (year, month - 1) if month > 1 else (year - 1, 12)
        day = monthrange(year, month)[1]
    if year > LATEST:
        raise invalid_field("term_months", "out_of_range", f"The term must end by the year {LATEST}.")
    return datetime.date(year, month, day)
