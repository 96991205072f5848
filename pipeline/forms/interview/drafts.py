"""Answers between two steps of invites."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Literal

from pyramid.response import Response

from pipeline.api.uploads import Upload
from pipeline.database import loads, savepoint
from pipeline.forms.interview.steps import REVIEW
from pipeline.forms.page.form import Form, open_interview
from pipeline.forms.page.visit import Visit, stored_under
from pipeline.forms.questions.fitting import Misfit
from pipeline.forms.questions.reading import Fields, answer_keys
from pipeline.http.fairness import slots
from pipeline.interviews.answers.answers import check_shape
from pipeline.interviews.public import public_service, uploads
from pipeline.interviews.templates.conditions import Answers
from pipeline.validation import Invalid, Values, Violations


class StoredAnswers:
    """The base of stored drafts; each step has its address."""

    visit: Visit
    answers: Answers
    # Whether the address named answers that are stored no longer; answers that a changed template cannot hold.
    is_lost = False
    misfits: Sequence[Misfit] = ()
    # Consents that were given to another text.
    outdated: Sequence[str] = ()

    def show(self, step: str, fragment: str | None = None, more: bool = False, back_to: str = "") -> Response:
        """Redirects to a step; `fragment` is an element's id."""
        given = {"more": "1" if more else "", "return": back_to, "lost": "1" if self.is_lost else ""}
        given["_outdated"] = ",".join(key for key in self.outdated if key not in self.answers)
        marks = {name: value for name, value in given.items() if value}
        return self.visit.redirect(fragment, step=step, **marks)


class InterviewDraft(StoredAnswers):
    """The answers of an invite."""

    kind: Literal["interview"] = "interview"
    is_preview = False
    hidden: dict[str, str] = {}

    def __init__(self, visit: Visit) -> None:
        self.visit, self.token = visit, visit.token
        self.form = open_interview(visit.request, self.token, visit.asked)
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
        saved, refused = public_service.save_valid(self.token, patch, self.visit.asked)
        self.answers = loads(saved)["answers"]
        return refused

    def add_file(self, key: str, upload: Upload) -> None:
        """Stores a file; raises Invalid or Problem for a refused one."""
        hold = functools.partial(slots.hold, self.visit.request, slots.UPLOAD)
        self.answers = loads(uploads.add_file(self.token, key, upload, hold))["answers"]

    def remove_file(self, id: int) -> None:
        """Deletes a file, if it exists."""
        uploads.remove_file(self.token, id)

    def submit(self) -> Response:
        """Submits; shows the review again if a concurrent change made answers invalid."""
        try:
            with savepoint():
                public_service.submit(self.token, self.visit.asked, {}, wants_copy(self.form, self.visit.fields))
        except Invalid:
            return self.show(REVIEW)
        return self.visit.redirect()


def wants_copy(form: Form, fields: Fields) -> bool:
    """Whether the prospect wants the offered copy."""
    return form.template["thank_you"].get("send_copy") is True and fields.get("_copy") == "yes"


def well_formed(questions: list[Values], answers: Answers) -> Answers:
    """The answers that have the shape of their questions."""
    kept = {}
    for question in questions:
        own = {key: answers[key] for key in answer_keys(question) if key in answers}
        # One by one: `check_shape` stops at 200 violations.
        kept.update(own if own and not check_shape([question], own) else {})
    return kept
