"""Answers between two steps of invites and public forms."""

from __future__ import annotations

import functools
import hashlib
import re
import secrets
from collections.abc import Callable
from typing import Literal, Self

from pyramid.response import Response

from pipeline.database import Database, Row, dumps, loads, queries
from pipeline.errors import Problem
from pipeline.forms import pages, service
from pipeline.forms.prefill import FILLED, prefilled
from pipeline.forms.reading import answer_keys
from pipeline.forms.steps import REVIEW
from pipeline.forms.visit import Visit, is_own, stored_under
from pipeline.http import limits, slots
from pipeline.http.intake import read_query
from pipeline.http.uploads import Upload
from pipeline.http.way import transaction
from pipeline.interviews import capture_service, public_service, schemas, uploads
from pipeline.interviews.answers import answer_key, check_replacing, check_shape, clean
from pipeline.interviews.consents import consent_text
from pipeline.interviews.defaults import defaults, emptied
from pipeline.interviews.values import Answers
from pipeline.validation import Invalid, Values, Violations

HONEYPOT = "_website_confirm"
TOKEN = re.compile("[A-Za-z0-9_-]{32}")
# Bytes of a draft's answers.
LARGEST_DRAFT = 256 * 1024


class Shown:
    """What stored drafts share; each step has its address."""

    visit: Visit

    @property
    def has_address(self) -> bool:
        """Whether a redirect keeps the answers."""
        return True

    def show(
        self, step: str, fragment: str | None = None, more: bool = False, back_to: str = "", **marks: str
    ) -> Response:
        """Redirects to a step; `fragment` is an element's id."""
        marks |= {**({"more": "1"} if more else {}), **({"return": back_to} if back_to else {})}
        return self.visit.redirect(fragment, step=step, **marks)

    def speaking(self, language: str) -> Self:
        """Sets the language of the next page."""
        self.visit.asked = self.visit.asked._replace(lang=language)
        return self


class InterviewDraft(Shown):
    """The answers of an invite."""

    kind: Literal["interview"] = "interview"
    is_preview = False
    hidden: dict[str, str] = {}

    def __init__(self, visit: Visit) -> None:
        self.visit, self.token = visit, visit.token
        self.form = service.open_interview(visit.request, self.token, visit.asked)
        visit.adopt(self.form)
        questions = self.form.template["questions"]
        # A prefill may not fit its question.
        self.answers, self.prefill = self.form.answers, well_formed(questions, self.form.prefill)
        self.api = f"/forms/interview/{self.token}/answers{visit.url().rstrip('?')}"
        self.store = stored_under(self.token)

    def save(self, patch: Answers) -> Violations:
        """Stores the answers of a step; returns the violations of those that replace no valid one."""
        if not patch:
            return Violations()
        with transaction(self.visit.request):
            saved, refused = public_service.save_valid(self.token, patch, self.visit.asked)
        self.answers = loads(saved)["answers"]
        return refused

    def add_file(self, key: str, upload: Upload) -> None:
        """Stores a file; raises Invalid or Problem for a refused one."""
        hold = functools.partial(slots.hold, self.visit.request, slots.UPLOAD)
        with transaction(self.visit.request):
            saved = uploads.add_file(self.token, key, upload, hold)
        self.answers = loads(saved)["answers"]

    def remove_file(self, id: int) -> None:
        """Deletes a file, if it exists."""
        with transaction(self.visit.request):
            uploads.remove_file(self.token, id)

    def submit(self) -> Response:
        """Submits; shows the review again if a concurrent change made answers invalid."""
        try:
            with transaction(self.visit.request):
                public_service.submit(self.token, self.visit.asked, {}, wants_copy(self))
        except Invalid:
            return self.show(REVIEW)
        return self.visit.redirect()


class CaptureDraft(Shown):
    """A public form's answers, stored under the token in the address from the first POST on."""

    kind: Literal["capture"] = "capture"
    is_preview = False

    def __init__(self, visit: Visit) -> None:
        self.visit, logos_url = visit, visit.request.registry.pipeline.logos_url
        open_form = self._opening()
        with transaction(visit.request, self._pool()):
            body = capture_service.get_form(open_form(), logos_url, visit.asked)
            self.form = service.form_of(visit.request, body, framed=not self.is_preview)
            kept = self._kept()
        visit.adopt(self.form, FILLED)
        questions = self.form.template["questions"]
        self.prefill = defaults(questions, self.form.today) | prefilled(self.form, visit.asked.carried)
        # Consents hold for the shown text; a change or another language asks again.
        self.consents = [question for question in questions if question["type"] == "consent"]
        texts = dumps([consent_text(question) for question in self.consents])
        self.agreed, self.is_stored = hashlib.sha256(texts).hexdigest()[:16], kept is not None
        self.answers, self.lapsed = {}, set[str]()
        if kept:
            self.answers = self._still_agreed(self._sound(kept["answers"]), kept["agreed"])
            self.lapsed = {*kept["answers"]} - {*self.answers}
            self.form = self.form._replace(status="submitted" if kept["submitted"] else "open")

    def _opening(self) -> Callable[[], int]:
        request = self.visit.request
        self.slug, self.rep = request.matchdict["slug"], read_query(request, schemas.Capture())["r"]
        self.api = f"/api/public/interview/capture/{self.slug}" + (f"?r={self.rep}" if self.rep else "")
        self.store = f"capture-{self.slug}"
        return functools.partial(capture_service.open_form, self.slug)

    def _pool(self) -> Database | None:
        """The pool for reading the form; None: by the path."""
        return None

    def _kept(self) -> Row | None:
        """The stored draft. An unknown one, or another site's link, begins a new one."""
        request = self.visit.request
        given = request.GET.get("_draft", "")
        if TOKEN.fullmatch(given) and is_own(request):
            self.visit.draft, self.token = given, hashlib.sha256(given.encode()).hexdigest()
            queries.capture_draft_open(token=self.token)
            kept = queries.capture_draft_find(token=self.token)
            if kept or request.method == "POST":
                return kept
        self.visit.draft = secrets.token_urlsafe(24)
        self.token = hashlib.sha256(self.visit.draft.encode()).hexdigest()
        return None

    @property
    def hidden(self) -> dict[str, str]:
        """Hidden fields by name."""
        return {"_agreed": self.agreed}

    def _sound(self, carried: Values) -> Answers:
        return well_formed(self.form.template["questions"], carried)

    def _still_agreed(self, answers: Answers, agreed: str) -> Answers:
        consents = () if agreed == self.agreed else {question["key"] for question in self.consents}
        return {key: answer for key, answer in answers.items() if key not in consents}

    def save(self, patch: Answers) -> Violations:
        """Stores the answers of a step; returns the violations of those that replace no valid one."""
        given, empty = clean(self._still_agreed(patch, self.visit.fields.get("_agreed")))
        form = self.form
        refused = check_replacing(form.template, given, lambda: self.answers, form.hidden_fields, form.today)
        for key in {answer_key(violation) for violation in refused}:
            del given[key]
        given |= emptied(self.form.template["questions"], empty)
        cleared = {*empty, *self.lapsed} - {*given}
        self.answers = {key: answer for key, answer in {**self.answers, **given}.items() if key not in cleared}
        self._store(given, sorted(cleared))
        return refused

    def _store(self, given: Answers, cleared: list[str]) -> None:
        if len(dumps(self.answers)) > LARGEST_DRAFT:
            raise Problem("body_too_large", f"The answers may have at most {LARGEST_DRAFT // 1024} KiB together.")
        with transaction(self.visit.request):
            template_id = capture_service.open_form(self.slug)
            queries.capture_draft_open(token=self.token)
            if not self.is_stored:
                limits.spend_draft(self.visit.request, template_id, self.form.organization_id)
                queries.capture_draft_forget(token=self.token)
            queries.capture_draft_save(
                token=self.token,
                template_id=template_id,
                given=dumps(given).decode(),
                cleared=cleared,
                agreed=self.agreed,
            )

    def thank_robot(self) -> Response:
        """Deletes the draft; the page is that of a submit."""
        with transaction(self.visit.request):
            capture_service.open_form(self.slug)
            queries.capture_draft_open(token=self.token)
            queries.capture_draft_delete(token=self.token)
        return pages.done(self, "done")

    def email_link(self, email: str) -> None:
        """Stores the answers and emails a link."""
        asked = hashlib.sha256(dumps([self.answers, email])).hexdigest()[:32]
        self._make(f"{self.token}:{asked}", capture_service.continue_later, email=email)

    def submit(self) -> Response:
        """Creates the lead; the draft shows the thank-you from now on."""
        self.save({})
        self._make(self.token, capture_service.submit, send_copy=wants_copy(self), website_confirm=None)
        with transaction(self.visit.request):
            capture_service.open_form(self.slug)
            queries.capture_draft_open(token=self.token)
            queries.capture_draft_submitted(token=self.token)
        return self.visit.redirect()

    def _make(self, key: str, store: Callable[..., object], **given: object) -> None:
        given |= {"slug": self.slug, "link": self.visit.asked, "rep": self.rep}
        service.capture_once(self.visit.request, key, store, given | {"answers": self.answers})


Draft = InterviewDraft | CaptureDraft


def wants_copy(draft: Draft) -> bool:
    """Whether the prospect wants the offered copy."""
    return draft.form.template["thank_you"].get("send_copy") is True and draft.visit.fields.get("_copy") == "yes"


def well_formed(questions: list[Values], answers: Answers) -> Answers:
    """The answers that have the shape of their questions."""
    kept = {}
    for question in questions:
        own = {key: answers[key] for key in answer_keys(question) if key in answers}
        # One by one: `check_shape` stops at 200 violations.
        kept.update(own if own and not check_shape([question], own) else {})
    return kept
