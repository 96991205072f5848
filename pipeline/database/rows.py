"""Query results that always exist."""

from typing import TypeVar

T = TypeVar("T")


def not_none(found: T | None) -> T:
    """The value; raises LookupError for None."""
    if found is None:
        raise LookupError("A query that always returns a row returned none.")
    return found
