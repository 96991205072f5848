"""Checks of nested JSON as tables: a checker for each field, every violation with its exact place.

A checker is called as `checker(found, place, value)` and adds what is wrong to `found`; it never raises.
"""

from collections.abc import Callable, Collection, Mapping

import re2

from pipeline.errors import Violation
from pipeline.interviews.values import as_date, as_integer, as_number, is_portable, is_storable
from pipeline.urls import is_url

Checker = Callable[["Findings", str, object], None]

# A body with more mistakes than this is not read to its end by anyone.
MAX_VIOLATIONS = 200

PATTERN_OPTIONS = re2.Options()
PATTERN_OPTIONS.log_errors = False
PATTERN_OPTIONS.max_mem = 1 << 20


class Findings(list[Violation]):
    """The violations found so far, in the order of the body; the first 200 are kept."""

    def add(self, place: str, code: str, message: str) -> None:
        """Note one violation at a place such as `questions.3.options.1.value`."""
        if len(self) < MAX_VIOLATIONS:
            self.append(Violation(place, code, message))


def at(place: str, step: object) -> str:
    """The place one step further in; an unreasonably long key is cut."""
    step = str(step)[:80]
    return f"{place}.{step}" if place else step


def is_absent(value: object) -> bool:
    """null and "" count as absent."""
    return value is None or value == ""


def text(max_length: int, pattern: str | None = None) -> Checker:
    """A checker of strings: not empty, at most `max_length` characters, all of it matching `pattern`."""
    form = compiled(pattern) if pattern else None

    def check(found: Findings, place: str, value: object) -> None:
        if not isinstance(value, str):
            found.add(place, "wrong_type", "Must be a string.")
        elif not value.strip():
            found.add(place, "required", "Must not be empty.")
        elif not is_storable(value):
            found.add(place, "invalid_characters", "Must not hold NUL characters or lone surrogates.")
        elif len(value) > max_length:
            found.add(place, "too_long", f"Must have at most {max_length} characters.")
        elif form and not form.fullmatch(value):
            found.add(place, "invalid_format", f"Must match {pattern}.")

    return check


def https_url(found: Findings, place: str, value: object) -> None:
    """A checker of https URLs."""
    text(2048)(found, place, value)
    if isinstance(value, str) and value.strip() and not is_url(value, ("https",)):
        found.add(place, "invalid_url", "Must be an https URL.")


def boolean(found: Findings, place: str, value: object) -> None:
    """A checker of booleans."""
    if not isinstance(value, bool):
        found.add(place, "wrong_type", "Must be true or false.")


def integer(low: int, high: int) -> Checker:
    """A checker of integers from `low` through `high`."""

    def check(found: Findings, place: str, value: object) -> None:
        number = as_integer(value)
        if number is None:
            found.add(place, "wrong_type", "Must be an integer.")
        elif not low <= number <= high:
            found.add(place, "out_of_range", f"Must be from {low} to {high}.")

    return check


def number(found: Findings, place: str, value: object) -> None:
    """A checker of numbers that every reader sees alike."""
    exact = as_number(value)
    if exact is None:
        found.add(place, "wrong_type", "Must be a number.")
    elif not is_portable(exact):
        found.add(place, "out_of_range", "Must have at most 15 digits.")


def date_or_today(found: Findings, place: str, value: object) -> None:
    """A checker of `YYYY-MM-DD` dates and the word "today"."""
    if not isinstance(value, str):
        found.add(place, "wrong_type", "Must be a string.")
    elif value != "today" and as_date(value) is None:
        found.add(place, "invalid_date", 'Must be a date written YYYY-MM-DD, or "today".')


def choice(values: Collection[str]) -> Checker:
    """A checker of strings out of a fixed set."""

    def check(found: Findings, place: str, value: object) -> None:
        if not isinstance(value, str):
            found.add(place, "wrong_type", "Must be a string.")
        elif value not in values:
            found.add(place, "invalid_choice", f"Must be one of: {enumerated(values)}.")

    return check


def enumerated(values: Collection[str]) -> str:
    """The values for a message; long lists are cut."""
    shown = ", ".join(value[:40] for value in list(values)[:15])
    return f"{shown}, …" if len(values) > 15 else shown


def pattern(found: Findings, place: str, value: object) -> None:
    """A checker of regular expressions in RE2 syntax."""
    before = len(found)
    text(500)(found, place, value)
    if len(found) == before and compiled(value) is None:
        found.add(place, "invalid_pattern", "Is no regular expression in RE2 syntax.")


def compiled(expression: str) -> object | None:
    """The compiled RE2 expression (compilations are cached by the library), None when it is not valid."""
    try:
        return re2.compile(expression, PATTERN_OPTIONS)
    except re2.error:
        return None


def anything(found: Findings, place: str, value: object) -> None:
    """A checker that accepts: for fields which are checked elsewhere, with more knowledge."""


def listing(item: Checker, low: int, high: int) -> Checker:
    """A checker of arrays of `low` to `high` items, each checked by `item`."""

    def check(found: Findings, place: str, value: object) -> None:
        if not isinstance(value, list):
            found.add(place, "wrong_type", "Must be an array.")
        elif len(value) < low:
            found.add(place, "required", f"Must have at least {low} item{'s' * (low > 1)}.")
        elif len(value) > high:
            found.add(place, "too_long", f"Must have at most {high} items.")
        else:
            for index, member in enumerate(value):
                item(found, at(place, index), member)

    return check


def record(fields: Mapping[str, Checker], required: Collection[str] = ()) -> Checker:
    """A checker of objects: known fields only, the required ones present, each value by its own checker.

    null and "" count as absent, so an optional field may be either.
    """

    def check(found: Findings, place: str, value: object) -> None:
        if not isinstance(value, dict):
            found.add(place, "wrong_type", "Must be an object.")
            return
        for name in required:
            if is_absent(value.get(name)):
                found.add(at(place, name), "required", "Is required.")
        for name, member in value.items():
            if name not in fields:
                found.add(at(place, name), "unknown_field", f'Field "{str(name)[:80]}" is not known here.')
            elif not is_absent(member):
                fields[name](found, at(place, name), member)

    return check


def members(value: object) -> list[tuple[int, dict]]:
    """The objects in an array with their positions; nothing for anything that is no array."""
    if not isinstance(value, list):
        return []
    return [(index, member) for index, member in enumerate(value) if isinstance(member, dict)]
