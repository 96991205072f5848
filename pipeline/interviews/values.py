"""Compares answers without coercion."""

from pipeline.validation.numbers import as_decimal

# {question key: answer as JSON}
Answers = dict[str, object]


def is_empty(answer: object) -> bool:
    """Returns True for null, "", [] and {}."""
    return answer is None or answer in ("", [], {})


def is_same(left: object, right: object) -> bool:
    """Compares numbers by value, others also by type."""
    if isinstance(left, str) or isinstance(right, str):
        return isinstance(left, str) and isinstance(right, str) and left == right
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    number = as_decimal(left)
    return number is not None and number == as_decimal(right)


def one_of(value: object, candidates: object) -> bool:
    """Returns whether the list `candidates` holds `value`."""
    return isinstance(candidates, list) and any(is_same(value, candidate) for candidate in candidates)
