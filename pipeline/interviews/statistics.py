"""Statistics of a template's invites."""

import datetime
from collections import defaultdict
from collections.abc import Iterator
from typing import Any, NamedTuple

from pipeline.database import Row, queries
from pipeline.interviews.answers.progress import COUNTED, REVIEW
from pipeline.interviews.templates.conditions import OTHER
from pipeline.interviews.templates.questions import scale_bounds

# {(name, value): count}
Counts = dict[tuple[str, str], int]
STATES = ("invited", "opened", "started", "submitted", "expired")


def statistics(id: int, first: datetime.date | None, last: datetime.date | None) -> dict[str, Any] | None:
    """Returns the statistics of invites from `first` to `last`, or None."""
    template = queries.interview_template_get(id=id)
    if template is None:
        return None
    asked: dict[str, Any] = {"template_id": id, "first": first, "last": last}
    facts: dict[str, Counts] = defaultdict(dict)
    for row in queries.interview_template_facts(**asked):
        facts[row["fact"]][row["name"], row["value"]] = row["n"]
    counts = {state: facts[state].get(("", ""), 0) for state in STATES}
    counts["expired"] += queries.interview_template_overdue(**asked)
    parts = _parts(template, facts)
    return {
        **counts,
        "median_minutes": _median({int(value): n for (_, value), n in facts["minutes"].items()}),
        "steps": list(_steps(parts, facts)),
        "answers": list(_answers(parts, facts["chosen"])),
    }


def _median(minutes: dict[int, int]) -> int | None:
    left = sum(minutes.values()) / 2
    for value in sorted(minutes):
        left -= minutes[value]
        if left <= 0:
            return value
    return None


class Parts(NamedTuple):
    """What is counted: pages {key: title} and questions of the current version, and removed ones with their labels."""

    pages: dict[str, str | None]
    questions: list[dict[str, Any]]
    gone_pages: dict[str, str | None]
    gone_questions: dict[str, str]
    # {(question key, value): label}
    gone_options: dict[tuple[str, str], str]


def _parts(template: Row, facts: dict[str, Counts]) -> Parts:
    pages = {page["key"]: page.get("title") for page in template["pages"]}
    questions = [question for question in template["questions"] if question["type"] in COUNTED]
    known = {(question["key"], value) for question in questions for value, _ in _options(question)}
    gone = {_key(name) for name, value in facts["chosen"] if (_key(name), value) not in known}
    places = {name for fact in ("reached", "left") for name, _ in facts[fact]} - {"", REVIEW, *pages}
    names = sorted(gone | places)
    rows = list(queries.interview_template_parts(template_id=template["id"], names=names)) if names else []
    asked = {row["name"]: row["question"] for row in rows if row["question"] is not None}
    current = {question["key"] for question in questions}
    return Parts(
        pages,
        questions,
        {row["name"]: row["label"] for row in rows if row["question"] is None and row["name"] in places},
        {key: label for key, label in asked.items() if key in gone - current},
        {(row["name"], row["value"]): row["label"] for row in rows if row["question"] is not None},
    )


def _key(name: str) -> str:
    """The question key of a counted name, which can end with a row or place."""
    return name.partition(".")[0]


def _steps(parts: Parts, facts: dict[str, Counts]) -> Iterator[dict[str, Any]]:
    """Removed pages are last before the review."""
    first = next(iter(parts.pages))
    removed = dict.fromkeys(parts.pages, False) | dict.fromkeys(parts.gone_pages, True) | {REVIEW: False}
    for key, gone in removed.items():
        counted = {name: facts[name].get((key, ""), 0) for name in ("reached", "left")}
        if key == first:
            counted = {name: n + facts[name].get(("", ""), 0) for name, n in counted.items()}
        title = parts.gone_pages[key] if gone else parts.pages.get(key)
        yield {"page": None if key == REVIEW else key, "title": title, **counted, "removed": gone}


def _answers(parts: Parts, chosen: Counts) -> Iterator[dict[str, Any]]:
    counted = {
        name: [value for found, value in chosen if found == name] for name in sorted({name for name, _ in chosen})
    }
    for question in parts.questions:
        key, options = question["key"], _options(question)
        for row, label in _rows(question, counted).items():
            name = key if row is None else f"{key}.{row}"
            yield {
                "question": key,
                "row": row,
                "label": question["label"] if label is None else f"{question['label']}: {label}",
                "options": list(_chosen(parts, name, options, counted.get(name, []), chosen, _places(question))),
                "removed": row is not None and row not in {one["value"] for one in question["rows"]},
            }
    for name, values in counted.items():
        if (key := _key(name)) in parts.gone_questions:
            gone = list(_chosen(parts, name, [], values, chosen, 0))
            row = name.partition(".")[2] or None
            yield {"question": key, "row": row, "label": parts.gone_questions[key], "options": gone, "removed": True}


def _rows(question: dict[str, Any], counted: dict[str, list[str]]) -> dict[str | None, str | None]:
    """{row: label} of a matrix with its removed rows; {None: None} of other questions."""
    if question["type"] != "matrix":
        return {None: None}
    prefix = f"{question['key']}."
    found = [name.removeprefix(prefix) for name in counted if name.startswith(prefix)]
    return {row: row for row in found} | {row["value"]: row["label"] for row in question["rows"]}


def _places(question: dict[str, Any]) -> int:
    return len(question["options"]) if question["type"] == "ranking" else 0


def _chosen(
    parts: Parts, name: str, options: list[tuple[str, str | None]], values: list[str], chosen: Counts, places: int
) -> Iterator[dict[str, Any]]:
    """The options of a counted name, with the counted values that are none any more."""
    offered = dict(options)
    for value in [*offered, *(value for value in values if value not in offered)]:
        yield {
            "value": value,
            "label": offered[value] if value in offered else parts.gone_options.get((_key(name), value), value),
            "count": chosen.get((name, value), 0),
            "places": [chosen.get((f"{name}.{place}", value), 0) for place in range(1, places + 1)],
            "removed": value not in offered,
        }


def _options(question: dict[str, Any]) -> list[tuple[str, str | None]]:
    """[(value, label)] of a counted question; None for a text outside the options, and for yes and no."""
    kind = question["type"]
    if kind == "scale":
        low, high = scale_bounds(question)
        return [(str(step), str(step)) for step in range(low, high + 1)]
    if kind in ("yes_no", "consent"):
        return [("true", None), ("false", None)]
    others = [{"value": OTHER, "label": None}] if question.get("allow_other") else []
    return [(item["value"], item["label"]) for item in [*question.get("options", question.get("columns", ())), *others]]
