"""Answers that are sure to be there."""

from typing import TypeVar

T = TypeVar("T")


def sure(found: T | None) -> T:
    """What a query gives that always gives something, a row for instance that another one refers to; LookupError."""
    if found is None:
        raise LookupError("A query has given nothing that always gives something.")
    return found
