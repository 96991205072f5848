"""Violations of a request."""

import difflib
import re
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple, NoReturn

from pipeline.validation.codes import sentence

_NOUNS = {"body": "field", "query": "parameter", "header": "header"}
MAX_VIOLATIONS = 200
# One more shows that the list is cut.
_KEPT = MAX_VIOLATIONS + 1
LONGEST_STEP = 80
# NUL is invalid in PostgreSQL, lone surrogates in UTF-8.
UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


class Violation(NamedTuple):
    """An invalid place: `name` is its dotted path in `location` (body, query, path, header)."""

    name: str
    code: str
    message: str
    location: str = "body"


class Violations(list[Violation]):
    """Violations in request order, at most 201."""

    def add(self, name: str, code: str, message: str | None = None, **values: Any) -> None:
        """Adds a violation; the message defaults to the code's."""
        if len(self) < _KEPT:
            self.append(Violation(name, code, message or sentence(code, **values)))

    def refuse_names(self, names: Iterable[str]) -> None:
        """Adds violations for unknown fields."""
        for name in names:
            self.add(step(name), "unknown_field")

    def take(self, place: str, inner: Iterable[Violation]) -> None:
        """Adds inner violations, prefixed with `place`."""
        for violation in inner:
            if len(self) >= _KEPT:
                return
            self.append(violation._replace(name=".".join(filter(None, (place, violation.name)))))

    def check(self, place: str, load: Callable[[Any], Any], given: Any) -> Any:
        """Returns `load(given)`; on Invalid, adds its violations and returns its value."""
        try:
            return load(given)
        except Invalid as error:
            self.take(place, error.violations)
            return error.value

    def need(self, place: str, load: Callable[[Any], Any], given: Any) -> Any:
        """As `check`, with a violation for an absent value."""
        known = len(self)
        value = self.check(place, load, given)
        if value is None and len(self) == known:
            self.add(place, "required")
        return value


class Invalid(Exception):
    """Invalid input; `value` is its valid part, or None."""

    code = "validation_failed"

    def __init__(self, violations: Iterable[Violation], value: Any = None) -> None:
        super().__init__(self.code)
        self.violations = list(violations)
        self.value = value

    @property
    def detail(self) -> str:
        """A summary in a sentence."""
        locations = {violation.location for violation in self.violations}
        noun = _NOUNS.get(locations.pop(), "place") if len(locations) == 1 else "place"
        count = len(self.violations)
        if self.more:
            return f"More than {MAX_VIOLATIONS} {noun}s are invalid; the first {MAX_VIOLATIONS} are listed."
        return f"1 {noun} is invalid." if count == 1 else f"{count} {noun}s are invalid."

    @property
    def more(self) -> bool:
        """Whether the listed violations are cut."""
        return len(self.violations) > MAX_VIOLATIONS


def refuse(code: str, message: str | None = None, **values: Any) -> NoReturn:
    """Raises Invalid; the caller adds the path."""
    raise invalid_field("", code, message, **values)


def invalid_field(name: str, code: str, message: str | None = None, location: str = "body", **values: Any) -> Invalid:
    return Invalid([Violation(name, code, message or sentence(code, **values), location)])


def step(name: Any) -> str:
    """Returns a name as a printable path step, cut if long."""
    return UNSTORABLE.sub("\N{REPLACEMENT CHARACTER}", str(name)[:LONGEST_STEP])


def nearest(name: str, known: list[str]) -> str:
    """A question with the closest known name, or ""."""
    by_key = {one.casefold(): one for one in known}
    close = difflib.get_close_matches(name.casefold()[:80], by_key, n=1, cutoff=0.5)
    return f' Did you mean "{by_key[close[0]]}"?' if close else ""
