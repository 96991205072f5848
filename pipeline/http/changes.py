"""How a record is changed: PUT replaces its writable fields, PATCH those that it names (JSON merge patch, RFC 7396).

Either may send back what the record shows and only the service writes; that is ignored. So is what was chosen once and
for good, if it is sent back as it is. A PATCH becomes the body of a PUT, of what the record shows now, and goes its way
from there: checks, rights and answers are those of the PUT.
"""

from collections.abc import Callable
from typing import Any

from pipeline.validation import Body, Values

MERGE_PATCH = "application/merge-patch+json"


def settled(method: str, body: Body, document: Any, read: Callable[[], Values]) -> tuple[Any, bool]:
    """(the body of a PUT, whether a PATCH leaves the record as it is) of what a PUT or PATCH sends.

    `body` tells what can be written; `read()` gives the record as it is shown, and is asked only if needed.
    """
    fields, patching = body.fields, method == "PATCH"
    if not isinstance(document, dict) or (not patching and document.keys() <= fields.keys()):
        return document, False
    shown = read()
    ignored = {name for name in shown if name not in body.once or document.get(name) in (None, shown[name])}
    sent = {name: value for name, value in document.items() if name in fields or name not in ignored}
    if not patching:
        return sent, False
    kept = {name: shown[name] for name in fields if name in shown}
    # A null of a field stays a null: the body gives the field its default then.
    whole = kept | {name: value if value is None else merged(kept.get(name), value) for name, value in sent.items()}
    return whole, whole == kept


def merged(target: Any, patch: Any) -> Any:
    """What a merge patch makes of a JSON value: members are merged, null removes one, all else is replaced."""
    if not isinstance(patch, dict):
        return patch
    members = dict(target) if isinstance(target, dict) else {}
    for name, value in patch.items():
        if value is None:
            members.pop(name, None)
        else:
            members[name] = merged(members.get(name), value)
    return members
