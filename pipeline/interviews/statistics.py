"""Statistics of a template's invites."""

import datetime
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from pipeline.database import queries
from pipeline.interviews.conditions import OTHER
from pipeline.interviews.progress import COUNTED, REVIEW
from pipeline.interviews.questions import scale_bounds

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
    return {
        **counts,
        "median_minutes": _median({int(value): n for (_, value), n in facts["minutes"].items()}),
        "steps": list(_steps(template["pages"], facts["left"], counts["submitted"])),
        "answers": [
            {
                "question": question["key"],
                "label": question["label"],
                "options": list(_chosen(question, facts["chosen"])),
            }
            for question in template["questions"]
            if question["type"] in COUNTED
        ],
    }


def _median(minutes: dict[int, int]) -> int | None:
    left = sum(minutes.values()) / 2
    for value in sorted(minutes):
        left -= minutes[value]
        if left <= 0:
            return value
    return None


def _steps(pages: list[dict[str, Any]], left: Counts, submitted: int) -> Iterator[dict[str, Any]]:
    """`reached` counts later steps too."""
    places = [*((page["key"], page.get("title")) for page in pages), (REVIEW, None)]
    there = [left.get((key, ""), 0) for key, _ in places]
    there[0] += left.get(("", ""), 0)
    for index, (key, title) in enumerate(places):
        reached = submitted + sum(there[index:])
        yield {"page": None if key == REVIEW else key, "title": title, "reached": reached, "left": there[index]}


def _chosen(question: dict[str, Any], chosen: Counts) -> Iterator[dict[str, Any]]:
    if question["type"] == "scale":
        low, high = scale_bounds(question)
        options: list[tuple[str, str | None]] = [(str(step), str(step)) for step in range(low, high + 1)]
    else:
        others = [{"value": OTHER, "label": None}] if question.get("allow_other") else []
        options = [(option["value"], option["label"]) for option in [*question["options"], *others]]
    for value, label in options:
        yield {"value": value, "label": label, "count": chosen.get((question["key"], value), 0)}
