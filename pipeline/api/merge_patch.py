"""PUT replaces the writable fields, PATCH merges (RFC 7396). Read-only fields are ignored."""

from collections.abc import Callable
from typing import Any

from pipeline.validation import Body, Group, Schema, Values
from pipeline.validation.nested import described, description_of

MERGE_PATCH = "application/merge-patch+json"


def merge_document(method: str, body: Body, document: Any, read: Callable[[], Values]) -> tuple[Any, bool]:
    """(PUT body, whether a PATCH changes nothing); `read()` returns the record."""
    fields, patching = body.fields, method == "PATCH"
    if not isinstance(document, dict) or (not patching and document.keys() <= fields.keys()):
        return document, False
    shown = read()
    sent = {name: value for name, value in document.items() if name in fields or name not in shown}
    if not patching:
        return sent, False
    kept = {name: shown[name] for name in fields if name in shown}
    # Validation turns null into the default.
    whole = kept | {name: value if value is None else merged(kept.get(name), value) for name, value in sent.items()}
    return whole, whole == kept


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
        optional = {"anyOf": [inner, {"type": "null"}], **description_of(node)}
        properties[node.name] = described(node) if node.required else optional
    return {"type": "object", "additionalProperties": False, "properties": properties}
