"""The queries of the change feed and the audit."""

from pathlib import Path
from typing import Any, NamedTuple

import orjson

from pipeline.api.pagination import Paged
from pipeline.validation import Choice, Choices, Query, QueryInteger, Text, Timestamp, optional

HEXADECIMAL = "[0-9a-f]{1,15}"


class CursorPosition(NamedTuple):
    """A cursor's position: transaction, change, and time (epoch seconds)."""

    transaction_id: int
    id: int
    second: int


class Cursor(Text):
    """A cursor of an earlier response, read into a CursorPosition."""

    def __init__(self) -> None:
        hint = "Must be a cursor that this list has given."
        super().__init__(max_length=60, pattern="-".join([HEXADECIMAL] * 3), hint=hint)

    def read(self, given: Any) -> Any:
        text = super().read(given)
        return text and CursorPosition(*(int(part, 16) for part in text.split("-")))


# Kinds of records, as in the API's paths, from the calls of app.record_changes.
TYPES: tuple[str, ...] = tuple(orjson.loads(Path(__file__).with_name("types.json").read_bytes()))
# Types of parents.
PARENTS = ("contracts", "leads")
ACTIONS = ("created", "updated", "deleted")
# Only in the audit, not in the feed.
DEEDS = ("signed_in", "sign_in_failed", "exported")
ACTORS = ("user", "key", "prospect", "signer", "system")
# The values of `include`.
RECORD = "record"
AUDIT = "audit"


class Feed(Query):
    """The query of the change feed; without `after` it starts now."""

    after = optional(Cursor())
    limit = optional(QueryInteger(min=1, max=1000), default=100)
    types = optional(Choices(*TYPES))
    include = optional(Choice(RECORD))


ACTOR = Text(
    pattern="system|(user|key|prospect|signer)(:[1-9][0-9]{0,17})?",
    hint="Must be user, key, prospect, signer or system; user:7, key:3, prospect:12 and signer:5 are one of them.",
)
# A dict, because `from` is a keyword.
FILTERS = {
    "actor": optional(ACTOR),
    "type": optional(Choices(*TYPES, AUDIT)),
    "id": optional(QueryInteger(min=1)),
    "action": optional(Choices(*ACTIONS, *DEEDS)),
    "from": optional(Timestamp()),
    "to": optional(Timestamp()),
}
AuditFilters = type("AuditFilters", (Query,), dict(FILTERS))
AuditList = type("AuditList", (Paged,), dict(FILTERS))
