"""Response schemas of the change feed and the audit."""

from pipeline.api.shapes import (
    BOOLEAN,
    ID,
    OBJECT,
    REFERENCE,
    TEXT,
    TIMESTAMP,
    Member,
    OneOf,
    Shape,
    Word,
    listed,
    mapped,
    nullable,
    word,
)
from pipeline.changes.schemas import ACTIONS, ACTORS, AUDIT, DEEDS, PARENTS, TYPES

NULL = {"type": "null"}
ACTION = Word("ChangeAction", "The kind of a change.", *ACTIONS)
PARENT = Word("ChangeParent", "The type of the record that a note or task belongs to.", *PARENTS)
# {type: the component of its record}
RECORDS = {
    type: "Company" if type == "companies" else type.title().replace("-", "").removesuffix("s") for type in TYPES
}
OF_PARENTS: dict[str, Member] = {"notes": PARENT, "tasks": PARENT, "signature-requests": {"const": "contracts"}}


def _change(type: str) -> Shape:
    component, parent = RECORDS[type], OF_PARENTS.get(type)
    noun = type.replace("-", " ")
    return Shape(
        f"ChangeOf{component}",
        f"The creation, update or deletion of one of the {noun}.",
        optional=("record",),
        type={"type": "string", "const": type, "description": "The type of the record."},
        cursor={**TEXT, "description": "The cursor after this change."},
        id={**ID, "description": "The id of the record."},
        parent_type=parent or NULL,
        parent_id=ID if parent else NULL,
        action=ACTION,
        at=TIMESTAMP,
        changed={**nullable(listed(TEXT)), "description": "The names of the changed fields; null for other actions."},
        record={
            **nullable({"$ref": REFERENCE + component}),
            "description": "With `include=record`: the present record as its `GET` returns it. Null if it is deleted"
            " or your key or role may not read it.",
        },
    )


CHANGE = OneOf(
    "Change", "The creation, update or deletion of a record.", "type", {type: _change(type) for type in TYPES}
)
FEED = Shape(
    "ChangeFeed",
    "Changes in order.",
    data=listed(CHANGE),
    next={**TEXT, "description": "The cursor to send as `after` in the next request."},
    more={**BOOLEAN, "description": "Whether more changes are available now."},
)
FIELD = Shape(
    "ChangedField",
    "The old and new value of a field.",
    old={"description": "The old value."},
    new={"description": "The new value."},
)
ENTRY = Shape(
    "AuditEntry",
    "An action in the audit log.",
    entry={**ID, "description": "The id of the entry."},
    at=TIMESTAMP,
    actor_kind={
        **word(*ACTORS),
        "description": "The kind of actor: a user, an API key, a prospect, a signer or the service itself.",
    },
    actor_id={**nullable(ID), "description": "The id of the user, the API key, the prospect's invite or the signer."},
    actor_name={**nullable(TEXT), "description": "The name of the user or API key at that time."},
    request_id={**nullable(TEXT), "description": "The `X-Request-Id` of the request."},
    type=word(*TYPES, AUDIT),
    id={**nullable(ID), "description": "The id of the record; null for an export."},
    action=word(*ACTIONS, *DEEDS),
    changed=nullable(mapped(FIELD)),
    details={**nullable(OBJECT), "description": "For a login, its origin; for an export, its filter; else null."},
)
