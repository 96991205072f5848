"""Answers that the link to a public form brings: `?q.seats=25` stands in the field until its page is sent.

They are read as the fields of a page are and checked as at the submit; what cannot be an answer stays out. Nobody
agrees by a link, nor sends a file; and a question that is never shown is never answered.
"""

import re

from pipeline.forms.reading import Fields, read_answers
from pipeline.interviews.answers import check_answer, final

FILLED = "q."
UNFILLED = ("consent", "file", "statement")


def prefilled(form, carried):
    """{answer key: answer} of a Form's questions, of the pairs of a link's query."""
    pairs = [(name.removeprefix(FILLED), value) for name, value in carried if name.startswith(FILLED)]
    found = {}
    for question in form.template["questions"]:
        # What a question's controls are called: its key, that of its other, those of its parts.
        own = [pair for pair in pairs if re.split(r"__|\.", pair[0])[0] == question["key"]]
        if own and question["type"] not in UNFILLED:
            found |= _answers(question, own, form.today)
    return found


def _answers(question, pairs, today):
    key = question["key"]
    typed = read_answers([question], Fields([*pairs, ("_asked", key)]))
    answers = final(typed.patch)
    right = not typed.violations and key in answers and not check_answer(question, answers[key], today)
    return answers if right else {}
