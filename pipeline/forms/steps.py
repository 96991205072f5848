"""A prospect's way through a form: which steps there are by the answers so far, and what is still wrong in them."""

from typing import NamedTuple

from pipeline.forms.service import Form
from pipeline.interviews.answers import answer_key, check_complete, final
from pipeline.interviews.conditions import OTHER_SUFFIX, offered_values, visible
from pipeline.interviews.progress import REVIEW as REVIEW
from pipeline.interviews.values import Answers
from pipeline.validation import Values, Violation


class Step(NamedTuple):
    """A page of the template that has a visible question; `questions` are those that are visible."""

    page: Values
    number: int
    questions: list[Values]

    @property
    def key(self) -> str:
        """The page's key, which stands in the URL."""
        return self.page["key"]


class Walk:
    """The steps of a form.

    form: the Form; answers: checked for their shape.
    """

    def __init__(self, form: Form, answers: Answers) -> None:
        self.pages, self.questions, hidden = form.template["pages"], form.template["questions"], form.hidden_fields
        self.answers = final(answers)
        self.shown, self.counting = visible(self.pages, self.questions, self.answers, hidden)
        self.shown_keys = {question["key"] for question in self.shown}
        self.violations = check_complete(self.pages, self.questions, self.answers, form.today, hidden)
        self.invalid = {question_key(violation) for violation in self.violations}
        self.steps = self._steps()

    def _steps(self) -> list[Step]:
        steps: list[Step] = []
        for page in self.pages:
            questions = [question for question in self.shown if question["key"] in page["questions"]]
            if questions:
                steps.append(Step(page, len(steps) + 1, questions))
        return steps

    def step(self, key: str | None) -> Step | None:
        """The step of a page, None when there is no such page or nothing on it is visible."""
        return next((step for step in self.steps if step.key == key), None)

    def is_invalid(self, step: Step) -> bool:
        """Whether something on a step keeps the answers from being sent."""
        return any(question["key"] in self.invalid for question in step.questions)

    def resume(self) -> str:
        """Where a prospect goes on: the first step with a violation, at the latest the one after the last answer."""
        answered = [step.number for step in self.steps if self._has_answer(step)]
        reached = self.steps[: max(answered, default=0) + 1]
        going_on = [step for step in reached if self.is_invalid(step) or step.number > max(answered, default=0)]
        return going_on[0].key if going_on else REVIEW

    def _has_answer(self, step: Step) -> bool:
        return any(question["key"] in self.counting for question in step.questions)

    def before(self, page_key: str) -> str | None:
        """The key of the step before a page, even before one that is no longer visible; None before the first."""
        return next((step.key for step in reversed(self.steps) if self._place(step.key) < self._place(page_key)), None)

    def after(self, page_key: str) -> str:
        """The key of the step after a page, even after one that is no longer visible; REVIEW after the last."""
        return next((step.key for step in self.steps if self._place(step.key) > self._place(page_key)), REVIEW)

    def _place(self, page_key: str) -> int:
        """Where a page stands in the template; a page that is not there, behind all of them."""
        return next((place for place, page in enumerate(self.pages) if page["key"] == page_key), len(self.pages))

    def first_invalid(self) -> str:
        """The key of the first step with a violation, REVIEW when there is none."""
        return next((step.key for step in self.steps if self.is_invalid(step)), REVIEW)

    def offered(self, page: Values) -> set[tuple[str, str | None]]:
        """What a page offers: (question key, option value) pairs, the value None for the question itself."""
        return {
            (question["key"], value)
            for question in self.shown
            if question["key"] in page["questions"] and question["type"] != "statement"
            for value in (None, *(offered_values(question, self.counting) if "options" in question else ()))
        }


def question_key(violation: Violation) -> str:
    """The key of the question that a violation of answers is about."""
    return answer_key(violation).removesuffix(OTHER_SUFFIX)
