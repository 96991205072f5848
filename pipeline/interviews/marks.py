"""How much Markdown a template may hold: the parser takes a step at each mark, so their number bounds its time."""

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from pipeline.validation import Values, Violations
from pipeline.validation.violations import step

# The signs that have a meaning, the end of a line among them, after which a dash begins an item of a list.
MARK = re.compile(r"[\n*\[\]\\]")
# In one language of a template. The parser takes 10 to 40 microseconds for each.
MOST_MARKS = 3000
# The questions whose label is Markdown.
LABELLED = ("consent", "statement")


class Marked(NamedTuple):
    """A text that is Markdown: its place in the body, its name for translations, how many marks it has."""

    place: str
    name: str
    marks: int


def marks_in(text: str) -> int:
    """How many marks a text has."""
    return len(MARK.findall(text))


def check_marks(violations: Violations, template: dict[str, Any]) -> None:
    """Note the text at which a template, as far as it could be read, has too many marks, and each language that has
    too many.
    """
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
    """How many marks a template has in the language of its texts."""
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
    """The texts of a page or question, None where it could not be read."""
    for field in fields:
        if part and part.get(field):
            yield Marked(f"{kind}.{index}.{field}", f"{kind}.{part.get('key')}.{field}", marks_in(part[field]))
