"""Response schemas of the change feed and the audit."""

from pipeline.changes.schemas import ACTIONS, ACTORS, AUDIT, DEEDS, PARENTS, TYPES
from pipeline.http.shapes import BOOLEAN, ID, OBJECT, TEXT, TIMESTAMP, Shape, listed, mapped, nullable, word

CHANGE = Shape(
    "Change",
    "The creation, update or deletion of a record.",
    optional=("record",),
    cursor={**TEXT, "description": "The cursor after this change."},
    type=word(*TYPES),
    id={**ID, "description": "The id of the record."},
    parent_type={
        **nullable(word(*PARENTS)),
        "description": "The type of the parent of a note, task or signature request, else null.",
    },
    parent_id={**nullable(ID), "description": "The id of the parent."},
    action=word(*ACTIONS),
    at=TIMESTAMP,
    record={
        **nullable(OBJECT),
        "description": "With `include=record`: the present record as its `GET` returns it. Null if it is deleted or"
        " your key or role may not read it.",
    },
)
FEED = Shape(
    "ChangeFeed",
    "Changes in order.",
    data=listed(CHANGE),
    next={**TEXT, "description": "The cursor to send as `after` in the next request."},
    more={**BOOLEAN, "description": "Whether more changes are available now."},
)
FIELD = Shape("ChangedField", "The old and new value of a field.", old={}, new={})
ENTRY = Shape(
    "AuditEntry",
    "An action in the audit log.",
    entry={**ID, "description": "The id of the entry."},
    at=TIMESTAMP,
    actor_kind=word(*ACTORS),
    actor_id={**nullable(ID), "description": "The id of the user, the API key, the prospect's invite or the signer."},
    actor_name={**nullable(TEXT), "description": "The name of the user or API key at that time."},
    request_id={**nullable(TEXT), "description": "The `X-Request-Id` of the request."},
    type=word(*TYPES, AUDIT),
    id={**nullable(ID), "description": "The id of the record; null for an export."},
    action=word(*ACTIONS, *DEEDS),
    changed=nullable(mapped(FIELD)),
    details=nullable(OBJECT),
)
