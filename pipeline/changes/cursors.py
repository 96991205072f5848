"""A place in the change feed, as text: opaque to clients, and no secret.

It is the transaction and the id of a change in hexadecimal, and the second in which it was current; so whether it is
too old can be told even when no change after it is left. Whoever makes one up reads what they may read anyway.
PostgreSQL writes it (app.change_cursor).
"""

from typing import Any, NamedTuple

from pipeline.validation import Text

HEXADECIMAL = "[0-9a-f]{1,15}"


class Place(NamedTuple):
    """What a cursor says: after the change with this id of this transaction, at this second (epoch)."""

    transaction_id: int
    id: int
    second: int


class Cursor(Text):
    """A cursor that an earlier answer has given, read into a Place."""

    def __init__(self) -> None:
        hint = "Must be a cursor that this list has given."
        super().__init__(max_length=60, pattern="-".join([HEXADECIMAL] * 3), hint=hint)

    def read(self, given: Any) -> Any:
        text = super().read(given)
        return text and Place(*(int(part, 16) for part in text.split("-")))
