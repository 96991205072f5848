"""Counts form controls, to bound a page's render time."""

from collections.abc import Iterable

from pipeline.interviews.answer_shapes import COUNTRIES
from pipeline.interviews.questions import scale_bounds
from pipeline.validation import Values

MOST_CONTROLS = 1000
# Street, city, region and postal code.
ADDRESS_LINES = 4


def controls_of(question: Values) -> int:
    """Returns the inputs and list options of a question."""
    kind = question["type"]
    if kind == "yes_no":
        return 2
    if kind == "scale":
        low, high = scale_bounds(question)
        return high - low + 1
    if kind == "ranking":  # each place has a list of all options
        return len(question["options"]) ** 2
    if kind == "matrix":
        return len(question["rows"]) * len(question["columns"])
    if kind == "address":
        return ADDRESS_LINES + len(COUNTRIES)
    if "options" not in question:
        return 1
    # "other" has a text field.
    return len(question["options"]) + (2 if question.get("allow_other") is True else 0)


def controls_on(questions: Iterable[Values]) -> int:
    return sum(map(controls_of, questions))
