"""What a prospect has consented to: beside the answer the exact text that was shown, and when it was agreed to."""

from pipeline.interviews.values import Answers
from pipeline.validation import Values


def consent_text(question: Values) -> str:
    """What a consent shows: its sentence and, in a paragraph of its own, its help."""
    return "\n\n".join(filter(None, (question["label"], question.get("help"))))


def given_consents(questions: list[Values], answers: Answers) -> dict[str, dict[str, str]]:
    """{key: {text}} of the consents among some answers."""
    return {
        question["key"]: {"text": consent_text(question)}
        for question in questions
        if question["type"] == "consent" and answers.get(question["key"]) is True
    }


def visible_consents(questions: list[Values], visible: Answers, kept: dict[str, Values]) -> list[Values]:
    """[{question, text, given_at}] in the order of the template: those kept whose answer counts."""
    return [
        {"question": question["key"], **kept[question["key"]]}
        for question in questions
        if visible.get(question["key"]) is True and question["key"] in kept
    ]
