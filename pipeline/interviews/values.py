"""What two answers or values have in common, whatever their JSON types: empty, equal, among others.

Nothing here coerces: "1" is no number, true is not 1. Whole numbers may be written with a point (1.0 is 1).
"""

from pipeline.validation.numbers import exact

# What a prospect has answered, by the keys of the questions: any JSON that the question's type admits.
Answers = dict[str, object]


def is_empty(answer: object) -> bool:
    """True for absent, null, "", [] and {}. false and 0 are answers."""
    return answer is None or answer in ("", [], {})


def same(left: object, right: object) -> bool:
    """Equality without coercion: numbers by value, strings and booleans each among themselves."""
    if isinstance(left, str) or isinstance(right, str):
        return isinstance(left, str) and isinstance(right, str) and left == right
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    number = exact(left)
    return number is not None and number == exact(right)


def one_of(value: object, candidates: object) -> bool:
    """True when `candidates` is a list that holds an equal of `value`."""
    return isinstance(candidates, list) and any(same(value, candidate) for candidate in candidates)
