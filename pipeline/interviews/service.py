"""Interview templates and invites for members."""

import datetime
import secrets
from collections.abc import Callable

from pipeline import mail
from pipeline.changes.traces import erase_traces, forget_changes
from pipeline.database import Row, cells, dumps, not_none, queries
from pipeline.database.effects import emit
from pipeline.http.security import Identity
from pipeline.interviews.answers.answers import final
from pipeline.interviews.answers.progress import visible_consents
from pipeline.interviews.template_structure import PLAIN, STATE
from pipeline.interviews.templates.conditions import visible
from pipeline.interviews.templates.hints import rep_flags
from pipeline.validation import Values, Violation, invalid_field
from pipeline.validation.codes import sentence
from pipeline.validation.errors import Problem

TIMESTAMP = "%Y-%m-%dT%H:%M:%S.%fZ"


def create_template(caller: Identity, body: Values) -> int:
    """Returns the new id; 409 for a taken slug."""
    _check_slug(body)
    id = queries.interview_template_insert(name=body["name"], **_state(body))
    _add_version(id, caller, body)
    return id


def update_template(caller: Identity, id: int, body: Values) -> None:
    """Replaces a template; changed content becomes a new version."""
    _check_slug(body)
    if queries.interview_template_update(id=id, name=body["name"], **_state(body)) is not None:
        _add_version(id, caller, body)


def _check_slug(body: Values) -> None:
    if cells.is_name_taken("slug", body["public_slug"]):
        raise Problem("slug_taken", violations=[Violation("public_slug", "slug_taken", sentence("slug_taken"))])


def _state(body: Values) -> Values:
    return {key: body[key] for key in STATE}


def _add_version(id: int, caller: Identity, body: Values) -> None:
    plain = {key: body[key] for key in PLAIN}
    content = {key: dumps(value).decode() for key, value in body.items() if key not in STATE + PLAIN}
    queries.interview_template_add_version(template_id=id, created_by=caller.user_id, **plain, **content)


def preview_template(link: Callable[[int], tuple[str, int]], id: int) -> dict[str, str] | None:
    """Returns {url, expires_at} of a preview page, or None.

    `link(template_id)` returns (URL, expiry in Unix seconds).
    """
    if queries.interview_template_get(id=id) is None:
        return None
    url, ends = link(id)
    return {"url": url, "expires_at": datetime.datetime.fromtimestamp(ends, datetime.UTC).strftime(TIMESTAMP)}


def create_invite(caller: Identity, forms_url: str, mail_quota: int, body: Values) -> bytes:
    """Returns the new invite as JSON; 429 above `mail_quota` emails per day."""
    body = {**body, "reminders": sorted(body["reminders"])}
    id = queries.interview_invite_insert(**body, token=secrets.token_hex(32), created_by=caller.user_id)
    if id is None:
        raise invalid_field("template_id", "unknown_reference", "There is no such record.")
    if body["send_email"]:
        mail.count_email(mail_quota)
        emit("invite_email", id, {"invite_id": id})
    return not_none(queries.interview_invite_get.json(forms_url=forms_url, id=id))


def resend_invite(forms_url: str, mail_quota: int, id: int) -> bytes | None:
    """Queues the failed email of an invite again; JSON or None. 409 if it has not failed, 429 above the quota."""
    found = queries.interview_invite_requeue(id=id)
    if found is None:
        return None
    if not found["requeued"]:
        raise Problem("email_not_failed")
    mail.count_email(mail_quota)
    emit("invite_email", f"{id}:again:{secrets.token_hex(8)}", {"invite_id": id})
    return queries.interview_invite_get.json(forms_url=forms_url, id=id)


def renew_invite(forms_url: str, mail_quota: int, id: int, expires_at: str | None) -> bytes | None:
    """Prolongs an invite with its answers and emails its link; JSON or None. 409 after submit, 429 above the quota."""
    found = queries.interview_invite_renew(id=id, expires_at=expires_at)
    if found is None:
        return None
    if not found["renewed"]:
        raise Problem("invite_submitted", "A submitted invite cannot be renewed.")
    mail.count_email(mail_quota)
    emit("invite_email", f"{id}:renewed:{secrets.token_hex(8)}", {"invite_id": id})
    return queries.interview_invite_get.json(forms_url=forms_url, id=id)


def expire_invite(forms_url: str, id: int) -> bytes | None:
    """Returns the expired invite as JSON, or None; 409 after submit."""
    before = queries.interview_invite_expire(id=id)
    if before == "submitted":
        raise Problem("invite_submitted", "A submitted invite cannot expire.")
    return before and queries.interview_invite_get.json(forms_url=forms_url, id=id)


def file_of(id: int, file_id: int) -> int | None:
    """Returns `file_id` if visible, else None."""
    found = read_responses(id)
    answers = found[0]["answers"].values() if found else ()
    listed = (item for answer in answers if isinstance(answer, list) for item in answer)
    return next((item["id"] for item in listed if isinstance(item, dict) and item["id"] == file_id), None)


def read_responses(id: int) -> tuple[Row, Row] | None:
    """Returns (responses, template version), or None."""
    row = queries.interview_responses_get(id=id)
    if row is None:
        return None
    version = not_none(queries.interview_version_get(id=row.pop("template_version_id")))
    seen = visible(version, final(row["answers"]), row["hidden_fields"])
    row["answers"] = seen.answers
    row["consents"] = visible_consents(version["questions"], row["answers"], row["consents"])
    if row["rep_flags"] is None:
        row["rep_flags"] = rep_flags(version["hints"], seen.counting)
    return row, version


def delete_invite(id: int) -> int:
    """Deletes an invite with answers and emails; returns the deleted rows."""
    queries.person_following_lock()
    # Locks in the order of an erasure; later emails are found below.
    erase_traces({"invites": [id], "emails": _emails(id)})
    queries.person_lock(leads=[], contacts=[], invites=[id])
    emails = _emails(id)
    queries.person_emails_delete(emails=emails)
    deleted = queries.person_invites_delete(invites=[id])
    erase_traces({"invites": [id], "emails": emails})
    forget_changes(invites=[id])
    return deleted


def _emails(id: int) -> list[int]:
    return [row["id"] for row in queries.invite_emails(id=id)]
