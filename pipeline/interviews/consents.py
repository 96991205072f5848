"""Consents, with the shown text and their time."""

from pipeline.interviews.values import Answers
from pipeline.validation import Values


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
