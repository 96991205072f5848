"""Comparison of answers without coercion: "1" is no number, true is not 1, 1.0 is 1."""

from pipeline.validation.numbers import exact

# {question key: answer as JSON}
Answers = dict[str, object]


def is_empty(answer: object) -> bool:
    """Returns True for null, "", [] and {}; false and 0 are answers."""
    return answer is None or answer in ("", [], {})


def same(left: object, right: object) -> bool:
    """Compares numbers by value; strings and booleans only with their own type."""
    if isinstance(left, str) or isinstance(right, str):
        return isinstance(left, str) and isinstance(right, str) and left == right
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    number = exact(left)
    return number is not None and number == exact(right)


def one_of(value: object, candidates: object) -> bool:
    """Returns True if the list `candidates` holds an equal of `value`."""
    return isinstance(candidates, list) and any(same(value, candidate) for candidate in candidates)
