"""Turns answers into a draft product configuration."""

from collections.abc import Iterable
from decimal import Decimal
from typing import Any

from pipeline.interviews.templates.condition_checks import KnownQuestions, check_condition, check_key
from pipeline.interviews.templates.conditions import Answers, every_value, holds, is_empty
from pipeline.interviews.templates.parts import CONDITION, REFERENCE, Part
from pipeline.interviews.templates.questions import CHOICES, TEXT_LENGTHS
from pipeline.validation import Integer, Mapping, OneOrMany, Tagged, Text, Type, Values, Violations, optional
from pipeline.validation.numbers import as_decimal, as_integer
from pipeline.validation.violations import step

WORD = Text(100)
MAX_RULES = 200
MAX_QUANTITY = 2**31 - 1
# Types without an answer, or with a structured one: a map cannot name it.
UNMAPPED = ("statement", "matrix", "address", "file")
COLLECTED = ("platform_keys", "feature_keys")
# Question types with answers that fit a target without a map.
SOURCES: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(COLLECTED, (*TEXT_LENGTHS, *CHOICES)),
    "license_type": (*TEXT_LENGTHS, "single_choice"),
    "quantity": ("number", "scale"),
}


class Rule(Part):
    """A rule with a constant or a map."""

    question = optional(REFERENCE)
    when = optional(CONDITION)

    def __init__(self, values: Type) -> None:
        super().__init__(optional(values, name="value"), optional(Mapping(values, min_items=1), name="map"))

    def fit(self, values: Values, violations: Violations) -> None:
        if "map" in values and "value" in values:
            violations.add("map", "conflict", "A rule has a map or a constant value, not both.")
        if "question" not in values and "value" not in values:
            violations.add("question", "required", "Is required in a rule without a constant value.")


RULE = Tagged(
    "FieldMapRule",
    "target",
    {
        **{target: Rule(OneOrMany(WORD, 200)) for target in COLLECTED},
        "license_type": Rule(WORD),
        "quantity": Rule(Integer(1, MAX_QUANTITY)),
    },
)


def apply(field_map: list[Values] | None, visible: Answers) -> dict[str, Any]:
    """Applies a checked field map.

    Keys are a union in order; for `license_type` and `quantity`, the first value wins.
    """
    result: dict[str, Any] = {"platform_keys": [], "feature_keys": [], "license_type": None, "quantity": None}
    for rule in field_map or []:
        target = rule["target"]
        values = [value for value in _yielded(rule, visible) if _fits(target, value)]
        if target in COLLECTED:
            result[target] = list(dict.fromkeys([*result[target], *values]))
        elif result[target] is None and values:
            result[target] = as_integer(values[0]) if target == "quantity" else values[0]
    return result


def check_field_map(violations: Violations, place: str, rules: list[Values | None], known: KnownQuestions) -> None:
    """Adds violations for unknown or unsuitable questions."""
    wrong = {".".join(violation.name.split(".")[:2]) for violation in violations}
    for index, rule in enumerate(rules):
        where = f"{place}.{index}"
        if rule and "when" in rule:
            check_condition(violations, f"{where}.when", rule["when"], known)
        if rule and "question" in rule and check_key(violations, f"{where}.question", rule["question"], known):
            question = known.sound[rule["question"]]
            _check_answers(violations, f"{where}.map", rule.get("map", ()), question)
            if where in wrong or {"map", "value"} & rule.keys():
                continue
            target, kind = rule["target"], question["type"]
            if kind not in SOURCES[target]:
                reason = f"An answer of type {kind} cannot be the {target}; use a map."
                violations.add(f"{where}.question", "wrong_question_type", reason)


def _yielded(rule: Values, visible: Answers) -> list[object]:
    """A rule with a question yields nothing without its answer."""
    key, mapping, constant = rule.get("question"), rule.get("map"), rule.get("value")
    if not holds(rule.get("when"), visible) or (key and key not in visible):
        return []
    if not is_empty(constant):
        return _listed(constant)
    answers = _listed(visible[key]) if key else []
    if not mapping:
        return answers
    return [value for answer in answers for value in _listed(mapping.get(_name(answer)))]


def _listed(value: object) -> list[object]:
    return value if isinstance(value, list) else [] if value is None else [value]


def _name(answer: object) -> str:
    """Returns an answer as a map's key: true, 25, 2.5, 2026-01-31, cloud."""
    number = as_decimal(answer)
    if number is not None:
        return f"{number.normalize() if number else Decimal(0):f}"
    return str(answer).lower() if isinstance(answer, bool) else str(answer)


def _fits(target: str, value: object) -> bool:
    if target == "quantity":
        return 1 <= (as_integer(value) or 0) <= MAX_QUANTITY
    return isinstance(value, str) and value != ""


def _check_answers(violations: Violations, place: str, answers: Iterable[str], question: Values) -> None:
    possible = None
    if question["type"] in CHOICES:
        possible = every_value(question)
    elif question["type"] in ("yes_no", "consent"):
        possible = ["true", "false"]
    for answer in answers:
        if question["type"] in UNMAPPED or (possible is not None and answer not in possible):
            violations.add(f"{place}.{step(answer)}", "invalid_choice", "Is no answer of this question.")
