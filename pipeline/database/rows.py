"""Results that always exist."""

from typing import TypeVar

T = TypeVar("T")


def sure(found: T | None) -> T:
    """The value; raises LookupError for None."""
    if found is None:
        raise LookupError("A query has given nothing that always gives something.")
    return found
