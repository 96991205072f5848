"""PUT replaces the writable fields, PATCH merges (RFC 7396).

A read-only field must keep its value; fields that the service changes are ignored.
"""

from collections.abc import Callable
from typing import Any

from pipeline.validation import Body, Group, Schema, Values, Violations
from pipeline.validation.nested import described

MERGE_PATCH = "application/merge-patch+json"
# Beside these, all counts and all times but created_at.
MOVING = ("note_entries", "tasks", "failing_since", "email_status", "email_error", "copy_error")


def merge_document(
    method: str, body: Body, document: Any, read: Callable[[], Values], violations: Violations
) -> tuple[Any, bool]:
    """(PUT body, whether a PATCH changes nothing); `read()` returns the record. Refuses changes of read-only fields."""
    fields, patching = body.fields, method == "PATCH"
    if not isinstance(document, dict) or (not patching and document.keys() <= fields.keys()):
        return document, False
    shown = read()
    sent = {name: value for name, value in document.items() if name in fields or name not in shown}
    for name, value in document.items():
        differs = name not in sent and not changes_by_itself(name) and value != shown[name]
        if differs and (patching or value is not None):
            violations.add(name, "read_only")
    if not patching:
        return sent, False
    kept = {name: shown[name] for name in fields if name in shown}
    # Validation turns null into the default.
    whole = kept | {name: value if value is None else merged(kept.get(name), value) for name, value in sent.items()}
    return whole, whole == kept


def changes_by_itself(name: str) -> bool:
    """Whether a read-only field changes without a write of its record; an older value is no mistake."""
    return name in MOVING or name.endswith("_count") or (name.endswith("_at") and name != "created_at")


def merged(target: Any, patch: Any) -> Any:
    """The value after a merge patch (RFC 7396)."""
    if not isinstance(patch, dict):
        return patch
    members = dict(target) if isinstance(target, dict) else {}
    for name, value in patch.items():
        if value is None:
            members.pop(name, None)
        else:
            members[name] = merged(members.get(name), value)
    return members


def patch_of(body: Body) -> Schema:
    """A merge patch's schema: every field is optional, and null if it has a default."""
    properties = {}
    for node in body.children:
        inner = patch_of(node.typ.body) if isinstance(node.typ, Group) else node.typ.describe()
        properties[node.name] = described(node) if node.required else {"anyOf": [inner, {"type": "null"}]}
    return {"type": "object", "additionalProperties": False, "properties": properties}
