"""A prospect's requests, authenticated by the token in the URL alone."""

import datetime
import functools
import re
from collections.abc import Callable
from typing import Any, TypeVar

from pipeline.database import Row, dumps, leave_role, not_none, queries
from pipeline.database.effects import emit
from pipeline.interviews.answers.answers import (
    answer_key,
    check_complete,
    check_replacing,
    check_shape,
    clean,
    final,
    narrowed,
)
from pipeline.interviews.answers.captured_lead import lead_of
from pipeline.interviews.answers.defaults import defaults, emptied
from pipeline.interviews.answers.own_answers import own_answers, own_values
from pipeline.interviews.answers.progress import given_consents, progress, shown_pages, tally
from pipeline.interviews.public.links import Link
from pipeline.interviews.templates.conditions import Answers, visible
from pipeline.interviews.templates.hints import lead_field_keys, rep_flags
from pipeline.interviews.templates.translations import chosen, languages_of, translated
from pipeline.validation import Invalid, Values, Violations, invalid_field
from pipeline.validation.errors import Problem

SHOWN = ("name", "pages", "questions", "branding", "thank_you", "language", "languages")
# Columns that are not part of the response.
INTERNAL = ("template_version_id", "language", "branding", "lead", "today")
T = TypeVar("T")
_TOKEN = re.compile("[0-9a-f]{64}", re.ASCII)


class Superseded(Problem):
    """The form got another version during this transaction; retry."""

    def __init__(self) -> None:
        super().__init__("unavailable")


def open_invite(token: str) -> int:
    """Sets the context to the token's invite and returns its id; 404 if unknown."""
    return _opened(queries.public_invite_open, token)["invite_id"]


def _opened(opening: Callable[..., Row | None], token: str) -> Row:
    leave_role()
    invite = opening(token=token) if _TOKEN.fullmatch(token) else None
    if invite is None:
        raise Problem("not_found")
    return invite


def get_interview(token: str, logos_url: str, readable_days: int, link: Link) -> Row:
    """Returns the form with its answers; 410 after expiry.

    Answers are hidden `readable_days` after the submit.
    """
    interview = queries.public_interview_get(
        invite_id=open_invite(token), logos_url=logos_url, readable_days=readable_days
    )
    if interview is None:
        raise Problem("invite_expired")
    version_id, language, branding, lead, today = (interview.pop(name) for name in INTERNAL)
    version = version_of(version_id, *link.preferred_languages(language))
    brought = link.hidden_values(version["hidden_fields"]) if interview["submitted_at"] is None else {}
    return {
        **interview,
        "template": public_template(version, branding),
        "hidden_fields": interview["hidden_fields"] | brought,
        "prefill": _shown_defaults(version, interview["answers"], today) | prefilled(version, lead or {}, today),
    }


def public_template(version: Row, branding: Values) -> Values:
    """Returns a version's public fields, with the organization's branding as default."""
    return {name: version[name] for name in SHOWN} | {"branding": {**branding, **version["branding"]}}


def prefilled(version: Row, lead: Row, today: datetime.date) -> Answers:
    """Returns the lead's fields as answers."""
    keys = lead_field_keys(version["hints"], version["questions"])
    return own_answers(version, lead.get("fields", {}), today) | {
        keys[field]: value for field, value in lead.items() if value is not None and field in keys
    }


def _shown_defaults(version: Row, answers: Answers, today: datetime.date) -> Answers:
    return {key: answer for key, answer in defaults(version["questions"], today).items() if key not in answers}


def save_answers(token: str, answers: Answers, link: Link) -> bytes:
    """Returns the merged answers as JSON; one refused value refuses all."""
    merged, refused = save_valid(token, answers, link)
    if refused:
        raise Invalid(refused)
    return merged


def save_valid(token: str, answers: Answers, link: Link) -> tuple[bytes, Violations]:
    """Saves without the answers that would replace a valid one by an invalid one; returns their violations too."""
    invite, version, given, cleared = _checked_answers(token, answers, link)
    hidden = {**invite["hidden_fields"], **link.hidden_values(version["hidden_fields"])}
    refused = check_replacing(version, given, functools.partial(locked, invite), hidden, invite["today"])
    keys = {answer_key(violation) for violation in refused}
    given = {key: answer for key, answer in given.items() if key not in keys}
    return _merge(queries.public_answers_merge.json, invite, version, given, cleared, link), refused


def submit(token: str, link: Link, answers: Answers, send_copy: bool) -> Row:
    """Merges, checks and locks the answers, and notifies the rep.

    Returns {status, submitted_at, thank_you}; 422 if `send_copy` is not offered. One concurrent submit succeeds.
    """
    invite, version, given, cleared = _checked_answers(token, answers, link)
    merged = _merge(queries.public_answers_merge, invite, version, given, cleared, link)
    kept, shown = completed(version, merged["answers"], merged["hidden_fields"], invite["today"])
    lead_id = _capture(version, shown, merged["hidden_fields"], invite) if invite["makes_lead"] else None
    submitted = not_none(queries.public_interview_submit(invite_id=invite["id"], lead_id=lead_id, **kept))
    ids = {"invite_id": invite["id"]}
    if lead_id:
        emit("lead_captured", lead_id, {**ids, "lead_id": lead_id, "template_id": invite["template_id"]})
    else:
        emit("interview_submitted", invite["id"], ids)
    if send_copy:
        emit_copy(version, invite["id"])
    return {**submitted, "thank_you": version["thank_you"]}


def _checked_answers(token: str, answers: Answers, link: Link) -> tuple[Row, Row, Answers, list[str]]:
    """Returns (invite, version, answers to set, keys to clear)."""
    invite = answerable(token)
    version = version_of(invite["template_version_id"], *link.preferred_languages(invite["language"]))
    stored, files = invite["answers"], {item["key"] for item in version["questions"] if item["type"] == "file"}
    # Clients may send stored files back unchanged.
    same = {key for key in files & answers.keys() if answers[key] is not None and answers[key] == stored.get(key)}
    return invite, version, *checked(version, {key: answer for key, answer in answers.items() if key not in same})


def _merge(
    merge: Callable[..., T | None], invite: Row, version: Row, given: Answers, cleared: list[str], link: Link
) -> T:
    changes = merging(version, invite, given, cleared, link.hidden_values(version["hidden_fields"]))
    merged = merge(invite_id=invite["id"], **changes)
    if merged is None:
        raise refusal(invite["id"])
    if any(question["type"] == "file" and question["key"] in cleared for question in version["questions"]):
        queries.public_files_prune(invite_id=invite["id"])
    return merged


def _capture(version: Row, visible: Answers, hidden: Values, invite: Row) -> int:
    lead = lead_of(version, visible, invite["recipient_email"])
    own = dumps(own_values(version, visible, hidden)).decode()
    queries.public_capture_lead(**lead, fields=own, assigned_to=invite["assigned_to"])
    return queries.public_capture_id(of="leads")


def emit_copy(version: Row, invite_id: int) -> None:
    """Requests a copy of the answers by email; 422 if not offered."""
    if not version["thank_you"].get("send_copy"):
        raise invalid_field("send_copy", "not_offered")
    emit("copy_documents", invite_id, {"invite_id": invite_id, "language": version["language"]})


def ask_for_link(token: str) -> None:
    """Notifies the rep of an expired invite, at most once a day."""
    invite = _opened(queries.public_invite_enter, token)
    if invite["status"] == "expired":
        emit("interview_link_asked", f"{invite['id']}:{invite['today']}", {"invite_id": invite["id"]}, once=True)


def note_opening(token: str) -> None:
    queries.public_interview_opened(invite_id=open_invite(token))


def decline_reminders(token: str) -> None:
    """Stops the reminders of any invite."""
    queries.public_reminders_decline(invite_id=open_invite(token))


def completed(
    version: Row, answers: Answers, hidden: dict[str, str], today: datetime.date
) -> tuple[dict[str, Any], Answers]:
    """Returns (columns, visible answers) of checked answers; 422 if incomplete."""
    answers = final(answers)
    seen = visible(version, answers, hidden)
    violations = check_complete(seen, today)
    if violations:
        raise Invalid(violations)
    kept = {"answers": answers, "rep_flags": rep_flags(version["hints"], seen.counting), "tally": tally(seen)}
    columns = {name: dumps(value).decode() for name, value in kept.items()}
    return {**columns, "shown": shown_pages(version, seen)}, seen.answers


def checked(version: Row, answers: Answers) -> tuple[Answers, list[str]]:
    """Returns (answers to set, keys to clear); 422 if invalid."""
    answers = narrowed(version["questions"], answers)
    violations = check_shape(version["questions"], answers)
    if violations:
        raise Invalid(violations)
    return clean(answers)


def version_of(id: int, *wanted: str | None) -> Row:
    """Returns a version in the best wanted language; raises Superseded if the context hides it."""
    written = _cached_version(queries.database(), id)
    return _cached_version(queries.database(), id, chosen(languages_of(written), wanted))


def answerable(token: str) -> Row:
    """Returns the token's invite; 409 after submit, 410 after expiry."""
    invite = _opened(queries.public_invite_enter, token)
    if invite["status"] not in ("pending", "started"):
        raise _problem(invite["status"])
    return invite


def locked(invite: Row) -> dict[str, Any]:
    """Locks an invite and returns its answers."""
    answers: dict[str, Any] | None = queries.public_answers_lock(invite_id=invite["id"])
    if answers is None:
        raise refusal(invite["id"])
    return answers


def refusal(invite_id: int) -> Problem:
    """Returns the Problem after a merge without effect."""
    status = queries.public_invite_status(invite_id=invite_id)
    return Problem("not_found") if status is None else _problem(status)


def _problem(status: str) -> Problem:
    return Problem("invite_submitted" if status == "submitted" else "invite_expired")


def merging(version: Row, invite: Row, given: Answers, cleared: list[str], hidden: dict[str, str]) -> dict[str, Any]:
    """Returns the parameters of public_answers_merge; a cleared default becomes null."""
    empty = emptied(version["questions"], cleared)
    given, cleared = {**given, **empty}, [key for key in cleared if key not in empty]
    merged = {key: answer for key, answer in {**invite["answers"], **given}.items() if key not in cleared}
    return {
        "given": dumps(given).decode(),
        "cleared": cleared,
        "consents": dumps(given_consents(version["questions"], given)).decode(),
        "hidden_fields": dumps(hidden).decode(),
        **progress(version, merged, {**invite["hidden_fields"], **hidden})._asdict(),
    }


@functools.lru_cache(maxsize=256)
def _cached_version(database: tuple[str, str, str], id: int, language: str | None = None) -> Row:
    """Versions never change, and only callers with access have the id."""
    version = queries.interview_version_get(id=id)
    if version is None:  # the cache would keep a returned None
        raise Superseded
    return translated(version, [language]) if language else version
