"""The condition language of visible and required questions.

A condition is `{"question": key, "op": operator, "value": v}`, or `{"all": [...]}`, `{"any": [...]}`,
`{"not": ...}` of conditions. It refers to earlier questions only.
A positive operator is false for an empty answer; a negative one is its `not`.
"""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from pipeline.validation import Values
from pipeline.validation.dates import DATE
from pipeline.validation.numbers import as_decimal

NEGATIVES = {"empty": "answered", "ne": "eq", "not_in": "in", "not_contains": "contains"}
OTHER = "other"
OTHER_SUFFIX = "__other"
SEVERAL = ("multi_choice", "ranking")

# {question key: answer as JSON}
Answers = dict[str, object]
# (answer, compared value), both any JSON.
Comparison = Callable[[Any, Any], bool]


def is_empty(answer: object) -> bool:
    """Returns True for null, "", [] and {}."""
    return answer is None or answer in ("", [], {})


def is_same(left: object, right: object) -> bool:
    """Compares numbers by value, others also by type."""
    if isinstance(left, str) or isinstance(right, str):
        return isinstance(left, str) and isinstance(right, str) and left == right
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    number = as_decimal(left)
    return number is not None and number == as_decimal(right)


def one_of(value: object, candidates: object) -> bool:
    """Returns whether the list `candidates` holds `value`."""
    return isinstance(candidates, list) and any(is_same(value, candidate) for candidate in candidates)


class Visible(NamedTuple):
    """Visible questions, and non-empty answers with and without hidden fields."""

    questions: list[Values]
    counting: Answers
    answers: Answers


def holds(condition: Values | None, answers: Answers) -> bool:
    """Evaluates a checked condition; None is true."""
    if not condition:
        return True
    if "all" in condition:
        return all(holds(part, answers) for part in condition["all"])
    if "any" in condition:
        return any(holds(part, answers) for part in condition["any"])
    if "not" in condition:
        return not holds(condition["not"], answers)
    operator: str = condition["op"]
    positive, answer = NEGATIVES.get(operator, operator), answers.get(condition["question"])
    found = not is_empty(answer) and POSITIVES[positive](answer, condition.get("value"))
    return found if operator == positive else not found


def visible(form: Values, answers: Answers, hidden: dict[str, str]) -> Visible:
    """Evaluates a form's conditions in page order.

    Hidden answers and options are empty, as is `<key>__other` without "other".
    """
    by_key = {question["key"]: question for question in form["questions"]}
    shown: list[Values] = []
    counting: Answers = {**hidden}
    for page in form["pages"]:
        if not holds(page.get("visible_if"), counting):
            continue
        for key in page["questions"]:
            question = by_key[key]
            if holds(question.get("visible_if"), counting):
                shown.append(question)
                counting.update(_counting_answers(question, answers, counting))
    return Visible(shown, counting, {key: answer for key, answer in counting.items() if key not in hidden})


def is_required(question: Values, answers: Answers) -> bool:
    condition = question.get("required_if")
    return question.get("required") is True or (bool(condition) and holds(condition, answers))


def offered_values(question: Values, answers: Answers) -> list[str]:
    """Returns the visible option values, with "other" if allowed."""
    hidden = [option["value"] for option in question["options"] if not holds(option.get("visible_if"), answers)]
    return [value for value in every_value(question) if value not in hidden]


def every_value(question: Values) -> list[str]:
    """Returns all option values, with "other" if allowed."""
    values = [option["value"] for option in question["options"]]
    return [*values, OTHER] if question.get("allow_other") is True else values


def chose_other(question: Values, answer: object) -> bool:
    """Returns whether the answer includes "other"."""
    return question.get("allow_other") is True and (answer == OTHER or one_of(OTHER, answer))


def _counting_answers(question: Values, answers: Answers, earlier: Answers) -> Iterator[tuple[str, object]]:
    key, answer = question["key"], answers.get(question["key"])
    if question["type"] == "single_choice" and not one_of(answer, offered_values(question, earlier)):
        answer = None
    elif question["type"] in SEVERAL:
        offered = offered_values(question, earlier)
        answer = [value for value in answer if one_of(value, offered)] if isinstance(answer, list) else None
    if question["type"] == "statement" or is_empty(answer):
        return
    yield key, answer
    text = answers.get(key + OTHER_SUFFIX)
    if chose_other(question, answer) and not is_empty(text):
        yield key + OTHER_SUFFIX, text


def _contains(answer: object, value: object) -> bool:
    if isinstance(answer, str):
        return isinstance(value, str) and value in answer
    return one_of(value, answer)


def _ordered(compare: Callable[[Any, Any], bool]) -> Comparison:
    def compared(answer: object, value: object) -> bool:
        if isinstance(answer, str) and isinstance(value, str):
            return bool(DATE.fullmatch(answer) and DATE.fullmatch(value)) and compare(answer, value)
        left, right = as_decimal(answer), as_decimal(value)
        return left is not None and right is not None and compare(left, right)

    return compared


POSITIVES: dict[str, Comparison] = {
    "answered": lambda answer, value: True,
    "eq": is_same,
    "in": one_of,
    "contains": _contains,
    "contains_any": lambda answer, values: any(_contains(answer, value) for value in values),
    "contains_all": lambda answer, values: all(_contains(answer, value) for value in values),
    "gt": _ordered(lambda left, right: left > right),
    "gte": _ordered(lambda left, right: left >= right),
    "lt": _ordered(lambda left, right: left < right),
    "lte": _ordered(lambda left, right: left <= right),
}
