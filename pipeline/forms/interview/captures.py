"""Answers between two steps of public forms."""

from __future__ import annotations

import functools
import hashlib
import re
import secrets
from typing import Any, Literal

from pyramid.response import Response

from pipeline.api import idempotency
from pipeline.api.html_pages import is_own
from pipeline.api.input import read_query
from pipeline.api.uploads import Upload
from pipeline.database import Row, dumps, queries
from pipeline.forms.interview.drafts import InterviewDraft, StoredAnswers, wants_copy
from pipeline.forms.interview.prefill import FILLED, prefilled
from pipeline.forms.page.form import form_of
from pipeline.forms.page.visit import Visit
from pipeline.forms.questions.fitting import Misfit, fitted
from pipeline.http.fairness import limits, slots
from pipeline.http.security import secret_hash
from pipeline.interviews import schemas
from pipeline.interviews.answers.answers import answer_key, check_replacing, clean
from pipeline.interviews.answers.defaults import defaults, emptied
from pipeline.interviews.answers.progress import consent_text, progress
from pipeline.interviews.public import capture_service, uploads
from pipeline.interviews.templates.conditions import Answers
from pipeline.validation import Violations
from pipeline.validation.errors import Problem

HONEYPOT, KEPT, OUTDATED = "_website_confirm", "_kept", "_outdated"
TOKEN = re.compile("[A-Za-z0-9_-]{32}")
# Bytes of a draft's answers.
LARGEST_DRAFT = 256 * 1024


class CaptureDraft(StoredAnswers):
    """A public form's answers, stored under the token in the address from the first POST on."""

    kind: Literal["capture"] = "capture"
    is_preview = False

    def __init__(self, visit: Visit) -> None:
        self.visit, logos_url = visit, visit.request.registry.pipeline.logos_url
        self.template_id = self._open()
        body = capture_service.get_form(self.template_id, logos_url, visit.asked)
        self.form = form_of(visit.request, body, framed=not self.is_preview)
        kept = self._current_draft()
        visit.adopt(self.form, FILLED)
        questions = self.form.template["questions"]
        self.prefill = defaults(questions, self.form.today) | prefilled(self.form, visit.asked.carried)
        self.files = [question["key"] for question in questions if question["type"] == "file"]
        # A consent is for the shown text; another text needs a new one.
        self.consents = [question for question in questions if question["type"] == "consent"]
        texts = dumps([consent_text(question) for question in self.consents])
        self.agreed, self.is_stored = hashlib.sha256(texts).hexdigest()[:16], kept is not None
        self.answers, self.lapsed = {}, set[str]()
        if kept:
            sound, self.misfits = fitted(questions, kept["answers"])
            sound |= {key: kept["answers"][key] for key in self.files if key in kept["answers"]}
            self.answers = self._still_agreed(sound, kept["agreed"])
            # Others stay, so that each page names them until they are given again.
            self.lapsed = {*sound} - {*self.answers}
            told = {key for key in self.lapsed if sound[key] is True}.union(self._told().split(","))
            again = [one for one in self.consents if one["key"] in told and one["key"] not in self.answers]
            self.outdated = [question["key"] for question in again]
            self.misfits += [Misfit(question, "", "consent") for question in again]
            self.form = self.form._replace(status="submitted" if kept["submitted"] else "open")

    def _open(self) -> int:
        """Opens the form; the template's id."""
        request = self.visit.request
        self.slug, self.rep = request.matchdict["slug"], read_query(request, schemas.Capture())["r"]
        self.api = f"/api/public/interview/capture/{self.slug}" + (f"?r={self.rep}" if self.rep else "")
        self.store = f"capture-{self.slug}"
        return capture_service.open_form(self.slug)

    def _current_draft(self) -> Row | None:
        """The stored draft. An unknown one, or another site's link, begins a new one."""
        request = self.visit.request
        given = self.visit.draft or request.GET.get("_draft", "")
        if TOKEN.fullmatch(given) and is_own(request):
            self.visit.draft, self.token = given, secret_hash(given)
            kept = self._stored_draft()
            fields = self.visit.fields
            self.is_lost = kept is None and not self.is_preview and (request.method == "GET" or fields.get(KEPT) == "1")
            if kept or request.method == "POST":
                return kept
        self.visit.draft = secrets.token_urlsafe(24)
        self.token = secret_hash(self.visit.draft)
        return None

    def _stored_draft(self) -> Row | None:
        queries.capture_draft_open(token=self.token)
        return queries.capture_draft_find(token=self.token)

    def _told(self) -> str:
        """The keys of consents that an earlier page told."""
        return self.visit.fields.get(OUTDATED) or self.visit.request.GET.get(OUTDATED, "")

    @property
    def hidden(self) -> dict[str, str]:
        """Hidden fields by name; KEPT tells a lost draft from one that begins."""
        return {"_agreed": self.agreed, KEPT: "1" if self.is_stored else "", OUTDATED: ",".join(self.outdated)}

    def _still_agreed(self, answers: Answers, agreed: str) -> Answers:
        consents = () if agreed == self.agreed else {question["key"] for question in self.consents}
        return {key: answer for key, answer in answers.items() if key not in consents}

    def save(self, patch: Answers) -> Violations:
        """Stores the answers of a step; returns the violations of those that replace no valid one."""
        agreed = self._still_agreed(patch, self.visit.fields.get("_agreed"))
        given, empty = clean(agreed)
        form = self.form
        refused = check_replacing(form.template, given, lambda: self.answers, form.hidden_fields, form.today)
        for key in {answer_key(violation) for violation in refused}:
            del given[key]
        given |= emptied(self.form.template["questions"], empty)
        cleared = {*empty, *self.lapsed} - {*given}
        self._merge(given, sorted(cleared))
        if len(dumps(self.answers)) > LARGEST_DRAFT:
            raise Problem("body_too_large", f"The answers may have at most {LARGEST_DRAFT // 1024} KiB together.")
        self._store(given, sorted(cleared))
        return refused

    def _merge(self, given: Answers, cleared: list[str]) -> None:
        self.answers = {key: answer for key, answer in {**self.answers, **given}.items() if key not in cleared}

    def _store(self, given: Answers, cleared: list[str]) -> None:
        if not self.is_stored:
            limits.spend_draft(self.visit.request, self.template_id, self.form.organization_id)
            queries.capture_draft_open(token=self.token)
            queries.capture_draft_forget(token=self.token)
        self._save(given, cleared)
        self.is_stored = True

    def _save(self, given: Answers, cleared: list[str]) -> None:
        saved = queries.capture_draft_save(
            token=self.token,
            template_id=self.template_id,
            given=dumps(given).decode(),
            cleared=cleared,
            agreed=self.agreed,
            **progress(self.form.template, self.answers, self.form.hidden_fields)._asdict(),
        )
        if not saved:
            raise Problem("invite_submitted")
        if not {*cleared}.isdisjoint(self.files):
            queries.capture_files_prune(token=self.token)

    def add_file(self, key: str, upload: Upload) -> None:
        """Stores a file of the stored draft; raises Invalid or Problem for a refused one."""
        request, organization_id = self.visit.request, self.form.organization_id
        question = next(one for one in self.form.template["questions"] if one["key"] == key)
        slots.hold(request, slots.UPLOAD, organization_id)
        limits.spend_file(request, upload.size, self.template_id, organization_id)
        given: Answers = {key: uploads.stored(question, upload, self._locked)}
        self._save(given, [])
        self._merge(given, [])

    def remove_file(self, id: int) -> None:
        """Deletes a file, if it exists."""
        given, cleared = clean(dict(uploads.without(id, self._locked())))
        self._save(given, cleared)
        queries.capture_files_prune(token=self.token)
        self._merge(given, cleared)

    def _locked(self) -> Answers:
        """The stored answers, locked."""
        answers: Answers | None = queries.capture_draft_lock(token=self.token)
        if answers is None:
            raise Problem("invite_submitted")
        return answers

    def delete(self) -> None:
        """Deletes the draft."""
        queries.capture_draft_delete(token=self.token)

    def email_link(self, email: str) -> None:
        """Moves files and stores the answers for an emailed link; a repeated request does nothing.

        Raises 429 `mail_quota` of the organization and `rate_limited` of the address.
        """
        asked = hashlib.sha256(dumps([self.answers, email])).hexdigest()[:32]
        keyed = idempotency.KeyedRequest(f"capture:{self.template_id}", f"{self.token}:{asked}", asked)
        # Concurrent requests wait for the draft's row.
        if isinstance(idempotency.find_locked(keyed), idempotency.KeyedRequest):
            due_at = limits.spend_link(self.visit.request, email, self.form.organization_id)
            capture_service.continue_later(**self._given(), email=email, due_at=due_at)
            idempotency.keep(keyed, Response(status=201))

    def submit(self) -> Response:
        """Creates the lead; the draft shows the thank-you from now on."""
        self.save({})
        send_copy = wants_copy(self.form, self.visit.fields)
        capture_service.submit(**self._given(), send_copy=send_copy, website_confirm=None)
        queries.capture_draft_submitted(token=self.token)
        return self.visit.redirect()

    def _given(self) -> dict[str, Any]:
        return {
            "slug": self.slug,
            "link": self.visit.asked,
            "rep": self.rep,
            "draft": self.token,
            "spend": functools.partial(limits.spend_capture, self.visit.request),
            "answers": {key: answer for key, answer in self.answers.items() if key not in self.files},
        }


Draft = InterviewDraft | CaptureDraft
