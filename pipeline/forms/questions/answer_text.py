"""Answers in words."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any

from markupsafe import Markup, escape

from pipeline.forms.questions.numbers import is_ambiguous
from pipeline.forms.translations import Texts
from pipeline.interviews.templates.conditions import OTHER_SUFFIX
from pipeline.interviews.templates.questions import CHOICES, scale_bounds
from pipeline.validation import Values
from pipeline.validation.dates import as_date


def written(answer: object) -> str:
    """The text of a control."""
    if isinstance(answer, Decimal):
        text = format(answer, "f")
        return f"{text}0" if is_ambiguous(text) else text  # it is read again
    return str(answer) if isinstance(answer, (str, int)) and not isinstance(answer, bool) else ""


def labels_of(items: Iterable[Values], marked: Callable[[str], str]) -> dict[str, str]:
    """{value: label} of options, rows or columns."""
    return {item["value"]: marked(item["label"]) for item in items}


def in_words(
    question: Values, answers: Mapping[str, Any], texts: Texts, marked: Callable[[str], str] = str
) -> list[str]:
    """A text for each chosen option. marked: converts labels; Markup labels give Markup texts."""
    answer = answers.get(question["key"])
    if answer is None:
        return [texts("question.no")] if question["type"] == "consent" else []
    if isinstance(answer, bool):
        return [texts("question.yes" if answer else "question.no")]
    if question["type"] in COMPOSED:
        return COMPOSED[question["type"]](question, answer, texts, marked)
    if question["type"] in CHOICES:
        return chosen_labels(question, answers, texts, marked)
    if question["type"] == "date":
        day = as_date(answer)
        return [texts.date(day) if day else answer]
    if question["type"] == "scale":
        return [_on_scale(question, answer, texts, marked)]
    if question["type"] == "number":
        unit = question.get("unit")
        return [
            _filled("{number} {unit}", number=texts.number(answer), unit=marked(unit)) if unit else texts.number(answer)
        ]
    return [written(answer)]


def chosen_labels(
    question: Values, answers: Mapping[str, Any], texts: Texts, marked: Callable[[str], str]
) -> list[str]:
    """The labels of an answered choice."""
    answer, labels = answers[question["key"]], labels_of(question["options"], marked)
    other = answers.get(question["key"] + OTHER_SUFFIX) or texts("question.other")
    return [labels.get(value, other) for value in (answer if isinstance(answer, list) else [answer])]


def _filled(pattern: str, **values: object) -> str:
    """Returns Markup if a value is."""
    return (escape(pattern) if _has_markup(values.values()) else pattern).format(**values)


def _joined(separator: str, parts: Sequence[str]) -> str:
    return (escape(separator) if _has_markup(parts) else separator).join(parts)


def _has_markup(texts: Iterable[object]) -> bool:
    return any(isinstance(text, Markup) for text in texts)


def _on_scale(question: Values, answer: object, texts: Texts, marked: Callable[[str], str]) -> str:
    """`2 of 5 (1: poor, 5: great)`."""
    low, high = scale_bounds(question)
    name = "review.scale" if low in (0, 1) else "review.scale_between"
    ends = ((low, question.get("min_label")), (high, question.get("max_label")))
    labels = [_filled("{step}: {label}", step=step, label=marked(label)) for step, label in ends if label]
    words = texts(name, step=answer, low=low, high=high)
    together = _joined(texts("list.separator"), labels)
    return _filled("{words} ({together})", words=words, together=together) if labels else words


def _ranked(question: Values, answer: list[str], texts: Texts, marked: Callable[[str], str]) -> list[str]:
    labels = labels_of(question["options"], marked)
    return [
        _filled("{place}. {label}", place=texts.number(place), label=labels[value])
        for place, value in enumerate(answer, 1)
    ]


def _cells(question: Values, answer: Mapping[str, str], texts: Texts, marked: Callable[[str], str]) -> list[str]:
    rows, columns = labels_of(question["rows"], marked), labels_of(question["columns"], marked)
    return [
        _filled(texts("review.cell"), row=rows[row["value"]], column=columns[answer[row["value"]]])
        for row in question["rows"]
        if row["value"] in answer
    ]


def _address(question: Values, answer: Mapping[str, str], texts: Texts, marked: Callable[[str], str]) -> list[str]:
    country = answer.get("country")
    city = " ".join(answer[part] for part in ("postal_code", "city") if part in answer)
    lines = (answer.get("street"), city, answer.get("region"), country and texts.countries[country])
    return [line for line in lines if line]


def _files(question: Values, answer: list[Values], texts: Texts, marked: Callable[[str], str]) -> list[str]:
    return [f"{file['filename']} ({size_of(file, texts)})" for file in answer]


def size_of(file: Values, texts: Texts) -> str:
    """In kB or MB."""
    kilobytes = max(1, round(file["size"] / 1000))
    return f"{texts.number(kilobytes)} kB" if kilobytes < 1000 else f"{texts.number(round(kilobytes / 1000, 1))} MB"


COMPOSED: dict[str, Callable[[Values, Any, Texts, Callable[[str], str]], list[str]]] = {
    "file": _files,
    "ranking": _ranked,
    "matrix": _cells,
    "address": _address,
}
