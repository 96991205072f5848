"""Limits Markdown in templates: each mark adds parse time."""

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from pipeline.validation import Values, Violations
from pipeline.validation.violations import step

# A line end counts, because a dash after it begins a list item.
MARK = re.compile(r"[\n*\[\]\\]")
# Per language; the parser takes 10 to 40 µs per mark.
MOST_MARKS = 3000
LABELLED = ("consent", "statement")


class Marked(NamedTuple):
    """A Markdown text: its path, name in translations, number of marks."""

    place: str
    name: str
    marks: int


def marks_in(text: str) -> int:
    return len(MARK.findall(text))


def check_marks(violations: Violations, template: dict[str, Any]) -> None:
    """Adds violations for languages above the limit."""
    texts, count = list(_texts(template)), 0
    for text in texts:
        count += text.marks
        if count > MOST_MARKS:
            violations.add(text.place, "too_many_marks", count=count, most=MOST_MARKS)
            return
    for language, translated in template.get("translations", {}).items():
        own = {name: marks_in(text) for name, text in (translated or {}).items() if text}
        count = sum(own.get(text.name, text.marks) for text in texts)
        if count > MOST_MARKS:
            violations.add(f"translations.{step(language)}", "too_many_marks", count=count, most=MOST_MARKS)


def marks_of(template: dict[str, Any]) -> int:
    return sum(text.marks for text in _texts(template))


def _texts(template: dict[str, Any]) -> Iterator[Marked]:
    for index, page in enumerate(template.get("pages", ())):
        yield from _fields(page, ("description",), "pages", index)
    for index, question in enumerate(template.get("questions", ())):
        labelled = question and question.get("type") in LABELLED
        yield from _fields(question, ("label", "help") if labelled else ("help",), "questions", index)
    body = template.get("thank_you", {}).get("body")
    if body:
        yield Marked("thank_you.body", "thank_you.body", marks_in(body))


def _fields(part: Values | None, fields: tuple[str, ...], kind: str, index: int) -> Iterator[Marked]:
    for field in fields:
        if part and part.get(field):
            yield Marked(f"{kind}.{index}.{field}", f"{kind}.{part.get('key')}.{field}", marks_in(part[field]))
