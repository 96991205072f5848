"""Limits the work of rendering: Markdown marks and form controls."""

import re
from collections.abc import Iterable, Iterator
from typing import Any

from pipeline.interviews.templates.answer_shapes import COUNTRIES
from pipeline.interviews.templates.questions import scale_bounds
from pipeline.interviews.templates.translations import TranslatableText, translatable_texts
from pipeline.validation import Values, Violations
from pipeline.validation.violations import step

# A line end counts, because a dash after it begins a list item.
MARK = re.compile(r"[\n*\[\]\\]")
# Per language; the parser takes 10 to 40 µs per mark.
MOST_MARKS = 3000
# Fields in Markdown, and the types of questions whose label is.
MARKDOWN, LABELLED = ("description", "help", "body"), ("consent", "statement")
# Per page, about 25 ms of CPU.
MOST_CONTROLS = 1000
# Street, city, region and postal code.
ADDRESS_LINES = 4


def check_marks(violations: Violations, template: dict[str, Any]) -> None:
    """Adds violations for languages above the limit."""
    texts, count = list(_marked(template)), 0
    for text in texts:
        count += _marks_in(text.text)
        if count > MOST_MARKS:
            violations.add(text.place, "too_many_marks", count=count, most=MOST_MARKS)
            return
    for language, translated in template.get("translations", {}).items():
        count = sum(_marks_in((translated or {}).get(text.path) or text.text) for text in texts)
        if count > MOST_MARKS:
            violations.add(f"translations.{step(language)}", "too_many_marks", count=count, most=MOST_MARKS)


def marks_of(template: dict[str, Any]) -> int:
    return sum(_marks_in(text.text) for text in _marked(template))


def _marked(template: dict[str, Any]) -> Iterator[TranslatableText]:
    for text in translatable_texts(template):
        is_label = text.field == "label" and text.holder is text.part
        if text.field in MARKDOWN or (is_label and text.part.get("type") in LABELLED):
            yield text


def _marks_in(text: str) -> int:
    return len(MARK.findall(text))


def controls_of(question: Values) -> int:
    """Returns the inputs and list options of a question."""
    kind = question["type"]
    if kind == "yes_no":
        return 2
    if kind == "scale":
        low, high = scale_bounds(question)
        return high - low + 1
    if kind == "ranking":  # each place has a list of all options
        return len(question["options"]) ** 2
    if kind == "matrix":
        return len(question["rows"]) * len(question["columns"])
    if kind == "address":
        return ADDRESS_LINES + len(COUNTRIES)
    if "options" not in question:
        return 1
    # "other" has a text field.
    return len(question["options"]) + (2 if question.get("allow_other") is True else 0)


def controls_on(questions: Iterable[Values]) -> int:
    return sum(map(controls_of, questions))
