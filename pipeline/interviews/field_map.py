"""The field map: rules that turn answers into the keys of a draft product configuration."""

from decimal import Decimal

from pipeline.interviews.checks import (
    Checker,
    Findings,
    anything,
    at,
    choice,
    integer,
    is_absent,
    listing,
    members,
    record,
    text,
)
from pipeline.interviews.condition_checks import Known, check_condition, check_key
from pipeline.interviews.conditions import every_value, holds
from pipeline.interviews.questions import CHOICES, TEXT_LENGTHS
from pipeline.interviews.values import as_integer, as_number

KEY = text(100)
MAX_RULES = 200
MAX_QUANTITY = 2**31 - 1
COLLECTED = ("platform_keys", "feature_keys")
TARGETS = (*COLLECTED, "license_type", "quantity")
RULE = record(
    {"target": choice(TARGETS), "question": anything, "map": anything, "value": anything, "when": anything}, ("target",)
)
FIELD_MAP = listing(RULE, 0, MAX_RULES)


def apply(field_map: list[dict] | None, visible: dict[str, object]) -> dict[str, object]:
    """Apply a checked field map to the visible answers, rule by rule.

    Returns {"platform_keys": [str], "feature_keys": [str], "license_type": str | None,
    "quantity": int | None}. The keys are a union in first-seen order; the other two are what the first
    yielding rule gives.
    """
    result: dict[str, object] = {"platform_keys": [], "feature_keys": [], "license_type": None, "quantity": None}
    for rule in field_map or []:
        target = rule["target"]
        values = [value for value in _yielded(rule, visible) if _fits(target, value)]
        if target in COLLECTED:
            result[target] = list(dict.fromkeys([*result[target], *values]))
        elif result[target] is None and values:
            result[target] = as_integer(values[0]) if target == "quantity" else values[0]
    return result


def check_field_map(found: Findings, place: str, field_map: object, known: Known) -> None:
    """Check the rules: known questions, a source that can yield the target, values that fit it."""
    FIELD_MAP(found, place, field_map)
    for index, rule in members(field_map):
        where = at(place, index)
        if not is_absent(rule.get("when")):
            check_condition(found, at(where, "when"), rule["when"], known)
        if rule.get("target") in TARGETS:
            _check_source(found, where, rule, known)


def _yielded(rule: dict, visible: dict[str, object]) -> list[object]:
    """The values of one rule: its constant, what its map makes of the answers, or the answers themselves.

    With a question, a rule yields only when that question is answered; the constant too.
    """
    key, mapping, constant = rule.get("question"), rule.get("map"), rule.get("value")
    if not holds(rule.get("when"), visible) or (key and key not in visible):
        return []
    if not is_absent(constant):
        return _listed(constant)
    answers = _listed(visible[key])
    if not mapping:
        return answers
    return [value for answer in answers for value in _listed(mapping.get(_name(answer)))]


def _listed(value: object) -> list[object]:
    return value if isinstance(value, list) else [] if value is None else [value]


def _name(answer: object) -> str:
    """An answer as a key of a map: true, 25, 2.5, 2026-01-31, cloud."""
    number = as_number(answer)
    if number is not None:
        return f"{number.normalize() if number else Decimal(0):f}"
    return str(answer).lower() if isinstance(answer, bool) else str(answer)


def _fits(target: str, value: object) -> bool:
    if target == "quantity":
        return 1 <= (as_integer(value) or 0) <= MAX_QUANTITY
    return isinstance(value, str) and value != ""


def _check_source(found: Findings, place: str, rule: dict, known: Known) -> None:
    key, mapping, constant = (rule.get(name) for name in ("question", "map", "value"))
    target, constant_given = rule["target"], not is_absent(constant)
    item: Checker = integer(1, MAX_QUANTITY) if target == "quantity" else KEY
    values = _one_or_many(item) if target in COLLECTED else item
    if constant_given:
        values(found, at(place, "value"), constant)
    if constant_given and not is_absent(mapping):
        found.add(at(place, "map"), "conflict", "A rule has a map or a constant value, not both.")
    if is_absent(key):
        if not constant_given:
            found.add(at(place, "question"), "required", "Is required in a rule without a constant value.")
        return
    if not check_key(found, at(place, "question"), key, known):
        return
    if not is_absent(mapping):
        _check_map(found, at(place, "map"), mapping, known.sound[key], values)
    elif not constant_given and known.sound[key]["type"] not in _source_types(target):
        message = f"An answer of type {known.sound[key]['type']} cannot be the {target}; use a map."
        found.add(at(place, "question"), "wrong_question_type", message)


def _source_types(target: str) -> tuple[str, ...]:
    if target == "quantity":
        return ("number", "scale")
    return (*TEXT_LENGTHS, *CHOICES) if target in COLLECTED else (*TEXT_LENGTHS, "single_choice")


def _check_map(found: Findings, place: str, mapping: object, question: dict, values: Checker) -> None:
    if not isinstance(mapping, dict):
        found.add(place, "wrong_type", "Must be an object.")
        return
    if not mapping:
        found.add(place, "required", "Must have at least 1 answer.")
    answers = None
    if question["type"] in CHOICES:
        answers = every_value(question)
    elif question["type"] in ("yes_no", "consent"):
        answers = ["true", "false"]
    for answer, value in mapping.items():
        where = at(place, answer)
        if question["type"] == "statement" or (answers is not None and answer not in answers):
            found.add(where, "invalid_choice", "Is no answer of this question.")
        values(found, where, value)


def _one_or_many(item: Checker) -> Checker:
    def check(found: Findings, place: str, value: object) -> None:
        (listing(item, 1, 200) if isinstance(value, list) else item)(found, place, value)

    return check
