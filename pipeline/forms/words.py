"""Answers in words: as their prospect reads them on the review, and the rep afterwards."""

from collections.abc import Callable, Iterable, Mapping
from decimal import Decimal
from typing import Any

from pipeline.forms.texts import Texts
from pipeline.interviews.conditions import OTHER_SUFFIX
from pipeline.interviews.questions import CHOICES, scale_bounds
from pipeline.validation import Values
from pipeline.validation.dates import as_date


def written(answer: object) -> str:
    """An answer as the text of a control."""
    if isinstance(answer, Decimal):
        return format(answer, "f")
    return str(answer) if isinstance(answer, (str, int)) and not isinstance(answer, bool) else ""


def labels_of(items: Iterable[Values]) -> dict[str, str]:
    """The label of each value of options, rows or columns."""
    return {item["value"]: item["label"] for item in items}


def in_words(question: Values, answers: Mapping[str, Any], texts: Texts) -> list[str]:
    """A visible answer as its prospect reads it: a text for each option chosen, none without an answer."""
    answer = answers.get(question["key"])
    if answer is None:
        return [texts("question.no")] if question["type"] == "consent" else []
    if isinstance(answer, bool):
        return [texts("question.yes" if answer else "question.no")]
    if question["type"] in COMPOSED:
        return COMPOSED[question["type"]](question, answer, texts)
    if question["type"] in CHOICES:
        labels = labels_of(question["options"])
        other = answers.get(question["key"] + OTHER_SUFFIX) or texts("question.other")
        return [labels.get(value, other) for value in (answer if isinstance(answer, list) else [answer])]
    if question["type"] == "date":
        day = as_date(answer)
        return [texts.date(day) if day else answer]
    if question["type"] == "scale":
        return [_on_scale(question, answer, texts)]
    if question["type"] == "number":
        unit = question.get("unit")
        return [f"{texts.number(answer)} {unit}" if unit else texts.number(answer)]
    return [written(answer)]


def _on_scale(question: Values, answer: object, texts: Texts) -> str:
    """A step of a scale with what it is measured by: `2 of 5 (1: poor, 5: great)`."""
    low, high = scale_bounds(question)
    name = "review.scale" if low in (0, 1) else "review.scale_between"
    ends = ((low, question.get("min_label")), (high, question.get("max_label")))
    labels = texts("list.separator").join(f"{step}: {label}" for step, label in ends if label)
    words = texts(name, step=answer, low=low, high=high)
    return f"{words} ({labels})" if labels else words


def _ranked(question: Values, answer: list[str], texts: Texts) -> list[str]:
    """The options in their order, each with its place."""
    labels = labels_of(question["options"])
    return [f"{texts.number(place)}. {labels[value]}" for place, value in enumerate(answer, 1)]


def _cells(question: Values, answer: Mapping[str, str], texts: Texts) -> list[str]:
    """The rows that are answered, each with its column."""
    columns = labels_of(question["columns"])
    return [
        texts("review.cell", row=row["label"], column=columns[answer[row["value"]]])
        for row in question["rows"]
        if row["value"] in answer
    ]


def _address(question: Values, answer: Mapping[str, str], texts: Texts) -> list[str]:
    """The lines of an address."""
    country = answer.get("country")
    city = " ".join(answer[part] for part in ("postal_code", "city") if part in answer)
    lines = (answer.get("street"), city, answer.get("region"), country and texts.countries[country])
    return [line for line in lines if line]


def _files(question: Values, answer: list[Values], texts: Texts) -> list[str]:
    """The names of the files, each with its size."""
    return [f"{file['filename']} ({size_of(file, texts)})" for file in answer]


def size_of(file: Values, texts: Texts) -> str:
    """The size of a file as people read it."""
    kilobytes = max(1, round(file["size"] / 1000))
    return f"{texts.number(kilobytes)} kB" if kilobytes < 1000 else f"{texts.number(round(kilobytes / 1000, 1))} MB"


COMPOSED: dict[str, Callable[[Values, Any, Texts], list[str]]] = {
    "file": _files,
    "ranking": _ranked,
    "matrix": _cells,
    "address": _address,
}
