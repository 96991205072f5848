"""What is stored beside answers: progress, counts, consents."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from pipeline.interviews.answers.answers import final
from pipeline.interviews.templates.conditions import Answers, Visible, visible
from pipeline.validation import Values

# Page keys hold no hyphen, so no page can have this key.
REVIEW = "check-answers"
COUNTED = ("single_choice", "multi_choice", "scale", "yes_no", "consent", "ranking", "matrix")
BOOLEANS = {False: "false", True: "true"}


class Progress(NamedTuple):
    """The page after the last answered one, None without answers; the keys of the pages up to it."""

    step: str | None
    shown: list[str]


def progress(version: Values, answers: Answers, hidden: dict[str, str]) -> Progress:
    """Returns the Progress; the review follows the last page, and a page without visible questions is not shown."""
    seen = visible(version, final(answers), hidden)
    pages = _asking(version, seen)
    reached = [index for index, page in enumerate(pages, 1) if seen.counting.keys() & set(page["questions"])]
    places = [*(page["key"] for page in pages), REVIEW]
    return Progress(places[reached[-1]], places[: reached[-1] + 1]) if reached else Progress(None, places[:1])


def shown_pages(version: Values, seen: Visible) -> list[str]:
    """Returns the keys of the pages before a submit, with the review."""
    return [*(page["key"] for page in _asking(version, seen)), REVIEW]


def _asking(version: Values, seen: Visible) -> list[Values]:
    asked = {question["key"] for question in seen.questions}
    return [page for page in version["pages"] if asked.intersection(page["questions"])]


def tally(seen: Visible) -> dict[str, list[str]]:
    """Returns {question key: chosen values}; `key.row` for a row of a matrix, `key.1` for the first place of a ranking.

    A consent that was shown and not given is `false`.
    """
    return dict(item for question in seen.questions for item in _tallied(question, seen.answers.get(question["key"])))


def _tallied(question: Values, answer: Any) -> Iterator[tuple[str, list[str]]]:
    key, kind = question["key"], question["type"]
    if kind == "consent":
        yield key, [BOOLEANS[answer is True]]
    elif kind not in COUNTED or answer is None:
        return
    elif kind == "matrix":
        yield from ((f"{key}.{row}", [column]) for row, column in answer.items())
    elif isinstance(answer, bool):
        yield key, [BOOLEANS[answer]]
    else:
        yield key, [str(value) for value in (answer if isinstance(answer, list) else [answer])]
    if kind == "ranking":
        yield from ((f"{key}.{place}", [value]) for place, value in enumerate(answer, 1))


def consent_text(question: Values) -> str:
    """Returns the label and help as paragraphs."""
    return "\n\n".join(filter(None, (question["label"], question.get("help"))))


def given_consents(questions: list[Values], answers: Answers) -> dict[str, dict[str, str]]:
    """Returns {question key: {text}}."""
    return {
        question["key"]: {"text": consent_text(question)}
        for question in questions
        if question["type"] == "consent" and answers.get(question["key"]) is True
    }


def visible_consents(questions: list[Values], visible: Answers, kept: dict[str, Values]) -> list[Values]:
    """Returns [{question, text, given_at}] of visible consents."""
    return [
        {"question": question["key"], **kept[question["key"]]}
        for question in questions
        if visible.get(question["key"]) is True and question["key"] in kept
    ]
