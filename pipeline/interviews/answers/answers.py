"""Checks answers; violations are named `answers.<key>` or `answers.<key>.<part>`."""

import datetime
from collections.abc import Callable
from decimal import Decimal
from typing import Any, TypeVar

from pipeline.interviews.templates.answer_shapes import ADDRESS_REQUIRED, shape_of
from pipeline.interviews.templates.conditions import (
    OTHER_SUFFIX,
    Answers,
    Visible,
    chose_other,
    is_empty,
    is_required,
    visible,
)
from pipeline.interviews.templates.questions import (
    TEXT_LENGTHS,
    TODAY_LEEWAY,
    characters,
    date_bounds,
    longest,
    scale_bounds,
)
from pipeline.validation import Email, Phone, Url, Values, Violation, Violations, WrittenDate
from pipeline.validation.dates import as_date
from pipeline.validation.formats import compiled
from pipeline.validation.numbers import as_decimal, as_integer
from pipeline.validation.types import composed, narrow
from pipeline.validation.violations import step

Ordered = TypeVar("Ordered", datetime.date, Decimal)
FORMATS = {"email": Email(), "phone": Phone(), "url": Url(), "date": WrittenDate()}


def narrowed(questions: list[Values], patch: Answers) -> Answers:
    """Returns the answers with typed texts in narrow signs; values of options stay."""
    typed = {question["key"] for question in questions if question["type"] in (*TEXT_LENGTHS, "date", "address")}
    return {
        key: _narrow(answer) if key in typed or key.endswith(OTHER_SUFFIX) else answer for key, answer in patch.items()
    }


def _narrow(answer: Any) -> Any:
    if isinstance(answer, dict):
        return {name: _narrow(part) for name, part in answer.items()}
    return narrow(answer) if isinstance(answer, str) else answer


def check_shape(questions: list[Values], patch: object) -> Violations:
    """Returns the violations of unfinished answers, any JSON; null and "" clear an answer."""
    violations = Violations()
    if not isinstance(patch, dict):
        violations.add("answers", "wrong_type", wanted="an object")
        return violations
    by_key = {question["key"]: question for question in questions if question["type"] != "statement"}
    for key, answer in patch.items():
        kind = shape_of(by_key, key)
        if kind is None:
            violations.add(f"answers.{step(key)}", "unknown_question", key=key[:80])
        elif answer != "":
            violations.check(f"answers.{step(key)}", kind.load, answer)
    return violations


def clean(patch: Answers, trim: bool = False) -> tuple[Answers, list[str]]:
    """Returns (answers to set, keys to clear); normalises to NFC, and 1.0 to 1."""
    plain = {key: _plain(answer, trim) for key, answer in patch.items()}
    to_set = {key: answer for key, answer in plain.items() if not is_empty(answer)}
    return to_set, [key for key, answer in plain.items() if is_empty(answer)]


def final(answers: Answers) -> Answers:
    """Returns trimmed answers, without empty ones."""
    return clean(answers, trim=True)[0]


def check_complete(seen: Visible, today: datetime.date) -> Violations:
    """Returns the violations of final answers; `today` replaces "today" in date bounds."""
    violations, counting = Violations(), seen.counting
    for question in seen.questions:
        key, required = question["key"], question["type"] != "statement" and is_required(question, counting)
        if key in counting:
            violations.take(f"answers.{key}", check_answer(question, counting[key], today, required))
            if chose_other(question, counting[key]) and key + OTHER_SUFFIX not in counting:
                violations.add(f"answers.{key}{OTHER_SUFFIX}", "required", "Please say what you mean by other.")
        elif required:
            violations.add(f"answers.{key}", "required", "Please answer this question.")
    return violations


def check_replacing(
    form: Values, given: Answers, stored: Callable[[], Answers], hidden: dict[str, str], today: datetime.date
) -> Violations:
    """Returns the violations of given answers whose stored answer is valid; consents may be withdrawn."""
    violations, given = Violations(), final(given)
    invalid = [
        question
        for question in form["questions"]
        if question["key"] in given
        and question["type"] not in ("consent", "file")
        and check_answer(question, given[question["key"]], today, required=True)
    ]
    if not invalid:
        return violations
    before = final(stored())
    counting = visible(form, {**before, **given}, hidden).counting
    for question in invalid:
        key, required = question["key"], is_required(question, counting)
        if key in before and not check_answer(question, before[key], today, required):
            violations.take(f"answers.{key}", check_answer(question, given[key], today, required))
    return violations


def answer_key(violation: Violation) -> str:
    return violation.name.removeprefix("answers.").partition(".")[0]


def _plain(answer: object, trim: bool) -> object:
    if isinstance(answer, dict):
        parts = composed(answer, trim)
        return {name: part for name, part in parts.items() if not is_empty(part)}
    integer = as_integer(answer)
    return composed(answer, trim) if integer is None else integer


def check_answer(question: Values, answer: Any, today: datetime.date, required: bool = False) -> Violations:
    violations, kind = Violations(), question["type"]
    if kind in FORMATS:
        violations.check("", FORMATS[kind].load, answer)
    if kind in ("short_text", "long_text"):
        _check_text(violations, question, answer)
    elif kind == "consent" and question.get("required") is True and answer is not True:
        violations.add("", "must_be_true")
    elif kind == "multi_choice":
        _check_selection(violations, question, answer)
    elif kind == "ranking" and len(answer) < int(question.get("min_ranked") or 0):
        violations.add("", "too_few", f"Rank at least {question['min_ranked']}.")
    elif kind in ("matrix", "address"):
        _check_parts(violations, question, answer, required)
    elif kind in ("number", "scale", "date") and not violations:
        _check_bounds(violations, question, answer, today)
    return violations


def _check_parts(violations: Violations, question: Values, answer: Values, required: bool) -> None:
    parts = [row["value"] for row in question["rows"]] if question["type"] == "matrix" else ADDRESS_REQUIRED
    for part in parts:
        if required and part not in answer:
            violations.add(step(part), "required")


def _check_text(violations: Violations, question: Values, answer: str) -> None:
    low, pattern = int(question.get("min_length") or 0), question.get("pattern")
    if characters(answer) < low:
        violations.add("", "too_short", least=low)
    if characters(answer) > longest(question):
        violations.add("", "too_long", most=longest(question), of="characters")
    if pattern and (expression := compiled(pattern)) is not None and not expression.fullmatch(answer):
        violations.add("", "invalid_format")


def _check_bounds(violations: Violations, question: Values, answer: object, today: datetime.date) -> None:
    kind = question["type"]
    if kind == "date":
        _check_range(violations, as_date(answer), *date_bounds(question, today, TODAY_LEEWAY))
        return
    low, high = scale_bounds(question) if kind == "scale" else (question.get("min"), question.get("max"))
    if kind == "number" and question.get("integer") is True and as_integer(answer) is None:
        violations.add("", "not_an_integer")
    _check_range(violations, as_decimal(answer), as_decimal(low), as_decimal(high))


def _check_range(violations: Violations, value: Ordered | None, low: Ordered | None, high: Ordered | None) -> None:
    if value is None:
        return
    if low is not None and value < low:
        violations.add("", "out_of_range", f"Must be at least {low}.")
    if high is not None and value > high:
        violations.add("", "out_of_range", f"Must be at most {high}.")


def _check_selection(violations: Violations, question: Values, answer: list[str]) -> None:
    exclusive = [option["value"] for option in question["options"] if option.get("exclusive") is True]
    alone = any(value in exclusive for value in answer)
    low, high = int(question.get("min_selected") or 0), question.get("max_selected")
    if alone and len(answer) > 1:
        violations.add("", "exclusive_option")
    # An exclusive option alone is valid, even below `min_selected`.
    if len(answer) < low and not alone:
        violations.add("", "too_few", least=low)
    if high is not None and len(answer) > high:
        violations.add("", "too_many", most=int(high))
