"""Answers as own fields of leads, and own fields as answers: `hints.lead_fields` maps `fields.region` to a question."""

import datetime
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal, InvalidOperation
from typing import Any

from pipeline.api.fields.own_fields import read_value
from pipeline.database import Row, queries
from pipeline.interviews.answers.answers import check_answer, final
from pipeline.interviews.templates.conditions import OTHER, OTHER_SUFFIX, Answers
from pipeline.interviews.templates.hints import OWN, own_field_keys
from pipeline.validation import Invalid, Values, Violation
from pipeline.validation.violations import nearest

_TEXTS = ("short_text", "long_text", "email", "phone", "url", "single_choice")
# {type of an own field: types of questions that fill it}. An amount has a currency, which no answer has.
FITTING = {
    "text": _TEXTS,
    "number": ("number", "scale"),
    "money": (),
    "date": ("date",),
    "yes_no": ("yes_no", "consent"),
    "choice": ("single_choice",),
    "choices": ("multi_choice",),
    "url": ("url",),
    "email": ("email",),
}
# Types that the text of a hidden field can be.
HIDDEN = ("text", "number", "date", "choice", "url", "email")


def check_own(hints: Values, questions: Sequence[Values], hidden: Sequence[str]) -> Iterator[Violation]:
    """The violations of a template's own lead fields: unknown ones, and questions of another type."""
    keys = own_field_keys(hints)
    known = {row["key"]: row["type"] for row in queries.field_definitions(kind="lead")} if keys else {}
    types = {question["key"]: question["type"] for question in questions}
    for key, asked in keys.items():
        place = f"hints.lead_fields.{OWN}{key}"
        if key not in known:
            yield Violation(place, "unknown_key", f"There is no such field.{nearest(key, list(known))}")
        elif (types[asked] not in FITTING[known[key]]) if asked in types else known[key] not in HIDDEN:
            yield Violation(place, "wrong_question_type", f"The answer does not fit a field of type {known[key]}.")


def own_values(version: Row, visible: Answers, hidden: Mapping[str, str]) -> Values:
    """The own fields of a form's lead: defaults, then the answers that fit; the response keeps the others."""
    rows, keys = queries.public_fields(), own_field_keys(version["hints"])
    questions = {question["key"]: question for question in version["questions"]}
    values = {row["key"]: row["default"] for row in rows if row["default"] is not None}
    for row in rows:
        asked = keys.get(row["key"])
        given = hidden.get(asked) if asked and asked not in questions else visible.get(asked or "")
        if given is not None and (value := _fitting(row, _said(row, given, visible, questions.get(asked or "")))):
            values[row["key"]] = value[0]
    return values


def _said(field: Row, given: Any, visible: Answers, question: Values | None) -> Any:
    """An answer in the words of the field: options by their value or label, numbers of hidden fields as such."""
    if question is None and field["type"] == "number":
        return _number(given)
    labels = {option["value"]: option["label"] for option in (question or {}).get("options", ())}
    other = visible.get(f"{(question or {}).get('key')}{OTHER_SUFFIX}")

    def word(value: Any) -> Any:
        value = other if value == OTHER and other is not None else value
        return labels.get(value, value) if field["options"] and value not in field["options"] else value

    return [word(value) for value in given] if isinstance(given, list) else word(given)


def _number(text: str) -> Decimal | str:
    try:
        return Decimal(text)
    except InvalidOperation:
        return text


def _fitting(field: Row, value: Any) -> list[Any]:
    try:
        return [read_value(field, "", value)]
    except Invalid:
        return []


def own_answers(version: Row, fields: Values, today: datetime.date) -> Answers:
    """The answers that a lead's own fields give to the questions of a form."""
    keys = own_field_keys(version["hints"])
    found: Answers = {}
    for question in version["questions"]:
        for key, asked in keys.items():
            if asked != question["key"] or key not in fields:
                continue
            values = {option["label"]: option["value"] for option in question.get("options", ())}
            value = fields[key]
            given = [values.get(one, one) for one in value] if isinstance(value, list) else values.get(value, value)
            answer = final({asked: given}).get(asked)
            if answer is not None and not check_answer(question, answer, today):
                found[asked] = answer
    return found
