"""Lead capture: a public form, addressed by slug, turns answers into a lead."""

import secrets
from collections.abc import Callable
from datetime import datetime
from typing import Any, TypeVar

from psycopg.errors import InsufficientPrivilege

from pipeline.database import Row, dumps, leave_role, loads, queries, savepoint
from pipeline.database.effects import emit
from pipeline.http.signed_links import PreviewLink
from pipeline.interviews.answers.captured_lead import lead_of
from pipeline.interviews.answers.defaults import emptied
from pipeline.interviews.answers.own_answers import own_values
from pipeline.interviews.answers.progress import given_consents, progress
from pipeline.interviews.public.links import Link
from pipeline.interviews.public.public_service import (
    Superseded,
    checked,
    completed,
    emit_copy,
    public_template,
    version_of,
)
from pipeline.interviews.templates.conditions import Answers
from pipeline.validation import Values
from pipeline.validation.errors import Problem

T = TypeVar("T")
# Attempts per request when the template changes meanwhile.
ATTEMPTS = 5


def open_form(slug: str, admit: Callable[[int], None] | None = None) -> int:
    """Sets the context to a template and returns its id; 404 unless it captures leads.

    `admit(organization_id)` raises beyond the organization's share.
    """
    leave_role()
    form = queries.public_capture_open(slug=slug)
    if form is None:
        raise Problem("not_found")
    if admit is not None:
        admit(form["organization_id"])
    return form["template_id"]


def open_preview(preview: PreviewLink) -> int:
    """Sets a read-only context to a template and returns its id."""
    queries.public_preview_open(organization_id=preview.organization_id, template_id=preview.template_id)
    return preview.template_id


def get_form(template_id: int, logos_url: str, link: Link) -> Values:
    """Returns {template, organization, hidden_fields} of the context's form."""
    for _ in range(ATTEMPTS):
        form = queries.public_capture_get(template_id=template_id, logos_url=logos_url)
        if form is None:
            raise Problem("not_found")
        try:
            version = version_of(form["template_version_id"], *link.preferred_languages())
        except Superseded:
            continue
        return {
            "template": public_template(version, form["branding"]),
            "organization": form["organization"],
            "hidden_fields": link.hidden_values(version["hidden_fields"]),
        }
    raise Superseded


def submit(
    slug: str,
    link: Link,
    rep: int | None,
    spend: Callable[[int, int], None],
    answers: Answers,
    website_confirm: str | None,
    send_copy: bool,
    draft: str | None = None,
    admit: Callable[[int], None] | None = None,
) -> dict[str, Any]:
    """Stores a lead and its response with the files of a draft; returns {lead_created, thank_you}.

    `rep` gets the lead with an active seat. `spend(template_id, organization_id)` raises above the quota. With
    `website_confirm`, a honeypot, nothing is stored. 422 if `send_copy` is not offered. `admit` as in `open_form`.
    """

    def store(form: Row, version: Row) -> dict[str, Any]:
        if not website_confirm:
            given, _ = checked(version, answers)
            given |= _files_of(draft, version)
            hidden = link.hidden_values(version["hidden_fields"])
            kept, shown = completed(version, given, hidden, form["today"])
            spend(form["template_id"], form["organization_id"])
            ids = _store(form, version, rep, shown, {**kept, "hidden_fields": dumps(hidden).decode()})
            if send_copy:
                emit_copy(version, ids["invite_id"])
        return {"lead_created": True, "thank_you": version["thank_you"]}

    return _with_current_form(slug, link, store, admit)


def continue_later(
    slug: str,
    link: Link,
    rep: int | None,
    spend: Callable[[int, int], None],
    answers: Answers,
    email: str,
    draft: str,
    due_at: datetime | None = None,
) -> None:
    """Stores unfinished answers, with the files of their draft, as an invite and emails its link, now or at a time."""

    def store(form: Row, version: Row) -> None:
        given, cleared = checked(version, answers)
        files = _files_of(draft, version)
        given |= emptied(version["questions"], cleared) | files
        spend(form["template_id"], form["organization_id"])
        hidden = link.hidden_values(version["hidden_fields"])
        queries.public_capture_later(
            template_id=form["template_id"],
            template_version_id=form["template_version_id"],
            assigned_to=rep,
            token=secrets.token_hex(32),
            recipient_email=email,
            language=version["language"],
            answers=dumps(given).decode(),
            consents=dumps(given_consents(version["questions"], given)).decode(),
            hidden_fields=dumps(hidden).decode(),
            **progress(version, given, hidden)._asdict(),
        )
        queries.capture_draft_hand_over(token=draft, keys=sorted(files))
        invite_id = queries.public_capture_id(of="interview_invites")
        emit("invite_email", invite_id, {"invite_id": invite_id}, due_at=due_at)

    _with_current_form(slug, link, store)


def _files_of(draft: str | None, version: Row) -> Answers:
    """Locks a draft, whose files go to the next response, and returns the answers that list them."""
    if draft is None:
        return {}
    queries.capture_draft_open(token=draft)
    answers: Answers = queries.capture_draft_lock(token=draft) or {}
    queries.capture_files_prune(token=draft)
    keys = {question["key"] for question in version["questions"] if question["type"] == "file"}
    return {key: answer for key, answer in answers.items() if key in keys}


def _with_current_form(
    slug: str, link: Link, store: Callable[[Row, Row], T], admit: Callable[[int], None] | None = None
) -> T:
    """Retries `store(form, version)` when the template changes meanwhile."""
    template_id = open_form(slug, admit)
    for _ in range(ATTEMPTS):
        try:
            with savepoint():
                form = queries.public_capture_state(template_id=template_id)
                if form is None:
                    raise Problem("not_found")
                return store(form, version_of(form["template_version_id"], *link.preferred_languages()))
        except (Superseded, InsufficientPrivilege):
            # The policies admit only the template's current version.
            continue
    raise Superseded


def _store(form: Row, version: Row, rep: int | None, shown: Answers, kept: dict[str, Any]) -> Row:
    lead = lead_of(version, shown)
    own = own_values(version, shown, loads(kept["hidden_fields"]))
    queries.public_capture_lead(**lead, fields=dumps(own).decode(), assigned_to=rep)
    queries.public_capture_response(
        template_id=form["template_id"],
        template_version_id=form["template_version_id"],
        token=secrets.token_hex(32),
        recipient_email=lead["email"],
        language=version["language"],
        recipient_name=f"{lead['first_name']} {lead['last_name'] or ''}".strip()[:255],
        consents=dumps(given_consents(version["questions"], shown)).decode(),
        **kept,
    )
    tables = {"lead_id": "leads", "invite_id": "interview_invites"}
    ids = {name: queries.public_capture_id(of=table) for name, table in tables.items()}
    emit("lead_captured", ids["lead_id"], {**ids, "template_id": form["template_id"]})
    return ids
