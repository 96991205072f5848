"""Stored answers under a changed template: kept, carried over to another type of question, or named."""

from collections.abc import Iterator
from decimal import Decimal
from typing import Any, NamedTuple

from pipeline.forms.questions.answer_text import written
from pipeline.forms.questions.numbers import read_number
from pipeline.forms.questions.reading import answer_keys
from pipeline.interviews.answers.answers import check_shape
from pipeline.interviews.templates.conditions import Answers, every_value, is_empty
from pipeline.interviews.templates.questions import CHOICES, SEVERAL, TEXT_LENGTHS
from pipeline.validation import Values

NUMERIC = ("number", "scale")


class Misfit(NamedTuple):
    """A question that no longer holds its answer.

    `reason`: `gone` (an option that is no longer offered), `consent` (to another text) or `misfit`.
    """

    question: Values
    answer: str
    reason: str


def fitted(questions: list[Values], kept: Answers) -> tuple[Answers, list[Misfit]]:
    """(answers that fit, files aside; what does not fit)."""
    answers: Answers = {}
    misfits = []
    for question in questions:
        own = {key: kept[key] for key in answer_keys(question) if key in kept}
        # One by one: `check_shape` stops at 200 violations.
        if not own or question["type"] == "file" or not check_shape([question], own):
            answers |= own if question["type"] != "file" else {}
            continue
        answer = kept.get(question["key"])
        carried = next((one for one in _candidates(question, answer) if not check_shape([question], one)), {})
        answers |= {name: value for name, value in carried.items() if not is_empty(value)}
        if not is_empty(answer) and _is_less(carried.get(question["key"]), answer):
            misfits.append(Misfit(question, _in_brief(answer), "gone" if question["type"] in CHOICES else "misfit"))
    return answers, misfits


def _candidates(question: Values, answer: Any) -> Iterator[Answers]:
    """The answer as other types hold it, the best first."""
    key, kind = question["key"], question["type"]
    values = answer if isinstance(answer, list) else [answer]
    if kind in CHOICES:
        offered = [value for value in map(written, values) if value in every_value(question)]
        if kind in SEVERAL:
            yield {key: offered}
        elif len(values) == len(offered) == 1:
            yield {key: offered[0]}
    elif kind in TEXT_LENGTHS and len(values) == 1:
        yield {key: written(values[0])}
    elif kind in NUMERIC and isinstance(answer, str):
        yield {key: read_number(answer, integer=kind == "scale")}
    elif kind == "matrix" and isinstance(answer, dict):
        rows, columns = ({item["value"] for item in question[name]} for name in ("rows", "columns"))
        yield {key: {row: column for row, column in answer.items() if row in rows and column in columns}}


def _is_less(carried: Any, answer: Any) -> bool:
    """Whether a part of the answer is lost."""
    if isinstance(carried, (list, dict)) and isinstance(answer, (list, dict)):
        return len(carried) < len(answer)
    return is_empty(carried)


def _in_brief(answer: Any) -> str:
    parts = answer.values() if isinstance(answer, dict) else answer if isinstance(answer, list) else [answer]
    words = ", ".join(filter(None, (written(part) if isinstance(part, (str, int, Decimal)) else "" for part in parts)))
    return words if len(words) <= 100 else f"{words[:99]}…"
