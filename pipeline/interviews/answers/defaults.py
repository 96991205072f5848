"""Default values of questions, which are no answers until saved."""

import datetime
from collections.abc import Iterable

from pipeline.interviews.answers.answers import check_answer, final
from pipeline.interviews.templates.answer_shapes import shape_of
from pipeline.interviews.templates.conditions import Answers
from pipeline.validation import Values, Violations
from pipeline.validation.dates import TODAY


def check_default(violations: Violations, place: str, question: Values) -> None:
    """Adds the violations of a sound question's default."""
    key, default = question["key"], question["default"]
    if question["type"] == "date" and default == TODAY:
        return
    kind, count = shape_of({key: question}, key), len(violations)
    if kind is not None:
        violations.check(place, kind.load, default)
    answer = final({key: default}).get(key) if len(violations) == count else None
    if answer is not None:
        # A bound of today is judged when the form is shown.
        bounded = {name: value for name, value in question.items() if value != TODAY}
        violations.take(place, check_answer(bounded, answer, datetime.date.today()))


def defaults(questions: Iterable[Values], today: datetime.date) -> Answers:
    """The defaults that are valid on a day."""
    found: Answers = {}
    for question in questions:
        given, key = question.get("default"), question["key"]
        if given == TODAY and question["type"] == "date":
            given = today.isoformat()
        answer = final({key: given}).get(key)
        if answer is not None and not check_answer(question, answer, today):
            found[key] = answer
    return found


def emptied(questions: Iterable[Values], cleared: Iterable[str]) -> dict[str, None]:
    """{key: None} of cleared questions with a default; keeps it cleared."""
    empty = set(cleared)
    return {question["key"]: None for question in questions if "default" in question and question["key"] in empty}
