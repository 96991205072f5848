"""Answers from a public form's link (`?q.seats=25`), except invalid ones, consents and files."""

import re
from collections import defaultdict
from collections.abc import Container, Iterable

from pipeline.forms.page.form import Form
from pipeline.forms.questions.reading import Fields, read_answers
from pipeline.interviews.answers.answers import check_answer, final
from pipeline.interviews.templates.conditions import OTHER_SUFFIX, Answers
from pipeline.validation import Values

FILLED = "q."
UNFILLED = ("consent", "file", "statement")
# In a query a plus decodes to a space, which these answers do not have here.
_LOST_PLUS = {"phone": re.compile(r"^ (?=[1-9])"), "email": re.compile(r"(?<=\S) (?=\S)")}


def prefilled(form: Form, carried: Iterable[tuple[str, str]]) -> Answers:
    """Reads the pairs of a query."""
    # A link may hold thousands of pairs.
    own: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for name, value in carried:
        if name.startswith(FILLED):
            control = name.removeprefix(FILLED)
            # Control names are `key`, `key__other` or `key.part`.
            own[re.split(r"__|\.", control, maxsplit=1)[0]].append((control, value))
    found: Answers = {}
    for question in form.template["questions"]:
        if question["key"] in own and question["type"] not in UNFILLED:
            found |= _answers(question, own[question["key"]], form)
    return found


def on_page(prefill: Answers, page: Values, read: Container[str] = ()) -> Answers:
    """The values for a page's questions without those `read`."""
    return {
        key: answer
        for key, answer in prefill.items()
        if key not in read and key.removesuffix(OTHER_SUFFIX) in page["questions"]
    }


def _answers(question: Values, pairs: list[tuple[str, str]], form: Form) -> Answers:
    key = question["key"]
    if lost := _LOST_PLUS.get(question["type"]):
        pairs = [(name, lost.sub("+", value)) for name, value in pairs]
    typed = read_answers([question], Fields([*pairs, ("_asked", key)]), form.template["language"])
    answers = final(typed.patch)
    right = not typed.violations and key in answers and not check_answer(question, answers[key], form.today)
    return answers if right else {}
