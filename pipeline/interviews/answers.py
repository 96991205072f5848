"""Answers of a prospect: what may be saved while typing, and what must be right at submit.

Violations are named `answers.<key>`. Only known keys with bounded values are ever saved, so answers cannot
grow without limit.
"""

import datetime
from collections.abc import Iterator

from pipeline.errors import Violation
from pipeline.interviews.checks import Findings, at, compiled
from pipeline.interviews.conditions import OTHER_SUFFIX, chose_other, every_value, is_required, visible
from pipeline.interviews.questions import CHOICES, OTHER_LENGTH, TEXT_LENGTHS, longest, scale_bounds
from pipeline.interviews.values import (
    DATE_LENGTH,
    FORMATS,
    as_date,
    as_integer,
    as_number,
    is_empty,
    is_portable,
    is_storable,
    normalised,
)

Flaw = tuple[str, str]
"""A code and a message."""


def check_shape(questions: list[dict], patch: object) -> list[Violation]:
    """Check answers for saving: known keys, JSON types, existing options, lengths; not completeness.

    null and "" clear an answer and are always right for a known key. `patch` may be any JSON; no exception.
    """
    found = Findings()
    if not isinstance(patch, dict):
        found.add("answers", "wrong_type", "Must be an object.")
        return found
    by_key = {question["key"]: question for question in questions if question["type"] != "statement"}
    for key, answer in patch.items():
        flaw = _shape_flaw(by_key, key, answer)
        if flaw:
            found.add(at("answers", key), *flaw)
    return found


def clean(patch: dict[str, object], trim: bool = False) -> tuple[dict[str, object], list[str]]:
    """Split checked answers into (what to set, which keys to clear).

    Texts are NFC-normalised, and trimmed only when asked to, for the prospect may still be typing; 1.0 is
    stored as 1.
    """
    plain = {key: _plain(answer, trim) for key, answer in patch.items()}
    to_set = {key: answer for key, answer in plain.items() if not is_empty(answer)}
    return to_set, [key for key, answer in plain.items() if is_empty(answer)]


def final(answers: dict[str, object]) -> dict[str, object]:
    """The answers as they are checked and kept at submit: trimmed, without those that are empty then."""
    return clean(answers, trim=True)[0]


def check_complete(
    pages: list[dict], questions: list[dict], answers: dict[str, object], today: datetime.date
) -> list[Violation]:
    """Check every visible question for submit, against shape-checked answers; [] means they may be locked.

    `today` is the date that "today" means in the bounds of date questions.
    """
    found = Findings()
    shown, counting = visible(pages, questions, final(answers))
    for question in shown:
        key = question["key"]
        if key in counting:
            for code, message in _flaws(question, counting[key], today):
                found.add(at("answers", key), code, message)
            if chose_other(question, counting[key]) and key + OTHER_SUFFIX not in counting:
                found.add(at("answers", key + OTHER_SUFFIX), "required", "Please say what you mean by other.")
        elif question["type"] != "statement" and is_required(question, counting):
            found.add(at("answers", key), "required", "Please answer this question.")
    return found


def _plain(answer: object, trim: bool) -> object:
    integer = as_integer(answer)
    return normalised(answer, trim) if integer is None else integer


def _shape_flaw(by_key: dict[str, dict], key: str, answer: object) -> Flaw | None:
    question = by_key.get(key)
    owner = by_key.get(key.removesuffix(OTHER_SUFFIX)) if question is None else None
    if question is None and not (owner and owner.get("allow_other") and key.endswith(OTHER_SUFFIX)):
        return "unknown_question", f'Question "{key[:80]}" is not defined.'
    if answer is None or answer == "":
        return None
    if question is None:
        return _text_flaw(answer, OTHER_LENGTH)
    kind = question["type"]
    if kind in TEXT_LENGTHS:
        return _text_flaw(answer, longest(question))
    if kind == "date":
        return _text_flaw(answer, DATE_LENGTH)
    if kind in CHOICES:
        return _choice_flaw(question, answer)
    if kind in ("yes_no", "consent"):
        return None if isinstance(answer, bool) else ("wrong_type", "Must be true or false.")
    return _number_flaw(kind, answer)


def _text_flaw(answer: object, max_length: int) -> Flaw | None:
    if not isinstance(answer, str):
        return "wrong_type", "Must be a string."
    if not is_storable(answer):
        return "invalid_characters", "Must not hold NUL characters or lone surrogates."
    # Normalisation can lengthen a text; what counts is what is stored.
    if len(answer) > max_length or len(normalised(answer, trim=False)) > max_length:
        return "too_long", f"Must have at most {max_length} characters."
    return None


def _number_flaw(kind: str, answer: object) -> Flaw | None:
    number = as_number(answer)
    if number is None or (kind == "scale" and as_integer(answer) is None):
        return "wrong_type", "Must be an integer." if kind == "scale" else "Must be a number."
    if not is_portable(number):
        return "out_of_range", "Must have at most 15 digits."
    return None


def _choice_flaw(question: dict, answer: object) -> Flaw | None:
    values = set(every_value(question))
    picked = answer if question["type"] == "multi_choice" else [answer]
    if not isinstance(picked, list):
        return "wrong_type", "Must be an array of option values."
    if not all(isinstance(value, str) for value in picked):
        return "wrong_type", "Must be an option value, a string."
    unknown = next((value for value in picked if normalised(value, trim=False) not in values), None)
    if unknown is not None:
        return "invalid_choice", f'"{unknown[:80]}" is no option of this question.'
    if len({normalised(value, trim=False) for value in picked}) < len(picked):
        return "duplicate_option", "Must name each option at most once."
    return None


def _flaws(question: dict, answer: object, today: datetime.date) -> Iterator[Flaw]:
    """Everything that keeps a non-empty answer of a visible question from being accepted."""
    kind = question["type"]
    if kind in FORMATS and not FORMATS[kind](answer):
        yield f"invalid_{kind}", f"Is no valid {'URL' if kind == 'url' else kind}."
    elif kind in TEXT_LENGTHS:
        yield from _text_flaws(question, answer)
    elif kind == "consent" and question.get("required") is True and answer is not True:
        yield "must_be_true", "Please give your consent."
    elif kind == "multi_choice":
        yield from _selection_flaws(question, answer)
    elif kind in ("number", "scale", "date"):
        yield from _bound_flaws(question, answer, today)


def _text_flaws(question: dict, answer: str) -> Iterator[Flaw]:
    low, pattern = as_number(question.get("min_length")) or 0, question.get("pattern")
    if len(answer) < low:
        yield "too_short", f"Must have at least {int(low)} characters."
    if len(answer) > longest(question):
        yield "too_long", f"Must have at most {longest(question)} characters."
    if pattern and not compiled(pattern).fullmatch(answer):
        yield "invalid_format", "Does not have the expected form."


def _bound_flaws(question: dict, answer: object, today: datetime.date) -> Iterator[Flaw]:
    kind = question["type"]
    if kind == "scale":
        value, (low, high) = as_number(answer), scale_bounds(question)
    elif kind == "date":
        value = as_date(answer)
        low, high = (today if bound == "today" else as_date(bound) for bound in _bounds(question))
    else:
        value, (low, high) = as_number(answer), (as_number(bound) for bound in _bounds(question))
    if kind == "number" and question.get("integer") is True and as_integer(answer) is None:
        yield "not_an_integer", "Must be a whole number."
    if low is not None and value < low:
        yield "out_of_range", f"Must be at least {low}."
    if high is not None and value > high:
        yield "out_of_range", f"Must be at most {high}."


def _bounds(question: dict) -> tuple[object, object]:
    return question.get("min"), question.get("max")


def _selection_flaws(question: dict, answer: list[str]) -> Iterator[Flaw]:
    exclusive = [option["value"] for option in question["options"] if option.get("exclusive") is True]
    alone = any(value in exclusive for value in answer)
    low, high = as_number(question.get("min_selected")) or 0, as_number(question.get("max_selected"))
    if alone and len(answer) > 1:
        yield "exclusive_option", "This option cannot be combined with others."
    # "None of these" is a whole answer, however many are asked for.
    if len(answer) < low and not alone:
        yield "too_few", f"Select at least {int(low)}."
    if high is not None and len(answer) > high:
        yield "too_many", f"Select at most {int(high)}."
