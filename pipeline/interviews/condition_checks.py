"""The check of conditions at save: known questions, looking back, operators and values that fit."""

import math
from collections.abc import Mapping
from typing import NamedTuple

from pipeline.interviews.checks import (
    Checker,
    Findings,
    anything,
    at,
    boolean,
    choice,
    integer,
    is_absent,
    listing,
    number,
    record,
    text,
)
from pipeline.interviews.conditions import every_value
from pipeline.interviews.questions import CHOICES, TEXT_LENGTHS, scale_bounds
from pipeline.interviews.values import as_date

MAX_DEPTH = 10
MAX_PARTS = 50
ANYWHERE = math.inf

PRESENCE = ("answered", "empty")
EQUALITY = ("eq", "ne")
MEMBERSHIP = ("in", "not_in")
CONTAINMENT = ("contains", "not_contains")
CONTAINMENTS = ("contains_any", "contains_all")
ORDER = ("gt", "gte", "lt", "lte")
LISTS = MEMBERSHIP + CONTAINMENTS

TEXT_OPERATORS = PRESENCE + EQUALITY + MEMBERSHIP + CONTAINMENT + CONTAINMENTS
NUMBER_OPERATORS = PRESENCE + EQUALITY + MEMBERSHIP + ORDER
OPERATORS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(TEXT_LENGTHS, TEXT_OPERATORS),
    **dict.fromkeys(("number", "scale", "date"), NUMBER_OPERATORS),
    **dict.fromkeys(("yes_no", "consent"), PRESENCE + EQUALITY),
    "single_choice": PRESENCE + EQUALITY + MEMBERSHIP,
    "multi_choice": PRESENCE + CONTAINMENT + CONTAINMENTS,
    "statement": (),
}
EVERY_OPERATOR = tuple(dict.fromkeys(TEXT_OPERATORS + NUMBER_OPERATORS))
FORMS = {
    "all": {"all": listing(anything, 1, MAX_PARTS)},
    "any": {"any": listing(anything, 1, MAX_PARTS)},
    "not": {"not": anything},
    "question": {"question": text(100), "op": choice(EVERY_OPERATOR), "value": anything},
}


class Known(NamedTuple):
    """What a template's conditions may speak of."""

    keys: set[str]
    """Every question key, those of faulty questions too."""
    sound: dict[str, dict]
    """The questions that are right in themselves, by key."""
    positions: Mapping[str, float]
    """The place of each question in page order."""


def check_condition(
    found: Findings, place: str, condition: object, known: Known, before: float = ANYWHERE, depth: int = 1
) -> None:
    """Check a condition; it may name only questions that come earlier in page order than `before`."""
    form = next((name for name in FORMS if isinstance(condition, dict) and name in condition), "question")
    clean = len(found)
    if depth > MAX_DEPTH:
        found.add(place, "too_deep", f"Conditions nest at most {MAX_DEPTH} levels deep.")
        return
    record(FORMS[form], ("question", "op") if form == "question" else (form,))(found, place, condition)
    if len(found) > clean:
        return
    if form == "question":
        _check_comparison(found, place, condition, known, before)
    elif form == "not":
        check_condition(found, at(place, form), condition[form], known, before, depth + 1)
    else:
        for index, part in enumerate(condition[form]):
            check_condition(found, at(place, f"{form}.{index}"), part, known, before, depth + 1)


def check_key(found: Findings, place: str, key: object, known: Known) -> bool:
    """Check that a question has this key; True when there is such a question and it is sound."""
    if not isinstance(key, str):
        found.add(place, "wrong_type", "Must be the key of a question.")
    elif key not in known.keys:
        found.add(place, "unknown_question", f'Question "{key[:80]}" is not defined.')
    return isinstance(key, str) and key in known.sound


def _check_comparison(found: Findings, place: str, condition: dict, known: Known, before: float) -> None:
    key, operator, value = condition["question"], condition["op"], condition.get("value")
    if not check_key(found, at(place, "question"), key, known):
        return
    if known.positions.get(key, -1) >= before:
        found.add(at(place, "question"), "not_earlier_question", f'Question "{key}" does not come earlier.')
        return
    question = known.sound[key]
    if operator not in OPERATORS[question["type"]]:
        message = f'Operator "{operator}" does not fit a question of type {question["type"]}.'
        found.add(at(place, "op"), "operator_misfit", message)
    elif operator in PRESENCE:
        if value is not None:
            found.add(at(place, "value"), "unknown_field", f'Operator "{operator}" takes no value.')
    elif is_absent(value):
        found.add(at(place, "value"), "required", f'Operator "{operator}" needs a value.')
    else:
        item = _value_checker(question)
        checker = listing(item, 1, 200) if operator in LISTS else item
        checker(found, at(place, "value"), value)


def _value_checker(question: dict) -> Checker:
    """The checker of one compared value: of the question's own type, and among its options."""
    kind = question["type"]
    if kind in CHOICES:
        return choice(every_value(question))
    if kind in TEXT_LENGTHS:
        return text(TEXT_LENGTHS[kind][1])
    if kind == "scale":
        return integer(*scale_bounds(question))
    return {"number": number, "date": _plain_date}.get(kind, boolean)


def _plain_date(found: Findings, place: str, value: object) -> None:
    if as_date(value) is None:
        code = "invalid_date" if isinstance(value, str) else "wrong_type"
        found.add(place, code, "Must be a date, YYYY-MM-DD.")
