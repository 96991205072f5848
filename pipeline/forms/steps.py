"""A prospect's way through a form: which steps there are by the answers so far, and what is still wrong in them."""

from typing import NamedTuple

from pipeline.interviews.answers import answer_key, check_complete, final
from pipeline.interviews.conditions import OTHER_SUFFIX, offered_values, visible
from pipeline.interviews.progress import REVIEW as REVIEW


class Step(NamedTuple):
    """A page of the template that has a visible question; `questions` are those that are visible."""

    page: dict
    number: int
    questions: list[dict]

    @property
    def key(self):
        """The page's key, which stands in the URL."""
        return self.page["key"]


class Walk:
    """The steps of a form.

    template: the public body's `template`; answers: checked for their shape; today: the date in date bounds.
    """

    def __init__(self, template, answers, today):
        self.pages, self.questions = template["pages"], template["questions"]
        self.answers = final(answers)
        self.shown, self.counting = visible(self.pages, self.questions, self.answers)
        self.shown_keys = {question["key"] for question in self.shown}
        self.violations = check_complete(self.pages, self.questions, self.answers, today)
        self.invalid = {question_key(violation) for violation in self.violations}
        self.steps = self._steps()

    def _steps(self):
        steps = []
        for page in self.pages:
            questions = [question for question in self.shown if question["key"] in page["questions"]]
            if questions:
                steps.append(Step(page, len(steps) + 1, questions))
        return steps

    def step(self, key):
        """The step of a page, None when there is no such page or nothing on it is visible."""
        return next((step for step in self.steps if step.key == key), None)

    def is_invalid(self, step):
        """Whether something on a step keeps the answers from being sent."""
        return any(question["key"] in self.invalid for question in step.questions)

    def resume(self):
        """Where a prospect goes on: the first step with a violation, at the latest the one after the last answer."""
        answered = [step.number for step in self.steps if self._has_answer(step)]
        reached = self.steps[: max(answered, default=0) + 1]
        going_on = [step for step in reached if self.is_invalid(step) or step.number > max(answered, default=0)]
        return going_on[0].key if going_on else REVIEW

    def _has_answer(self, step):
        return any(question["key"] in self.counting for question in step.questions)

    def beside(self, page_key, distance):
        """The key of the step before (-1) or after (1) a page, even one that is no longer visible."""
        order = [page["key"] for page in self.pages]
        here = order.index(page_key) if page_key in order else len(order)
        if distance > 0:
            return next((step.key for step in self.steps if order.index(step.key) > here), REVIEW)
        before = [step.key for step in self.steps if order.index(step.key) < here]
        return before[-1] if before else None

    def first_invalid(self):
        """The key of the first step with a violation, REVIEW when there is none."""
        return next((step.key for step in self.steps if self.is_invalid(step)), REVIEW)

    def offered(self, page):
        """What a page offers: (question key, option value) pairs, the value None for the question itself."""
        return {
            (question["key"], value)
            for question in self.shown
            if question["key"] in page["questions"] and question["type"] != "statement"
            for value in (None, *(offered_values(question, self.counting) if "options" in question else ()))
        }


def question_key(violation):
    """The key of the question that a violation of answers is about."""
    return answer_key(violation).removesuffix(OTHER_SUFFIX)
