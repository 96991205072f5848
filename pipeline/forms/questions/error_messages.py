"""Violations as sentences for a prospect."""

import datetime
import re
from collections.abc import Iterable, Mapping
from typing import Any

from pipeline.files.content import HOLDS
from pipeline.forms.translations import Texts
from pipeline.interviews.answers.answers import answer_key
from pipeline.interviews.templates.conditions import OTHER_SUFFIX
from pipeline.interviews.templates.questions import (
    ACCEPTED,
    MAX_FILE_MIB,
    OTHER_LENGTH,
    TEXT_LENGTHS,
    date_bounds,
    extensions,
    longest,
    scale_bounds,
)
from pipeline.interviews.templates.translations import Untranslated
from pipeline.validation import Values, Violation
from pipeline.validation.dates import as_date
from pipeline.validation.numbers import as_decimal, is_portable
from pipeline.validation.violations import step

# Sentences of missing answers by question type; the others share `error.required`.
ASKED = {"yes_no": "choice", "single_choice": "choice", "scale": "choice", "multi_choice": "choices"}


class Named(str):
    """A sentence that names its question."""


# {key or key.part: sentences}
Said = dict[str, list[str]]


def sentences(
    violations: Iterable[Violation],
    questions: list[Values],
    answers: Mapping[str, Any],
    texts: Texts,
    today: datetime.date,
) -> Said:
    """{answer key: sentences}, and {key.part: sentences} for a row or line. today: for bounds of dates."""
    by_key = {question["key"]: question for question in questions}
    said: Said = {}
    for violation in violations:
        key, place = answer_key(violation), violation.name.removeprefix("answers.")
        question = by_key.get(key.removesuffix(OTHER_SUFFIX))
        if question is None:
            continue
        sentence: str
        is_part, part = place != key, place.removeprefix(f"{key}.")
        if is_part and violation.code == "required" and question["type"] != "file":
            rows = {step(row["value"]): row["label"] for row in question.get("rows", ())}
            name = rows.get(part) or texts(f"address.{part}")
            sentence = Named(texts("error.part_required", part=name, label=question["label"]))
        else:
            code = _file_code(violation, part, question) if is_part else violation.code
            sentence = _sentence(code, key, question, answers.get(key), texts, today)
        if is_part and question["type"] == "file":
            place, sentence = key, texts("errors.link", label=part, error=sentence)
        said.setdefault(place, []).append(sentence)
    return said


def all_about(key: str, said: Said) -> list[str]:
    return [sentence for place, some in said.items() if re.split(r"\.|__", place)[0] == key for sentence in some]


def linked(sentence: str, label: str, texts: Texts) -> str:
    return sentence if isinstance(sentence, Named) else texts("errors.link", label=label, error=sentence)


def _file_code(violation: Violation, filename: str, question: Values) -> str:
    """The reason of a refusal."""
    if violation.code == "required" and question["type"] == "file":
        return "empty_file"
    if violation.code != "unsupported_file" or question["type"] != "file":
        return violation.code
    if filename.rpartition(".")[2].lower() not in extensions(question):
        return violation.code
    return "active_file" if violation.message.startswith(HOLDS) else "damaged_file"


def _own_message(code: str, question: Values) -> str | None:
    name = {"required": "required", "must_be_true": "required", "invalid_format": "pattern"}.get(code, "")
    own: str | None = question.get("messages", {}).get(name)
    # In another language the page's own sentence says more.
    return None if isinstance(own, Untranslated) else own


def _sentence(code: str, key: str, question: Values, answer: object, texts: Texts, today: datetime.date) -> str:
    about_other = key != question["key"]
    own = None if about_other else _own_message(code, question)
    if own:
        return Named(own)
    exclusive = ", ".join(option["label"] for option in question.get("options", ()) if option.get("exclusive") is True)
    values = {**question, "exclusive": exclusive}
    if question["type"] == "file":
        values |= file_rules(question)
    if about_other or question["type"] in TEXT_LENGTHS:
        values["max_length"] = OTHER_LENGTH if about_other else longest(question)
    elif code == "too_long":  # a date or an address line
        code = "invalid_date" if question["type"] == "date" else "wrong_type"
    if code == "out_of_range":
        code, bounds = _range(question, answer, texts, today)
        values |= bounds
    elif code == "required" and about_other:
        code = "other_required"
    elif question["type"] == "ranking" and f"error.ranking_{code}" in texts.words:
        code = f"ranking_{code}"
    elif code == "required" and question["type"] == "consent":
        code = "must_be_true"
    elif code == "required":
        own_name = f"required_{ASKED.get(question['type'], question['type'])}"
        code = own_name if f"error.{own_name}" in texts.words else code
    name = f"error.{code}"
    name = name if name in texts.words else "error.wrong_type"
    return Named(texts(name, **values)) if "{label}" in texts.words[name] else texts(name, **values)


def file_rules(question: Values) -> dict[str, Any]:
    return {
        "max_files": question.get("max_files") or 1,
        "max_size": question.get("max_size") or MAX_FILE_MIB,
        "accept": ", ".join(kind.upper() for kind in question.get("accept") or ACCEPTED),
    }


def _range(question: Values, answer: object, texts: Texts, today: datetime.date) -> tuple[str, dict[str, Any]]:
    if question["type"] == "date":
        first, last = date_bounds(question, today)
        day = as_date(answer)
        if first and day and day < first:
            return "from", {"min": texts.date(first)}
        return "until", {"max": texts.date(last) if last else ""}
    number = as_decimal(answer)
    if number is None or not is_portable(number):
        return "too_many_digits", {}
    low, high = scale_bounds(question) if question["type"] == "scale" else (question.get("min"), question.get("max"))
    if low is not None and number < low:
        return "at_least", {"min": texts.number(low)}
    return "at_most", {"max": "" if high is None else texts.number(high)}
