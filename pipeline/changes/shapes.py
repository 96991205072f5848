"""Response schemas of the change feed and the audit."""

from pipeline.changes.schemas import ACTIONS, ACTORS, AUDIT, DEEDS, TYPES
from pipeline.http.shapes import BOOLEAN, ID, OBJECT, TEXT, TIMESTAMP, Shape, listed, mapped, nullable, word

CHANGE = Shape(
    "Change",
    "That a record was made, changed or deleted.",
    cursor={**TEXT, "description": "The place after this change."},
    type=word(*TYPES),
    id={**ID, "description": "The record."},
    action=word(*ACTIONS),
    at=TIMESTAMP,
)
FEED = Shape(
    "ChangeFeed",
    "Changes in the order in which they are to be followed.",
    data=listed(CHANGE),
    next={**TEXT, "description": "What to send as `after` next time."},
    more={**BOOLEAN, "description": "Whether the next part can be asked for at once."},
)
FIELD = Shape("ChangedField", "A field's value before and after.", old={}, new={})
ENTRY = Shape(
    "AuditEntry",
    "Something that was done.",
    entry={**ID, "description": "The number of the entry."},
    at=TIMESTAMP,
    actor_kind=word(*ACTORS),
    actor_id={**nullable(ID), "description": "The user, the API key, or the invite of a prospect."},
    actor_name={**nullable(TEXT), "description": "The name of the user or key at that time."},
    request_id={**nullable(TEXT), "description": "The `X-Request-Id` of the request."},
    type=word(*TYPES, AUDIT),
    id={**nullable(ID), "description": "The record; null for an export."},
    action=word(*ACTIONS, *DEEDS),
    changed=nullable(mapped(FIELD)),
    details=nullable(OBJECT),
)
