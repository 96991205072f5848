"""The events of webhooks."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from pipeline.database import Row, dumps, queries
from pipeline.process.settings import Settings

TEST = "webhook.test"
# {type of record: prefix of its events}.
SUBJECTS = {
    "leads": "lead",
    "interview-invites": "interview",
    "contracts": "contract",
    "deals": "deal",
    "companies": "company",
    "contacts": "contact",
    "quotes": "quote",
    "signature-requests": "signature",
}
# Events in addition to created, updated, deleted.
BESIDES = {"lead": ("qualified", "disqualified", "captured"), "contract": ("status_changed", "rendered", "executed")}
# The scope that reads each kind of record.
READ_SCOPES = {
    "lead": "leads:read",
    "interview": "interviews:read",
    "contract": "contracts:read",
    "signature": "contracts:read",
}
INTERVIEW = ("invited", "started", "submitted", "expired")
# A signature request's final events, and all.
ENDS = ("declined", "completed", "cancelled", "expired")
SIGNATURE = ("sent", "viewed", "corrected", "signed", *ENDS)
OWN = {"interview": INTERVIEW, "signature": SIGNATURE}
EVENTS = tuple(
    f"{subject}.{verb}"
    for subject in SUBJECTS.values()
    for verb in OWN.get(subject, ("created", "updated", "deleted", *BESIDES.get(subject, ())))
)


def scope_of_event(event: str) -> str:
    """The scope that a key needs for an event."""
    return READ_SCOPES.get(event.partition(".")[0], "records:read")


class RecordedChange(NamedTuple):
    """A row of the record of change.

    changed: {field: {"old": …, "new": …}} or None. changed_names: the API's names of these fields. earlier: before the
    webhook's activation.
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
    changed_names: list[str]
    earlier: bool


def events_of(change: RecordedChange, record: Callable[[], Row | None]) -> list[str]:
    """The events of a Change; `record()` returns the record."""
    subject = SUBJECTS.get(change.type)
    if subject is None:
        return []
    if subject == "interview":
        return [f"interview.{verb}" for verb in _interview(change, record)]
    if subject == "signature":
        return [f"signature.{verb}" for verb in _signature(change)]
    verbs = [change.action, *_special_events(subject, change)]
    # A rendered document changes no field.
    if change.changed is not None and set(change.changed) == {"documents"}:
        verbs.remove("updated")
    return [f"{subject}.{verb}" for verb in verbs]


def _interview(change: RecordedChange, record: Callable[[], Row | None]) -> list[str]:
    """A form's response is submitted at once, unless its link was requested."""
    if change.action == "created":
        made = record() or {}
        if made.get("origin") != "capture":
            return ["invited"]
        if not made["send_email"]:
            return ["submitted"]
        # The first answer starts it later.
        return ["started"] if made["started_at"] == made["created_at"] else []
    now = ((change.changed or {}).get("status") or {}).get("new")
    return [now] if now in INTERVIEW else []


def _signature(change: RecordedChange) -> Iterator[str]:
    """Emails, views and signatures are changes of `signers`, a list of {id, status, email_status}.

    A corrected signer has `email` too.
    """
    changed = change.changed or {}
    signers = changed.get("signers", {"old": [], "new": []})
    before = {signer["id"]: signer for signer in signers["old"]}
    for signer in signers["new"]:
        was = before.get(signer["id"], {})
        if "email" in signer:
            yield "corrected"
        # After a failure the email is another one: a code's, or the signed copy's.
        if signer.get("email_status") == "sent" and was.get("email_status") == "queued":
            yield "sent"
        if signer["status"] != was.get("status") and signer["status"] in ("viewed", "signed"):
            yield signer["status"]
    status = changed.get("status", {}).get("new")
    if status in ENDS:
        yield status


def _special_events(subject: str, change: RecordedChange) -> Iterator[str]:
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


def record_json(type: str, id: int, settings: Settings) -> bytes | None:
    """The record as its GET's JSON, or None."""
    if type == "interview-invites":
        return queries.interview_invite_get.json(id=id, forms_url=settings.interviews_url)
    if type == "signature-requests":
        return queries.signature_request_get.json(id=id, contract_id=None)
    return getattr(queries, f"{SUBJECTS[type]}_get").json(id=id)


def message(event: str, at: str, data: bytes, changed: list[str] | None = None) -> str:
    """A message as JSON text; `data` is JSON. changed: the names of changed fields."""
    head = dumps({"type": event, "timestamp": at} | ({} if changed is None else {"changed": changed}))
    return (head[:-1] + b',"data":' + data + b"}").decode()
