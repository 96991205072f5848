"""What a change means: the events that webhooks ask for, and the records that messages about them hold."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from pipeline.database import Row, dumps, queries
from pipeline.settings import Settings

TEST = "webhook.test"
# The kinds of records in the record of change, and what their events begin with.
SUBJECTS = {
    "leads": "lead",
    "interview-invites": "interview",
    "contracts": "contract",
    "deals": "deal",
    "companies": "company",
    "contacts": "contact",
    "quotes": "quote",
}
# What happens to a record of each kind beside created, updated, deleted.
BESIDES = {"lead": ("qualified", "disqualified", "captured"), "contract": ("status_changed", "rendered", "executed")}
# The scope by which a key reads the records of each kind.
READ_SCOPES = {"lead": "leads:read", "interview": "interviews:read", "contract": "contracts:read"}
INTERVIEW = ("invited", "started", "submitted", "expired")
EVENTS = tuple(
    f"{subject}.{verb}"
    for subject in SUBJECTS.values()
    for verb in (INTERVIEW if subject == "interview" else ("created", "updated", "deleted", *BESIDES.get(subject, ())))
)


def scope_of_event(event: str) -> str:
    """The scope that a key needs to be told of an event."""
    return READ_SCOPES.get(event.partition(".")[0], "records:read")


class Change(NamedTuple):
    """A row of the record of change.

    type, record_id: the record. action: created, updated or deleted. actor_kind: user, key, prospect or system.
    changed: {field: {"old": …, "new": …}} of an update, else None. at: when, as the API writes it.
    earlier: whether it was committed before the webhook became active.
    """

    transaction_id: int
    id: int
    type: str
    record_id: int
    action: str
    at: str
    actor_kind: str
    request_id: str | None
    changed: dict[str, Row] | None
    earlier: bool


def events_of(change: Change, record: Callable[[], Row | None]) -> list[str]:
    """The names of the events of a Change, in their order; `record()` gives the record."""
    subject = SUBJECTS.get(change.type)
    if subject is None:
        return []
    if subject == "interview":
        return [f"interview.{verb}" for verb in _interview(change, record)]
    verbs = [change.action, *_besides(subject, change)]
    # A document that was rendered changes nothing that a client has written.
    if change.changed is not None and set(change.changed) == {"documents"}:
        verbs.remove("updated")
    return [f"{subject}.{verb}" for verb in verbs]


def _interview(change: Change, record: Callable[[], Row | None]) -> list[str]:
    """An invite that is made is sent out. The response of a capture form is submitted as soon as it is there, unless
    its prospect has asked for the link to continue it later.
    """
    if change.action == "created":
        made = record() or {}
        if made.get("origin") != "capture":
            return ["invited"]
        if not made["send_email"]:
            return ["submitted"]
        # Without an answer yet it is started by the first one.
        return ["started"] if made["started_at"] == made["created_at"] else []
    now = ((change.changed or {}).get("status") or {}).get("new")
    return [now] if now in INTERVIEW else []


def _besides(subject: str, change: Change) -> Iterator[str]:
    changed = change.changed or {}
    status = changed.get("status", {}).get("new")
    if subject == "lead":
        if change.action == "created" and change.actor_kind == "prospect":
            yield "captured"
        if status in ("qualified", "disqualified"):
            yield status
    if subject == "contract":
        if status:
            yield "status_changed"
        if "documents" in changed:
            yield "rendered"
        if changed.get("executed_file_id", {}).get("new"):
            yield "executed"


def shown(type: str, id: int, settings: Settings) -> bytes | None:
    """A record as its GET gives it, as JSON; None when it is gone."""
    if type == "interview-invites":
        return queries.interview_invite_get.json(id=id, forms_url=settings.interviews_url)
    return getattr(queries, f"{SUBJECTS[type]}_get").json(id=id)


def message(event: str, at: str, data: bytes) -> str:
    """The JSON text of a message; `data` is JSON."""
    head = dumps({"type": event, "timestamp": at})
    return (head[:-1] + b',"data":' + data + b"}").decode()
