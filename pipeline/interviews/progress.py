"""What is stored beside answers: progress, counts, consents."""

from pipeline.interviews.answers import final
from pipeline.interviews.conditions import Answers, visible
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
