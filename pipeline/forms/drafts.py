"""Where answers are between two steps: an invite's with the server, a capture form's in the page itself.

Both drafts have `form`, `answers`, `save(patch)`, `show(step)`, which answers with a step, `speaking(language)`, the
draft in another language, and `submit()`.
"""

from __future__ import annotations

import functools
import hashlib
import secrets
from collections.abc import Callable
from typing import Any, Literal, Self

from pyramid.response import Response

from pipeline.database import Database, dumps, loads
from pipeline.errors import Problem
from pipeline.forms import pages, service
from pipeline.forms.prefill import FILLED, prefilled
from pipeline.forms.reading import answer_keys
from pipeline.forms.steps import REVIEW
from pipeline.forms.visit import Visit, stored_under
from pipeline.http import slots
from pipeline.http.ingress import parse_json
from pipeline.http.inputs import read_query
from pipeline.http.signed_links import read_preview
from pipeline.http.uploads import Upload
from pipeline.interviews import capture_service, public_service, schemas, uploads
from pipeline.interviews.answers import check_shape, clean
from pipeline.interviews.consents import consent_text
from pipeline.interviews.values import Answers
from pipeline.validation import Invalid, Values

HONEYPOT = "_website_confirm"
# No id or size of a file that a page carries is larger.
MAX_NUMBER = 2**53


class InterviewDraft:
    """The answers of an invite: each step stores them, and the next page is asked for anew."""

    kind: Literal["interview"] = "interview"
    is_preview = False
    hidden: dict[str, str] = {}

    def __init__(self, visit: Visit) -> None:
        self.visit, self.token = visit, visit.token
        self.form = service.open_interview(visit.request, self.token, visit.asked)
        visit.adopt(self.form)
        questions = self.form.template["questions"]
        # A prefilled value is a text of the lead, and its question may take another type.
        self.answers, self.prefill = self.form.answers, well_formed(questions, self.form.prefill)
        self.api = f"/forms/interview/{self.token}/answers{visit.url().rstrip('?')}"
        self.store = stored_under(self.token)

    def save(self, patch: Answers) -> None:
        """Store what a step has given."""
        if patch:
            with service.transaction(self.visit.request):
                saved = public_service.save_answers(self.token, patch, self.visit.asked)
            self.answers = loads(saved)["answers"]

    def add_file(self, key: str, upload: Upload) -> None:
        """Keep a file as an answer to a question; raises what keeps it from being one."""
        hold = functools.partial(slots.hold, self.visit.request, slots.UPLOAD)
        with service.transaction(self.visit.request):
            saved = uploads.add_file(self.token, key, upload, hold)
        self.answers = loads(saved)["answers"]

    def remove_file(self, id: int) -> None:
        """Take a file away, if it is there."""
        with service.transaction(self.visit.request):
            uploads.remove_file(self.token, id)

    def show(self, step: str, fragment: str | None = None, more: bool = False, back_to: str = "") -> Response:
        """Lead to a step, where `fragment` is the place on its page; see pages.step for the marks."""
        marks: dict[str, str | int] = {**({"more": 1} if more else {}), **({"return": back_to} if back_to else {})}
        return self.visit.redirect(fragment, step=step, **marks)

    def speaking(self, language: str) -> Self:
        """The same; the page that it shows next is in the other language."""
        self.visit.asked = self.visit.asked._replace(lang=language)
        return self

    def submit(self) -> Response:
        """Send the answers. The page that follows is that of a submitted invite.

        Somebody may have changed them since the review was shown: then it is shown again.
        """
        try:
            with service.transaction(self.visit.request):
                public_service.submit(self.token, self.visit.asked, {}, wants_copy(self))
        except Invalid:
            return self.show(REVIEW)
        return self.visit.redirect()


class CaptureDraft:
    """The answers of a capture form: carried from page to page in a hidden field, and checked again each time."""

    kind: Literal["capture"] = "capture"
    is_preview = False

    def __init__(self, visit: Visit) -> None:
        self.visit, logos_url = visit, visit.request.registry.pipeline.logos_url
        open_form = self._opening()
        with service.transaction(visit.request, self._pool()):
            body = capture_service.get_form(open_form(), logos_url, visit.asked)
            self.form = service.form_of(visit.request, body, framed=not self.is_preview)
        visit.adopt(self.form, FILLED)
        self.prefill = prefilled(self.form, visit.asked.carried)
        # A consent holds for the text that was shown: when the form has been saved anew, or is shown in another
        # language, it is asked for again.
        questions = self.form.template["questions"]
        consents = [consent_text(question) for question in questions if question["type"] == "consent"]
        self.agreed = hashlib.sha256(dumps(consents)).hexdigest()[:16]
        self.outdated = visit.fields.get("_agreed") != self.agreed
        self.answers = self._carried()
        self.request_key = visit.fields.get("_request_key") or secrets.token_urlsafe(18)
        self.honeypot = visit.fields.get(HONEYPOT)

    def _opening(self) -> Callable[[], int]:
        """What opens the form that the address names; what else it says is kept."""
        request = self.visit.request
        self.slug, self.rep = request.matchdict["slug"], read_query(request, schemas.Capture())["r"]
        self.api = f"/api/public/interview/capture/{self.slug}" + (f"?r={self.rep}" if self.rep else "")
        self.store = f"capture-{self.slug}"
        return functools.partial(capture_service.open_form, self.slug)

    def _pool(self) -> Database | None:
        """The pool in which the form is read, unless the address leads to it."""
        return None

    @property
    def hidden(self) -> dict[str, str]:
        """What the page carries, by field name."""
        return {"_request_key": self.request_key, "_agreed": self.agreed, "_state": dumps(self.answers).decode()}

    def _carried(self) -> Answers:
        """The answers of the page before, as far as the form could have given them."""
        try:
            carried = parse_json(self.visit.fields.get("_state", "{}").encode())
        except (Problem, Invalid):
            carried = {}
        return self._still_agreed(self._sound(carried if isinstance(carried, dict) else {}))

    def _sound(self, carried: Values) -> Answers:
        return well_formed(self.form.template["questions"], carried)

    def _still_agreed(self, answers: Answers) -> Answers:
        questions = self.form.template["questions"] if self.outdated else ()
        consents = {question["key"] for question in questions if question["type"] == "consent"}
        return {key: answer for key, answer in answers.items() if key not in consents}

    def save(self, patch: Answers) -> None:
        """Keep what a step has given."""
        given, cleared = clean(self._still_agreed(patch))
        merged = {**self.answers, **given}
        self.answers = {key: answer for key, answer in merged.items() if key not in cleared}

    def show(self, step: str, fragment: str | None = None, more: bool = False, back_to: str = "") -> Response:
        """The page of a step, at once: there is nothing that another request could find it by."""
        return pages.step_or_review(self, step, more=more, back_to=back_to)

    def speaking(self, language: str) -> CaptureDraft:
        """A draft of the form in the other language, with the answers of this one."""
        self.visit.asked = self.visit.asked._replace(lang=language)
        other = type(self)(self.visit)
        other.save(self.answers)
        return other

    def email_link(self, email: str) -> None:
        """Keep the answers so far, and email the link with which their prospect goes on."""
        asked = hashlib.sha256(dumps([self.answers, email, self.honeypot])).hexdigest()[:32]
        self._make(f"{self.request_key}:{asked}", capture_service.continue_later, email=email)

    def submit(self) -> Response:
        """Make the lead."""
        self._make(self.request_key, capture_service.submit, send_copy=wants_copy(self))
        return pages.done(self, "done")

    def _make(self, key: str, store: Callable[..., object], **given: object) -> None:
        """Have something made of the answers, once for each key."""
        given |= {"slug": self.slug, "link": self.visit.asked, "rep": self.rep}
        given |= {"answers": self.answers, "website_confirm": self.honeypot}
        service.capture_once(self.visit.request, key, store, given)


class PreviewDraft(CaptureDraft):
    """The answers of somebody who tries a template: carried as those of a capture form are, and kept nowhere."""

    is_preview = True

    def _opening(self) -> Callable[[], int]:
        signed = self.visit.request.matchdict["signed"]
        self.api, self.store = "", f"preview-{stored_under(signed)}"
        self.preview = read_preview(self.visit.request.registry.pipeline, signed)
        return functools.partial(capture_service.open_preview, self.preview)

    def _pool(self) -> Database:
        return self.visit.request.registry.forms.of(self.preview.organization_id)

    def _sound(self, carried: Values) -> Answers:
        """The names of files are carried, too; a page that brings others shows them to its sender alone."""
        asked = [question["key"] for question in self.form.template["questions"] if question["type"] == "file"]
        return super()._sound(carried) | {key: carried[key] for key in asked if _are_files(carried.get(key))}

    def add_file(self, key: str, upload: Upload) -> None:
        """Name a file as an answer; nobody looks at what is in it."""
        kept: Any = self.answers.get(key, [])
        id = max((file["id"] for file in kept), default=0) + 1
        self.save({key: [*kept, {"id": id, "filename": upload.filename[:255], "size": upload.size}]})

    def remove_file(self, id: int) -> None:
        """Take the name of a file away; the questions of a form number theirs each for itself."""
        key = self.visit.fields.get("_go").split(":")[1]
        kept: Any = self.answers.get(key, [])
        self.save({key: [file for file in kept if file["id"] != id]})

    def submit(self) -> Response:
        """Show the thanks."""
        return pages.done(self, "done")


def _are_files(answer: object) -> bool:
    """Whether an answer has the shape of files that are named."""
    kinds = {"id": int, "filename": str, "size": int}
    return isinstance(answer, list) and all(
        isinstance(file, dict)
        and {name: type(value) for name, value in file.items()} == kinds
        and max(file["id"], file["size"], -file["size"]) < MAX_NUMBER
        for file in answer
    )


# What a page of either form has to do with.
Draft = InterviewDraft | CaptureDraft
# Those that files can be added to.
FileDraft = InterviewDraft | PreviewDraft


def wants_copy(draft: Draft) -> bool:
    """Whether the prospect has asked for the copy of their answers that the form offers."""
    return draft.form.template["thank_you"].get("send_copy") is True and draft.visit.fields.get("_copy") == "yes"


def well_formed(questions: list[Values], answers: Answers) -> Answers:
    """Those of some answers that have the shape their questions ask for."""
    kept = {}
    for question in questions:
        own = {key: answers[key] for key in answer_keys(question) if key in answers}
        # One by one: a check of all stops at its two-hundredth violation.
        kept.update(own if own and not check_shape([question], own) else {})
    return kept
