"""Answers that the link to a public form brings: `?q.seats=25` stands in the field until its page is sent.

They are read as the fields of a page are and checked as at the submit; what cannot be an answer stays out. Nobody
agrees by a link, nor sends a file; and a question that is never shown is never answered.
"""

import datetime
import re
from collections import defaultdict
from collections.abc import Iterable

from pipeline.forms.reading import Fields, read_answers
from pipeline.forms.service import Form
from pipeline.interviews.answers import check_answer, final
from pipeline.interviews.values import Answers
from pipeline.validation import Values

FILLED = "q."
UNFILLED = ("consent", "file", "statement")


def prefilled(form: Form, carried: Iterable[tuple[str, str]]) -> Answers:
    """The answers to a Form's questions, of the pairs of a link's query."""
    # By question, and each pair is looked at once: a link may bring thousands.
    own: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for name, value in carried:
        if name.startswith(FILLED):
            control = name.removeprefix(FILLED)
            # What a question's controls are called: its key, that of its other, those of its parts.
            own[re.split(r"__|\.", control, maxsplit=1)[0]].append((control, value))
    found: Answers = {}
    for question in form.template["questions"]:
        if question["key"] in own and question["type"] not in UNFILLED:
            found |= _answers(question, own[question["key"]], form.today)
    return found


def _answers(question: Values, pairs: list[tuple[str, str]], today: datetime.date) -> Answers:
    key = question["key"]
    typed = read_answers([question], Fields([*pairs, ("_asked", key)]))
    answers = final(typed.patch)
    right = not typed.violations and key in answers and not check_answer(question, answers[key], today)
    return answers if right else {}
