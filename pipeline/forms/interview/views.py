"""The hosted forms. GET shows a step; POST saves its answers."""

import functools
from collections.abc import Iterable, Iterator
from typing import NoReturn

from pyramid.response import Response

from pipeline.api.html_pages import HtmlPage, Shown
from pipeline.api.input import read_document, read_values
from pipeline.api.uploads import DIRECTED, EMPTY, Upload
from pipeline.database import FORMS, savepoint
from pipeline.forms.interview import pages
from pipeline.forms.interview.captures import HONEYPOT, CaptureDraft, Draft
from pipeline.forms.interview.drafts import InterviewDraft
from pipeline.forms.interview.pages import NOTHING, LinkRequest, Refusal
from pipeline.forms.interview.prefill import on_page
from pipeline.forms.interview.previews import PreviewDraft
from pipeline.forms.interview.steps import REVIEW, Walk, question_key
from pipeline.forms.page.form import remember_look
from pipeline.forms.page.visit import SUBMITS, Visit
from pipeline.forms.questions.reading import TypedAnswers, answer_keys, read_answers
from pipeline.http.signed_links import read_preview
from pipeline.interviews import schemas
from pipeline.interviews.answers.answers import answer_key
from pipeline.interviews.public import public_service
from pipeline.interviews.templates.conditions import Answers
from pipeline.validation import AbsentIfInvalid, Email, Invalid, Values, Violation, Violations
from pipeline.validation.errors import Problem
from pipeline.validation.types import DIRECTION_CONTROLS

EMAIL = AbsentIfInvalid(Email())
# Errors shown beside a file's question.
NO_ANSWER = ("unsupported_file", "body_too_large", "storage_full", "busy")
# {code: sentence} of errors shown beside the address for a link.
NO_LINK = {"rate_limited": "later.error.address", "mail_quota": "later.error.organization"}

interview = HtmlPage("/forms/interview/{token}", functools.partial(Visit, submits=SUBMITS))
reminders = HtmlPage("/forms/interview/{token}/reminders", Visit)
opening = HtmlPage("/forms/interview/{token}/opened", functools.partial(Visit, by_script=True))
saving = HtmlPage("/forms/interview/{token}/answers", functools.partial(Visit, by_script=True))
capture = HtmlPage("/forms/capture/{slug}", functools.partial(Visit, submits=SUBMITS))
preview = HtmlPage(
    "/forms/preview/{signed}", functools.partial(Visit, reads=read_preview, states={"link_expired": "preview_expired"})
)


@interview.on("GET", transaction=FORMS)
def get_interview(visit: Visit) -> Shown:
    """Shows a step; redirects to the one to resume at if unknown."""
    draft = InterviewDraft(visit)
    if draft.form.status == "submitted":
        return functools.partial(pages.done, draft, "submitted")
    step, walk = visit.request.GET.get("step"), _walk(draft)
    if step != REVIEW and walk.step(step) is None:
        return visit.redirect(step=walk.resume())
    return functools.partial(_shown, draft, step)


@interview.on("POST", transaction=FORMS, form=True)
def post_interview(visit: Visit) -> Shown:
    """Handles a step, or the request for a new link after expiry."""
    if visit.fields.get("_go") == "ask":
        public_service.ask_for_link(visit.token)
        return visit.redirect(asked="1")
    return advance(InterviewDraft(visit))


@reminders.on("GET", transaction=FORMS)
def get_reminders(visit: Visit) -> Shown:
    """The page with the button; a GET changes nothing, because mail scanners open links."""
    public_service.open_invite(visit.token)
    remember_look(visit.request)
    return functools.partial(
        visit.render, "state.html", state="reminders", go="stop", button="reminders.stop", ask=visit.url()
    )


@reminders.on("POST", transaction=FORMS)
def post_reminders(visit: Visit) -> Shown:
    """Ends the reminders, from the page or a mail client (RFC 8058)."""
    public_service.decline_reminders(visit.token)
    remember_look(visit.request)
    return functools.partial(visit.render, "state.html", state="reminders_stopped")


@opening.on("POST", transaction=FORMS)
def post_opening(visit: Visit) -> Response:
    """Records the first opening, reported by script."""
    public_service.note_opening(visit.token)
    return Response(status=204)


@saving.on("PATCH", transaction=FORMS)
def save_answers(visit: Visit) -> Shown:
    """Saves while typing, with the page's limits; a refusal has the page's words."""
    given = read_values(schemas.Answers(), read_document(visit.request, schemas.Answers()))["answers"]
    try:
        saved, refused = public_service.save_valid(visit.token, given, visit.asked)
    except Invalid as error:
        saved, refused = b"", Violations(error.violations)
    if refused:
        return functools.partial(_refused, InterviewDraft(visit), refused, given)
    return Response(saved, content_type="application/json")


def _refused(draft: InterviewDraft, refused: Violations, given: Answers) -> NoReturn:
    raise Invalid(pages.with_sentences(draft, refused, given))


@capture.on("GET", transaction=FORMS)
def get_capture(visit: Visit) -> Shown:
    """Shows a step of the draft, or the first one."""
    return functools.partial(_captured, CaptureDraft(visit))


def _captured(draft: CaptureDraft) -> Response:
    query = draft.visit.request.GET
    if draft.form.status == "submitted":
        return pages.done(draft, "done")
    if draft.is_stored and "_later" in query:
        return draft.visit.render("state.html", state="later", store=draft.store)
    if draft.is_stored:
        return _shown(draft, query.get("step"))
    response = _shown(draft, None)
    # Firefox restores the fields of no page with `no-store`; this page shows no stored answer.
    response.headers["Cache-Control"] = "private, no-cache"
    return response


@capture.on("POST", transaction=FORMS, form=True)
def post_capture(visit: Visit) -> Shown:
    """Handles a step."""
    draft = CaptureDraft(visit)
    if visit.fields.get(HONEYPOT):
        # A robot gets the page of a submit.
        draft.delete()
        return functools.partial(pages.done, draft, "done")
    return _begin_again(draft) if draft.is_lost else advance(draft)


def _begin_again(draft: CaptureDraft) -> Response:
    """Saves the step of a lost draft, and leads to the first one, which tells the loss."""
    pages, step = draft.form.template["pages"], draft.visit.fields.get("_step")
    here = next((page for page in pages if page["key"] == step), None)
    if here:
        _save(draft, here)
    return draft.show(_walk(draft).steps[0].key)


@preview.on("GET", transaction=FORMS)
def get_preview(visit: Visit) -> Shown:
    """Shows a step, or the first one."""
    return functools.partial(_captured, PreviewDraft(visit))


@preview.on("POST", transaction=FORMS, form=True)
def post_preview(visit: Visit) -> Shown:
    """Handles a step."""
    return advance(PreviewDraft(visit))


def _shown(draft: Draft, step: str | None) -> Response:
    """The page of a step, as its address says."""
    query = draft.visit.request.GET
    return pages.step_or_review(draft, step, more="more" in query, back_to=_back_to(query.get("return")))


def _leave_step(draft: Draft, step: str, typed: TypedAnswers, back_to: str = "") -> Shown:
    """Redirects to another step; with refused input the response is its page, which says so."""
    if typed.refused:
        return _page_of(draft, step, Refusal(typed), back_to=back_to)
    return draft.show(step, back_to=back_to)


def _page_of(draft: Draft, step: str, refusal: Refusal, more: bool = False, back_to: str = "") -> Shown:
    return functools.partial(pages.step_or_review, draft, step, refusal, more=more, back_to=back_to)


def advance(draft: Draft) -> Shown:
    """Runs an action: next, back, submit, later, speak:LANGUAGE, step:KEY, clear:KEY, upload:KEY or remove:KEY:ID."""
    if draft.form.status == "submitted":
        raise Problem("invite_submitted")
    fields, template = draft.visit.fields, draft.form.template
    action, _, target = fields.get("_go", "next").partition(":")
    here = next((page for page in template["pages"] if page["key"] == fields.get("_step")), None)
    back_to = _back_to(fields.get("_return"))
    if action == "speak" and target in template["languages"]:
        return _speak(draft, here, target, back_to)
    if here is None:
        return _from_review(draft, action, target)
    if action == "clear":
        questions = [question for question in template["questions"] if question["key"] == target]
        draft.save({key: None for question in questions for key in answer_keys(question)})
        return draft.show(here["key"], f"q-{target}", back_to=back_to)
    if action == "remove":
        key, _, id = target.partition(":")
        _save(draft, here)
        if id.isdecimal() and len(id) < 19:
            draft.remove_file(int(id))
        return draft.show(here["key"], f"q-{key}", back_to=back_to)
    if action == "later" and draft.kind == "capture" and not draft.is_preview:
        return _later(draft, here)
    if action == "back":
        typed = _save(draft, here)
        return _leave_step(draft, _walk(draft).before(here["key"]) or here["key"], typed)
    return _forward(draft, here, back_to, target if action == "upload" else "")


def _speak(draft: Draft, here: Values | None, language: str, back_to: str) -> Shown:
    typed = _save(draft, here) if here else NOTHING.typed
    draft.visit.asked = draft.visit.asked._replace(lang=language)
    # A page in place of a redirect needs the form in its language.
    spoken = type(draft)(draft.visit) if typed.refused else draft
    return _leave_step(spoken, here["key"] if here else REVIEW, typed, back_to)


def _later(draft: CaptureDraft, here: Values) -> Shown:
    typed, walk = _save(draft, here), _walk(draft)
    email = draft.visit.fields.get("_email").strip()
    address = EMAIL.load(email)
    if address is None or typed.violations:
        step = walk.step(here["key"])
        if step is None:  # the step is hidden now
            return draft.show(here["key"])
        later = LinkRequest(email, "" if address else "error.invalid_email")
        return _page_of(draft, step.key, Refusal(typed, typed.violations, later))
    try:
        with savepoint():
            draft.email_link(address)
    except Problem as problem:
        if problem.code not in NO_LINK:
            raise
        later = LinkRequest(email, NO_LINK[problem.code])
        return _page_of(draft, here["key"], Refusal(typed, later=later))
    return draft.visit.redirect(_later="1")


def _forward(draft: Draft, here: Values, back_to: str, upload_only: str) -> Shown:
    """Saves; stays for violations or new questions. upload_only: key of a file sent alone."""
    before = Walk(draft.form, {**on_page(draft.prefill, here), **draft.answers})
    typed, walk = _save(draft, here), _walk(draft)
    step = walk.step(here["key"])
    # Without JavaScript the page has only the questions visible at rendering.
    live = draft.visit.fields.get("_live") == "1"
    seen = set(here["questions"]) if live else set(draft.visit.fields.all("_asked"))
    judged = set() if upload_only else seen & set(here["questions"]) - set(typed.refused)
    violations = typed.violations + [one for one in walk.violations if question_key(one) in judged]
    fresh = set() if live else walk.offered(here) - before.offered(here)
    if upload_only and not violations:
        return draft.show(here["key"], f"q-{upload_only}", back_to=back_to)
    if violations and step:
        refusal = Refusal(typed, violations)
        return _page_of(draft, step.key, refusal, more=bool(fresh), back_to=back_to)
    if fresh:
        first = next(key for key in here["questions"] if key in {key for key, _ in fresh})
        return draft.show(here["key"], f"q-{first}", more=True, back_to=back_to)
    return draft.show(walk.first_invalid() if back_to else walk.after(here["key"]))


def _from_review(draft: Draft, action: str, target: str) -> Shown:
    walk = _walk(draft)
    if action == "step":
        return draft.show(target, back_to=REVIEW)
    if action == "back" and walk.steps:
        return draft.show(walk.steps[-1].key)
    if action != "submit":
        return draft.show(walk.resume())
    if walk.violations:
        return _page_of(draft, REVIEW, Refusal(violations=walk.violations))
    return draft.submit()


def _back_to(name: str | None) -> str:
    return REVIEW if name == REVIEW else ""


def _save(draft: Draft, here: Values) -> TypedAnswers:
    questions = [question for question in draft.form.template["questions"] if question["key"] in here["questions"]]
    fields = draft.visit.fields
    typed = read_answers(questions, fields, draft.form.template["language"])
    typed.violations.extend(refused := draft.save(typed.patch))
    for key in {answer_key(violation) for violation in refused}:
        typed.refused[key] = typed.patch.pop(key)
    for question in questions:
        if question["type"] == "file":
            typed.violations.extend(_save_files(draft, question["key"], fields.uploads.get(question["key"], ())))
    return typed


def _save_files(draft: Draft, key: str, uploads: Iterable[Upload]) -> Iterator[Violation]:
    """Yields violations named `answers.KEY.FILENAME`."""
    for upload in uploads:
        filename = DIRECTION_CONTROLS.sub("", upload.filename)
        name = f"answers.{key}.{filename}"
        if filename != upload.filename:
            yield Violation(name, "invalid_characters", DIRECTED)
            continue
        if not upload.size:
            yield Violation(name, "required", EMPTY)
            continue
        try:
            with savepoint():
                draft.add_file(key, upload)
        except Invalid as error:
            yield from (violation._replace(name=name) for violation in error.violations)
        except Problem as problem:
            if problem.code not in NO_ANSWER:
                raise
            yield Violation(name, problem.code, problem.detail or problem.title)


def _walk(draft: Draft) -> Walk:
    return Walk(draft.form, draft.answers)
