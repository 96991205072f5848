"""How many controls a page of a form has, since its time and its size grow with them."""

from collections.abc import Iterable

from pipeline.interviews.answer_shapes import COUNTRIES
from pipeline.interviews.questions import scale_bounds
from pipeline.validation import Values

MOST_CONTROLS = 1000
# The lines of an address but for its list of countries.
ADDRESS_LINES = 4


def controls_of(question: Values) -> int:
    """How many fields, boxes, radio buttons and options of lists a question has; a statement counts as one."""
    kind = question["type"]
    if kind == "yes_no":
        return 2
    if kind == "scale":
        low, high = scale_bounds(question)
        return high - low + 1
    if kind == "ranking":  # a list of all options for each place
        return len(question["options"]) ** 2
    if kind == "matrix":
        return len(question["rows"]) * len(question["columns"])
    if kind == "address":
        return ADDRESS_LINES + len(COUNTRIES)
    if "options" not in question:
        return 1
    # The option "other" has a text beside it.
    return len(question["options"]) + (2 if question.get("allow_other") is True else 0)


def controls_on(questions: Iterable[Values]) -> int:
    """How many controls some questions have together."""
    return sum(map(controls_of, questions))
