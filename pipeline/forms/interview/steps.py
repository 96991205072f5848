"""The visible steps of a form, and their violations."""

from typing import NamedTuple

from pipeline.forms.page.form import Form
from pipeline.interviews.answers.answers import answer_key, check_complete, final
from pipeline.interviews.answers.progress import REVIEW as REVIEW
from pipeline.interviews.templates.conditions import OTHER_SUFFIX, Answers, offered_values, visible
from pipeline.validation import Values, Violation


class Step(NamedTuple):
    """A page's visible questions; `place`: index among all pages; `invalid`: prevents the submit."""

    page: Values
    place: int
    number: int
    questions: list[Values]
    answered: bool
    invalid: bool

    @property
    def key(self) -> str:
        return self.page["key"]


class Walk:
    """The steps of a form for answers of valid shape."""

    def __init__(self, form: Form, answers: Answers) -> None:
        self.pages, self.questions = form.template["pages"], form.template["questions"]
        self.answers = final(answers)
        seen = visible(form.template, self.answers, form.hidden_fields)
        self.shown, self.counting = seen.questions, seen.counting
        self.shown_keys = {question["key"] for question in self.shown}
        self.violations = check_complete(seen, form.today)
        self.invalid = {question_key(violation) for violation in self.violations}
        self.steps: list[Step] = []
        by_key = {question["key"]: question for question in self.shown}
        for place, page in enumerate(self.pages):
            questions = [by_key[key] for key in page["questions"] if key in by_key]
            keys = {question["key"] for question in questions}
            if questions:
                answered, invalid = not keys.isdisjoint(self.counting), not keys.isdisjoint(self.invalid)
                self.steps.append(Step(page, place, len(self.steps) + 1, questions, answered, invalid))

    def step(self, key: str | None) -> Step | None:
        """The visible step of a page, or None."""
        return next((step for step in self.steps if step.key == key), None)

    def resume(self) -> str:
        """The first step that is invalid or follows the last answer, else REVIEW."""
        last = max((step.number for step in self.steps if step.answered), default=0)
        return next((step.key for step in self.steps if step.invalid or step.number > last), REVIEW)

    def before(self, page_key: str) -> str | None:
        """The step before a page, even a hidden one; None before the first."""
        return next((step.key for step in reversed(self.steps) if step.place < self._page_index(page_key)), None)

    def after(self, page_key: str) -> str:
        """The step after a page, even a hidden one; REVIEW after the last."""
        return next((step.key for step in self.steps if step.place > self._page_index(page_key)), REVIEW)

    def _page_index(self, page_key: str) -> int:
        return next((place for place, page in enumerate(self.pages) if page["key"] == page_key), len(self.pages))

    def first_invalid(self) -> str:
        """The first invalid step, else REVIEW."""
        return next((step.key for step in self.steps if step.invalid), REVIEW)

    def offered(self, page: Values) -> set[tuple[str, str | None]]:
        """(question key, option value) pairs of a page; None for the question itself."""
        return {
            (question["key"], value)
            for question in self.shown
            if question["key"] in page["questions"] and question["type"] != "statement"
            for value in (None, *(offered_values(question, self.counting) if "options" in question else ()))
        }


def question_key(violation: Violation) -> str:
    return answer_key(violation).removesuffix(OTHER_SUFFIX)
