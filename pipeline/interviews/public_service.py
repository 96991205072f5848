"""The prospect's side of an interview: the token in the URL is the only credential.

Everything here runs under the forms login, in a context in which only the token's invite exists.
"""

import datetime
import functools
import re
from collections.abc import Callable
from typing import Any, TypeVar

from pipeline.database import Row, dumps, queries, sure
from pipeline.database.effects import emit, emit_once
from pipeline.errors import Problem
from pipeline.interviews.answers import check_complete, check_shape, clean, final
from pipeline.interviews.captured_lead import lead_of
from pipeline.interviews.conditions import visible
from pipeline.interviews.consents import given_consents
from pipeline.interviews.hints import lead_field_keys, rep_flags
from pipeline.interviews.links import Link
from pipeline.interviews.progress import step_after, tally
from pipeline.interviews.translations import chosen, languages_of, translated
from pipeline.interviews.values import Answers
from pipeline.validation import Invalid, Values, invalid_field

# What a form shows of its version; of the branding, the organization's fills what that leaves open.
SHOWN = ("name", "pages", "questions", "branding", "thank_you", "language", "languages")
# What is read with a form only to make something else of it.
BEHIND = ("template_version_id", "language", "branding", "lead")
T = TypeVar("T")
_TOKEN = re.compile("[0-9a-f]{64}", re.ASCII)


class Superseded(Problem):
    """A capture form's version was replaced after this transaction had read which one it is: try again."""

    def __init__(self) -> None:
        super().__init__("unavailable")


def open_invite(token: str) -> int:
    """The id of the token's invite, whose context the transaction now has; 404 for every other text."""
    return _opened(queries.public_invite_open, token)["invite_id"]


def _opened(opening: Callable[..., Row | None], token: str) -> Row:
    invite = opening(token=token) if _TOKEN.fullmatch(token) else None
    if invite is None:
        raise Problem("not_found")
    return invite


def get_interview(token: str, logos_url: str, readable_days: int, link: Link) -> Row:
    """The form with its answers so far, in the language of a Link; 410 when the invite has expired.

    So many days after the submit nothing of the prospect is shown any more: a link lies in a mailbox for years.
    """
    interview = queries.public_interview_get(
        invite_id=open_invite(token), logos_url=logos_url, readable_days=readable_days
    )
    if interview is None:
        raise Problem("invite_expired")
    # What every prospect of the version is shown is at hand; the database tells what is this invite's alone.
    version_id, language, branding, lead = (interview.pop(name) for name in BEHIND)
    version = version_of(version_id, *link.wanted(language))
    brought = link.hidden(version["hidden_fields"]) if interview["submitted_at"] is None else {}
    return {
        **interview,
        "template": public_template(version, branding),
        "hidden_fields": interview["hidden_fields"] | brought,
        "prefill": prefilled(version, lead or {}),
    }


def public_template(version: Row, branding: Values) -> Values:
    """What a form shows of its version, in the branding of its organization."""
    return {name: version[name] for name in SHOWN} | {"branding": {**branding, **version["branding"]}}


def prefilled(version: Row, lead: Row) -> Answers:
    """The answers that a lead's fields are before its prospect has given any."""
    keys = lead_field_keys(version["hints"], version["questions"])
    return {keys[field]: value for field, value in lead.items() if value is not None and field in keys}


def save_answers(token: str, answers: Answers, link: Link) -> bytes:
    """Merge a partial answer set by key; one bad value refuses all of it.

    The Link tells the language in which the questions were shown. Returns JSON: status, answers,
    hidden_fields, revision, saved_at.
    """
    _, _, merged = _merged(queries.public_answers_merge.json, token, answers, link)
    return merged


def submit(token: str, link: Link, answers: Answers, send_copy: bool) -> Row:
    """Merge the last answers, check every visible question, lock the answers, tell the rep.

    With `send_copy` the prospect gets a copy by email, 422 where the form offers none. Returns {status, submitted_at,
    thank_you}. The merge takes the row lock, so of many concurrent submits one
    goes on and the others find the invite submitted.
    """
    invite, version, merged = _merged(queries.public_answers_merge, token, answers, link)
    kept, shown = completed(version, merged["answers"], merged["hidden_fields"], invite["today"])
    lead_id = _capture(version, shown, invite) if invite["makes_lead"] else None
    submitted = sure(queries.public_interview_submit(invite_id=invite["id"], lead_id=lead_id, **kept))
    ids = {"invite_id": invite["id"]}
    if lead_id:
        emit("lead_captured", lead_id, {**ids, "lead_id": lead_id, "template_id": invite["template_id"]})
    else:
        emit("interview_submitted", invite["id"], ids)
    if send_copy:
        emit_copy(version, invite["id"])
    return {**submitted, "thank_you": version["thank_you"]}


def _merged(merge: Callable[..., T | None], token: str, answers: Answers, link: Link) -> tuple[Row, Row, T]:
    """(the token's invite, its version in the language of a Link, what `merge` answers) after these answers."""
    invite = answerable(token)
    version = version_of(invite["template_version_id"], *link.wanted(invite["language"]))
    stored, files = invite["answers"], {item["key"] for item in version["questions"] if item["type"] == "file"}
    # Files that are sent back as they are stored change nothing.
    same = {key for key in files & answers.keys() if answers[key] is not None and answers[key] == stored.get(key)}
    given, cleared = checked(version, {key: answer for key, answer in answers.items() if key not in same})
    changes = merging(version, invite, given, cleared, link.hidden(version["hidden_fields"]))
    merged = merge(invite_id=invite["id"], **changes)
    if merged is None:
        raise refusal(invite["id"])
    if files & set(cleared):  # files go with the answer that named them
        queries.public_files_prune(invite_id=invite["id"])
    return invite, version, merged


def _capture(version: Row, visible: Answers, invite: Row) -> int:
    """The id of the lead that a capture form makes which was continued later; nobody without an address continues."""
    lead = lead_of(version, visible)
    lead["email"] = lead["email"] or invite["recipient_email"]
    queries.public_capture_lead(**lead, assigned_to=invite["assigned_to"])
    return queries.public_capture_lead_id()


def emit_copy(version: Row, invite_id: int) -> None:
    """Have a copy of an invite's answers sent to its prospect, in the language of the version as it was shown; 422
    where the form offers none.
    """
    if not version["thank_you"].get("send_copy"):
        raise invalid_field("send_copy", "not_offered")
    emit("copy_documents", invite_id, {"invite_id": invite_id, "language": version["language"]})


def ask_for_link(token: str) -> None:
    """Tell the rep of an expired invite that its prospect asks for a new link, once a day at most."""
    invite = _opened(queries.public_invite_enter, token)
    if invite["status"] == "expired":
        emit_once("interview_link_asked", f"{invite['id']}:{invite['today']}", {"invite_id": invite["id"]})


def note_opening(token: str) -> None:
    """Keep when the form of an invite was first seen in a browser."""
    queries.public_interview_opened(invite_id=open_invite(token))


def decline_reminders(token: str) -> None:
    """Send no more reminders of an invite, whatever its state."""
    queries.public_reminders_decline(invite_id=open_invite(token))


def completed(
    version: Row, answers: Answers, hidden: dict[str, str], today: datetime.date
) -> tuple[dict[str, str], Answers]:
    """(what a submit keeps, as its statements take it; the visible answers) of shape-checked answers and the values of
    hidden fields; 422 unless they are complete.
    """
    answers = final(answers)
    seen = visible(version, answers, hidden)
    violations = check_complete(seen, today)
    if violations:
        raise Invalid(violations)
    counted, flags = tally(version["questions"], seen.answers), rep_flags(version["hints"], seen.counting)
    kept = {"answers": answers, "rep_flags": flags, "tally": counted}
    return {name: dumps(value).decode() for name, value in kept.items()}, seen.answers


def checked(version: Row, answers: Answers) -> tuple[Answers, list[str]]:
    """(what to set, which keys to clear) of answers as a prospect sent them; 422 for values of a wrong shape."""
    violations = check_shape(version["questions"], answers)
    if violations:
        raise Invalid(violations)
    return clean(answers)


def version_of(id: int, *wanted: str | None) -> Row:
    """A template version in the first wanted language that it has: name, pages, questions, branding, hints, thank_you,
    language, languages, hidden_fields; raises Superseded when the context no longer shows it.
    """
    written = _cached_version(queries.database(), id)
    return _cached_version(queries.database(), id, chosen(languages_of(written), wanted))


def answerable(token: str) -> Row:
    """What public_invite_enter tells of the token's invite; 409 or 410 once it takes no answers."""
    invite = _opened(queries.public_invite_enter, token)
    if invite["status"] not in ("pending", "started"):
        raise _problem(invite["status"])
    return invite


def refusal(invite_id: int) -> Problem:
    """Why the merge found nothing to change: another request was quicker, or the invite was deleted a moment ago."""
    status = queries.public_invite_status(invite_id=invite_id)
    return Problem("not_found") if status is None else _problem(status)


def _problem(status: str) -> Problem:
    return Problem("invite_submitted" if status == "submitted" else "invite_expired")


def merging(version: Row, invite: Row, given: Answers, cleared: list[str], hidden: dict[str, str]) -> dict[str, Any]:
    """What public_answers_merge takes to set and clear answers, and to set hidden fields, beside those of an invite."""
    merged = {key: answer for key, answer in {**invite["answers"], **given}.items() if key not in cleared}
    return {
        "given": dumps(given).decode(),
        "cleared": cleared,
        "consents": dumps(given_consents(version["questions"], given)).decode(),
        "hidden_fields": dumps(hidden).decode(),
        "step": step_after(version, merged, {**invite["hidden_fields"], **hidden}),
    }


@functools.lru_cache(maxsize=256)
def _cached_version(database: tuple[str, str, str], id: int, language: str | None = None) -> Row:
    """A version never changes, and an id is reached only through an invite or a capture form that the context
    shows, so the cache gives nobody more than the database would.
    """
    version = queries.interview_version_get(id=id)
    if version is None:  # raised and not returned: the cache would keep it from the invites of this version
        raise Superseded
    return translated(version, [language]) if language else version
