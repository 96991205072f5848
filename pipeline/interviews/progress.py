"""A prospect's progress, and the answers for statistics."""

from pipeline.interviews.answers import final
from pipeline.interviews.conditions import visible
from pipeline.interviews.values import Answers
from pipeline.validation import Values

# Page keys hold no hyphen, so no page can have this key.
REVIEW = "check-answers"
COUNTED = ("single_choice", "multi_choice", "scale")


def step_after(version: Values, answers: Answers, hidden: dict[str, str]) -> str | None:
    """Returns the page after the last answered one; REVIEW after the last page, None without answers."""
    seen = visible(version, final(answers), hidden)
    asked = {question["key"] for question in seen.questions}
    pages = [page for page in version["pages"] if asked.intersection(page["questions"])]
    reached = [index for index, page in enumerate(pages, 1) if seen.counting.keys() & set(page["questions"])]
    if not reached:
        return None
    return pages[reached[-1]]["key"] if reached[-1] < len(pages) else REVIEW


def tally(questions: list[Values], visible_answers: Answers) -> dict[str, list[str]]:
    """Returns {question key: chosen values}."""
    return {
        question["key"]: [str(value) for value in (answer if isinstance(answer, list) else [answer])]
        for question in questions
        if question["type"] in COUNTED and (answer := visible_answers.get(question["key"])) is not None
    }
