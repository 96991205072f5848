"""Pages of a form: steps, review and thank-you."""

import functools
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from markupsafe import Markup
from pyramid.response import Response

from pipeline.database import dumps
from pipeline.forms.interview.captures import Draft
from pipeline.forms.interview.prefill import on_page
from pipeline.forms.interview.presenting import ShownQuestion
from pipeline.forms.interview.steps import REVIEW, Step, Walk
from pipeline.forms.page.form import Form, hold_page
from pipeline.forms.page.rendering import Speech
from pipeline.forms.questions.answer_text import in_words
from pipeline.forms.questions.error_messages import all_about, linked, sentences
from pipeline.forms.questions.fitting import Misfit
from pipeline.forms.questions.numbers import grouping_of, units_of
from pipeline.forms.questions.piping import piped
from pipeline.forms.questions.reading import TypedAnswers
from pipeline.forms.translations import Texts, form_language
from pipeline.interviews.templates.conditions import OTHER_SUFFIX, Answers
from pipeline.validation import Values, Violation


class LinkRequest(NamedTuple):
    """The address typed for a link to continue, and the key of the error's sentence, if any."""

    email: str = ""
    error: str = ""


class Refusal(NamedTuple):
    """`typed`: input of the step; `later`: a refused request for a link."""

    typed: TypedAnswers = TypedAnswers({}, {}, [])
    violations: Sequence[Violation] = ()
    later: LinkRequest | None = None


NOTHING = Refusal()


def step_or_review(draft: Draft, key: str | None, refusal: Refusal = NOTHING, **marks: Any) -> Response:
    """The page of a step; for an unknown key, of the step to resume at."""
    walk = Walk(draft.form, draft.answers)
    found = walk.step(key)
    if found is None and key != REVIEW:
        found = walk.step(walk.resume())
    return review(draft, walk, refusal.violations) if found is None else step(draft, found, refusal, **marks)


def step(draft: Draft, step: Step, refusal: Refusal = NOTHING, more: bool = False, back_to: str = "") -> Response:
    """The page of a step; 422 with a refusal.

    more: new questions; back_to: REVIEW in an edit from there.
    """
    form, texts = draft.form, draft.visit.texts
    typed, violations, later = refusal
    prefill = on_page(draft.prefill, step.page, {**typed.patch, **typed.refused})
    form, walk = _with_answers(draft, Walk(draft.form, {**prefill, **draft.answers}))
    step = step._replace(page=walk.pages[step.place])
    values = {**prefill, **draft.answers, **typed.refused}
    by_key = {question["key"]: question for question in walk.questions}
    questions = [by_key[key] for key in step.page["questions"]]
    _hold_slot(draft, step.key, questions)
    errors = sentences(violations, questions, values, texts, form.today)
    shown = [ShownQuestion(question, walk, values, texts, form.today, errors) for question in questions]
    summary = [link for item in shown for link in _links(item, form.written.label(item.question), texts)]
    if later and later.error:
        summary.append(("later-email", texts(later.error, label=texts("account.email"))))
    return _page(
        draft,
        form,
        "step.html",
        422 if violations or later else 200,
        step=step,
        total=len(walk.steps) + 1,
        questions=shown,
        takes_files=any(item.type == "file" for item in shown),
        more=more,
        back=walk.before(step.key),
        back_to=back_to,
        summary=summary,
        kept=_unreplaced_answers(draft, walk, step, typed.refused),
        later=later,
        step_key=step.key,
    )


def _unreplaced_answers(draft: Draft, walk: Walk, here: Step, refused: Answers) -> list[tuple[str, Values]]:
    """(address, question) of each refused answer that leaves a stored one."""
    keys = {key.removesuffix(OTHER_SUFFIX) for key in refused if key in draft.answers}
    return [
        ((draft.visit.url(step=step.key) if step.key != here.key else "") + f"#q-{question['key']}", question)
        for step in walk.steps
        for question in step.questions
        if question["key"] in keys
    ]


def with_sentences(draft: Draft, violations: Iterable[Violation], answers: Answers) -> Iterator[Violation]:
    """Yields the violations of answers with the page's sentences."""
    form, walk = _with_answers(draft, Walk(draft.form, draft.answers))
    for violation in violations:
        said = sentences([violation], walk.questions, answers, draft.visit.texts, form.today)
        yield violation._replace(message=next((found for found, *_ in said.values()), violation.message))


def _with_answers(draft: Draft, walk: Walk) -> tuple[Form, Walk]:
    """The form with answers in its texts, and its Walk."""
    form = draft.form
    template = piped(form.template, form.written.tags_of(form.template), walk.counting, draft.visit.texts)
    if template is form.template:
        return form, walk
    form = form._replace(template=template)
    return form, Walk(form, walk.answers)


def _hold_slot(draft: Draft, page: str, questions: Sequence[Values]) -> None:
    form = draft.form
    hold_page(draft.visit.request, form.organization_id, form.template, form.version_id, page, questions)


def _data(draft: Draft) -> Markup:
    """JSON, safe inside a script element; texts have their tags."""
    form, label = draft.form, draft.form.written.label
    language = form.template["language"]
    data = dumps(
        {
            "form": draft.kind,
            "pages": form.template["pages"],
            "tags": form.written.tags_of(form.template).keys,
            "questions": [
                {
                    **question,
                    "label": label(question),
                    "grouping": grouping_of(language),
                    "units": units_of(question.get("unit") or "", language),
                }
                for question in form.template["questions"]
            ],
            "answers": draft.answers,
            "prefill": draft.prefill,
            "fresh": form.status == "pending",
            "hidden": form.hidden_fields,
            "today": form.today.isoformat(),
            "texts": draft.visit.texts.for_module,
        }
    ).decode()
    for character in "<>&\u2028\u2029":
        data = data.replace(character, f"\\u{ord(character):04x}")
    return Markup(data)


def _links(shown: ShownQuestion, label: str, texts: Texts) -> Iterator[tuple[str, str]]:
    """(control id, text) of each error."""
    yield from ((shown.first_control, linked(error, label, texts)) for error in shown.errors)
    yield from ((part.control, linked(said, label, texts)) for part in shown.parts for said in part.errors)
    yield from ((f"f-{shown.key}__other", linked(error, label, texts)) for error in shown.other_errors)


def review(draft: Draft, walk: Walk, violations: Iterable[Violation] = ()) -> Response:
    """The page of all answers; `violations` prevented the submit."""
    form, walk = _with_answers(draft, walk)
    _hold_slot(draft, REVIEW, walk.shown)
    texts, label = draft.visit.texts, draft.form.written.label
    errors = sentences(violations, walk.questions, walk.answers, texts, draft.form.today)
    return _page(
        draft,
        form,
        "review.html",
        422 if violations else 200,
        groups=_answered(draft, walk),
        invalid=walk.invalid,
        errors={question["key"]: all_about(question["key"], errors) for question in walk.shown},
        total=len(walk.steps) + 1,
        back=walk.steps[-1].key if walk.steps else None,
        summary=[
            (step.key, question, linked(said, label(question), texts))
            for step in walk.steps
            for question in step.questions
            for said in all_about(question["key"], errors)
        ],
        step_key=REVIEW,
    )


def _answered(draft: Draft, walk: Walk) -> Iterator[tuple[Step, list[tuple[Values, list[str]]]]]:
    """(step, [(question, words)]) of visible questions."""
    texts = draft.visit.texts
    marked = Speech(draft.form.template, texts).marked
    for step in walk.steps:
        asked = [question for question in step.questions if question["type"] != "statement"]
        if asked:
            yield step, [(question, in_words(question, walk.counting, texts, marked)) for question in asked]


def done(draft: Draft, state: str) -> Response:
    """The thank-you page; state: `done`, or `submitted` when read again."""
    form, texts = draft.form, draft.visit.texts
    form, walk = _with_answers(draft, Walk(draft.form, draft.answers))
    thank_you = form.template["thank_you"]
    target = thank_you.get("redirect_url")
    # Answers are readable for some weeks.
    shows = thank_you.get("show_answers") is True and bool(draft.answers)
    _hold_slot(draft, state, walk.shown if shows else ())
    return _page(
        draft,
        form,
        "done.html",
        thank_you=thank_you,
        state=state,
        sent_at=texts.timestamp(form.submitted_at, form.time_zone) if form.submitted_at else None,
        target=target,
        host=target and urlsplit(target).hostname,
        groups=list(_answered(draft, walk)) if shows else [],
    )


def _page(draft: Draft, form: Form, template: str, status: int = 200, **values: Any) -> Response:
    texts = draft.visit.texts
    expires = texts.timestamp(form.expires_at, form.time_zone) if form.expires_at else None
    return draft.visit.render(
        template,
        status,
        draft=draft,
        form=form,
        expires=expires,
        data=_data(draft),
        lost=draft.is_lost or "lost" in draft.visit.request.GET,
        misfits=list(_misfits(draft, form)),
        tongues=[form_language(language) for language in form.template["languages"]],
        spoken=form_language(form.template["language"]),
        speech=Speech(form.template, texts),
        markdown=functools.partial(form.written.html, opens=texts("link.opens")),
        label=form.written.label,
        **values,
    )


def _misfits(draft: Draft, form: Form) -> Iterator[tuple[str, Misfit]]:
    """(address of its question, Misfit) of each that the form still asks."""
    if draft.misfits:
        steps = Walk(form, draft.answers).steps
        asked = {question["key"]: (step.key, question) for step in steps for question in step.questions}
        for misfit in draft.misfits:
            step_key, question = asked.get(key := misfit.question["key"], ("", None))
            if question:
                yield draft.visit.url(step=step_key) + f"#q-{key}", misfit._replace(question=question)
