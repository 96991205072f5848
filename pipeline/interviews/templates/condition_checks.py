"""Checks a template's conditions when it is saved."""

import math
from typing import NamedTuple

from pipeline.interviews.templates.conditions import SEVERAL, every_value
from pipeline.interviews.templates.parts import CONTAINMENT, CONTAINMENTS, EQUALITY, LISTS, MEMBERSHIP, ORDER, PRESENCE
from pipeline.interviews.templates.questions import CHOICES, TEXT_LENGTHS, scale_bounds
from pipeline.validation import Boolean, Choice, Integer, Listing, Number, Text, Type, Values, Violations, WrittenDate

MAX_DEPTH = 10
ANYWHERE = math.inf

TEXT_OPERATORS = PRESENCE + EQUALITY + MEMBERSHIP + CONTAINMENT + CONTAINMENTS
NUMBER_OPERATORS = PRESENCE + EQUALITY + MEMBERSHIP + ORDER
OPERATORS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(TEXT_LENGTHS, TEXT_OPERATORS),
    **dict.fromkeys(("number", "scale", "date"), NUMBER_OPERATORS),
    **dict.fromkeys(("yes_no", "consent"), PRESENCE + EQUALITY),
    "single_choice": PRESENCE + EQUALITY + MEMBERSHIP,
    **dict.fromkeys(SEVERAL, PRESENCE + CONTAINMENT + CONTAINMENTS),
    **dict.fromkeys(("matrix", "address", "file"), PRESENCE),
    "statement": (),
}
# Conditions treat a hidden field as a short text.
HIDDEN = {"type": "short_text"}


class KnownQuestions(NamedTuple):
    """A template's questions and hidden fields."""

    keys: set[str]
    # The valid questions by key.
    sound: dict[str, Values]
    # The position of each question in page order.
    positions: dict[str, float]
    # Otherwise references to missing keys are not reported.
    whole: bool
    # Hidden fields; conditions of all questions may use them.
    hidden: frozenset[str] = frozenset()

    def first_position(self, page: Values) -> float:
        """The position of a page's first question."""
        keys = page.get("questions", ())
        return min((self.positions[key] for key in keys if key in self.positions), default=ANYWHERE)


def check_condition(
    violations: Violations,
    place: str,
    condition: Values,
    known: KnownQuestions,
    before: float = ANYWHERE,
    depth: int = 1,
) -> None:
    """Adds the violations of a condition; it may use only questions at positions below `before`."""
    if depth > MAX_DEPTH:
        violations.add(place, "too_deep", f"Conditions nest at most {MAX_DEPTH} levels deep.")
        return
    if "not" in condition:
        check_condition(violations, f"{place}.not", condition["not"], known, before, depth + 1)
    for joint in ("all", "any"):
        for index, part in enumerate(condition.get(joint, ())):
            if part:
                check_condition(violations, f"{place}.{joint}.{index}", part, known, before, depth + 1)
    if "question" in condition and "op" in condition:
        _check_comparison(violations, place, condition, known, before)


def check_key(violations: Violations, place: str, key: str, known: KnownQuestions) -> bool:
    """Adds a violation for an unknown question; returns whether it is valid."""
    if key not in known.keys and known.whole:
        violations.add(place, "unknown_question", key=key[:80])
    return key in known.sound


def _check_comparison(
    violations: Violations, place: str, condition: Values, known: KnownQuestions, before: float
) -> None:
    key, operator, value = condition["question"], condition["op"], condition.get("value")
    if key in known.hidden:
        question = HIDDEN
    elif not check_key(violations, f"{place}.question", key, known):
        return
    elif known.positions.get(key, -1) >= before:
        violations.add(f"{place}.question", "not_earlier_question", key=key)
        return
    else:
        question = known.sound[key]
    if operator not in OPERATORS[question["type"]]:
        violations.add(f"{place}.op", "operator_misfit", operator=operator, type=question["type"])
    elif operator in PRESENCE:
        if value is not None:
            violations.add(f"{place}.value", "unknown_field", f'Operator "{operator}" takes no value.')
    elif value is None:
        violations.add(f"{place}.value", "required", f'Operator "{operator}" needs a value.')
    else:
        item = compared_type(question)
        violations.check(f"{place}.value", (Listing(item, 200, min_items=1) if operator in LISTS else item).load, value)


def compared_type(question: Values) -> Type:
    kind = question["type"]
    if kind in CHOICES:
        return Choice(*every_value(question))
    if kind in TEXT_LENGTHS:
        return Text(TEXT_LENGTHS[kind][1], lines=True)
    if kind == "scale":
        low, high = scale_bounds(question)
        return Integer(low, high)
    return {"number": Number(), "date": WrittenDate()}.get(kind, Boolean())
