"""The pages of a form: a step, the review, and what follows when the answers are sent."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlsplit

from markupsafe import Markup
from pyramid.response import Response

from pipeline.forms import markdown
from pipeline.forms.presenting import Shown, show
from pipeline.forms.reading import Typed
from pipeline.forms.speech import Speech
from pipeline.forms.steps import REVIEW, Step, Walk
from pipeline.forms.texts import Texts, tongue
from pipeline.forms.visit import Visit, as_data
from pipeline.forms.wording import all_about, sentences
from pipeline.forms.words import in_words
from pipeline.validation import Values, Violation

# They show their pages by this module.
if TYPE_CHECKING:
    from pipeline.forms.drafts import Draft


def step_or_review(visit: Visit, draft: Draft, key: str | None, **marks: Any) -> Response:
    """The page of a step by its key; where the prospect goes on when there is no such step."""
    walk = Walk(draft.form, draft.answers)
    found = walk.step(key)
    if found is None and key != REVIEW:
        found = walk.step(walk.resume())
    return review(visit, draft, walk) if found is None else step(visit, draft, found, **marks)


class Later(NamedTuple):
    """The address to which the link of a public form is to go that is continued later, and whether it is none."""

    email: str = ""
    wrong: bool = False


def step(
    visit: Visit,
    draft: Draft,
    step: Step,
    typed: Typed | None = None,
    violations: Sequence[Violation] = (),
    more: bool = False,
    back_to: str = "",
    later: Later | None = None,
) -> Response:
    """The page of one step.

    typed: what was given and could not be saved; violations: what is wrong with the answers of this page;
    more: whether to say that further questions have become visible; back_to: REVIEW after an edit from there;
    later: what was asked for and could not be done.
    """
    form, texts = draft.form, visit.texts
    prefill = {} if typed else draft.prefill
    walk = Walk(form, {**prefill, **draft.answers})
    refused = typed.refused if typed else {}
    values = {**prefill, **draft.answers, **refused}
    questions = [question for key in step.page["questions"] for question in walk.questions if question["key"] == key]
    errors = sentences(violations, questions, values, texts, form.today)
    shown = [show(question, walk, values, texts, form.today, errors) for question in questions]
    return _page(
        visit,
        draft,
        "step.html",
        422 if violations or later else 200,
        step=step,
        total=len(walk.steps) + 1,
        questions=shown,
        takes_files=any(item.type == "file" for item in shown),
        more=more,
        back=walk.before(step.key),
        back_to=back_to,
        summary=[link for item in shown for link in _links(item)] + _wrong_address(later, texts),
        later=later,
        step_key=step.key,
    )


def _wrong_address(later: Later | None, texts: Texts) -> list[tuple[str, str, str]]:
    """(control id, sentence, label) of an address for the link that is none."""
    return [("later-email", texts("error.invalid_email"), texts("account.email"))] if later and later.wrong else []


def _data(draft: Draft, texts: Texts) -> Markup:
    """What the browser's module needs to know; the review names questions whose answers wait to be saved, too."""
    form = draft.form
    return as_data(
        {
            "form": draft.kind,
            "pages": form.template["pages"],
            "questions": [{**question, "label": markdown.label(question)} for question in form.template["questions"]],
            "answers": form.answers if draft.kind == "interview" else {},
            "prefill": draft.prefill,
            "fresh": form.status == "pending",
            "hidden": form.hidden_fields,
            "today": form.today.isoformat(),
            "texts": texts.for_module,
        }
    )


def _links(shown: Shown) -> Iterator[tuple[str, str, str]]:
    """(control id, sentence, label) of the errors of a question."""
    label = markdown.label(shown.question)
    yield from ((shown.first_control, error, label) for error in shown.errors)
    yield from ((part.control, said, label) for part in shown.parts for said in part.errors)
    yield from ((f"f-{shown.key}__other", error, label) for error in shown.other_errors)


def review(visit: Visit, draft: Draft, walk: Walk, violations: Iterable[Violation] = ()) -> Response:
    """All answers once more; violations: why they could not be sent."""
    form, texts = draft.form, visit.texts
    errors = sentences(violations, walk.questions, walk.answers, texts, form.today)
    return _page(
        visit,
        draft,
        "review.html",
        422 if violations else 200,
        groups=answered(walk, Speech(form.template, texts), texts),
        invalid=walk.invalid,
        errors={question["key"]: all_about(question["key"], errors) for question in walk.shown},
        total=len(walk.steps) + 1,
        back=walk.steps[-1].key if walk.steps else None,
        summary=[
            (step.key, question, said)
            for step in walk.steps
            for question in step.questions
            for said in all_about(question["key"], errors)
        ],
        step_key=REVIEW,
    )


def answered(walk: Walk, speech: Speech, texts: Texts) -> list[tuple[Step, list[tuple[Values, list[str]]]]]:
    """[(step, [(question, answer in words)])]: every visible question that can be answered."""
    asked = [(step, [item for item in step.questions if item["type"] != "statement"]) for step in walk.steps]
    groups = [
        (step, [(item, in_words(item, walk.counting, texts, speech.marked)) for item in items]) for step, items in asked
    ]
    return [(step, items) for step, items in groups if items]


def done(visit: Visit, draft: Draft, state: str) -> Response:
    """The thank-you, with the answers if the template says so; state: `submitted` (read again) or `done`."""
    form, texts = draft.form, visit.texts
    thank_you = form.template["thank_you"]
    walk = Walk(form, draft.answers)
    target = thank_you.get("redirect_url")
    # Some weeks after the submit there are no answers to show any more.
    shows = thank_you.get("show_answers") is True and draft.answers
    return _page(
        visit,
        draft,
        "done.html",
        thank_you=thank_you,
        state=state,
        sent_at=texts.timestamp(form.submitted_at, form.time_zone) if form.submitted_at else None,
        target=target,
        host=target and urlsplit(target).hostname,
        groups=answered(walk, Speech(form.template, texts), texts) if shows else [],
    )


def _page(visit: Visit, draft: Draft, template: str, status: int = 200, **values: Any) -> Response:
    form, texts = draft.form, visit.texts
    expires = texts.timestamp(form.expires_at, form.time_zone) if form.expires_at else None
    return visit.render(
        template,
        status,
        visit=visit,
        draft=draft,
        form=form,
        expires=expires,
        data=_data(draft, texts),
        tongues=[tongue(language) for language in form.template["languages"]],
        spoken=tongue(form.template["language"]),
        speech=Speech(form.template, texts),
        **values,
    )
