"""The violations of a request: how they are named, gathered and raised. Their codes are in codes.py."""

from collections.abc import Callable, Collection, Iterable
from typing import Any, NamedTuple, NoReturn

from pipeline.validation.codes import sentence

# What is invalid in each location, in words.
_NOUNS = {"body": "field", "query": "parameter", "header": "header"}
# So many violations are listed.
MAX_VIOLATIONS = 200
# One more is kept: it tells that there are more.
_KEPT = MAX_VIOLATIONS + 1
# An unreasonably long name is cut in a violation's place.
LONGEST_STEP = 80


class Violation(NamedTuple):
    """One invalid place of a request.

    `name` is the dotted path inside `location` (`pages.0.questions.1`), `code` a word of CODES, `message` a
    sentence for a person, `location` one of body, query, path, header.
    """

    name: str
    code: str
    message: str
    location: str = "body"


class Violations(list[Violation]):
    """The violations found so far, in the order of the request; the first 201 are kept."""

    def add(self, name: str, code: str, message: str | None = None, **values: Any) -> None:
        """Note one at a place such as `questions.3.options.1.value`; without a message it says what its code says."""
        if len(self) < _KEPT:
            self.append(Violation(name, code, message or sentence(code, **values)))

    def refuse_names(self, names: Iterable[str], once: Collection[str] = ()) -> None:
        """Note fields that nothing is known of, or that are chosen but `once`."""
        for name in names:
            self.add(step(name), "unchangeable" if name in once else "unknown_field")

    def take(self, place: str, inner: Iterable[Violation]) -> None:
        """Note those found inside of a place, named by their whole path."""
        for violation in inner:
            if len(self) >= _KEPT:
                return
            self.append(violation._replace(name=".".join(filter(None, (place, violation.name)))))

    def check(self, place: str, load: Callable[[Any], Any], given: Any) -> Any:
        """What `load` makes of a value; None, or what could be read, when its violations have been noted."""
        try:
            return load(given)
        except Invalid as error:
            self.take(place, error.violations)
            return error.value


class Invalid(Exception):
    """What was sent is not what is asked for: at least one violation.

    `value` is what could be read all the same, so that more can be said about it: a dict or list without what is
    wrong, or None.
    """

    code = "validation_failed"

    def __init__(self, violations: Iterable[Violation], value: Any = None) -> None:
        super().__init__(self.code)
        self.violations = list(violations)
        self.value = value

    @property
    def detail(self) -> str:
        """How much is wrong, in a sentence."""
        locations = {violation.location for violation in self.violations}
        noun = _NOUNS.get(locations.pop(), "place") if len(locations) == 1 else "place"
        count = len(self.violations)
        if self.more:
            return f"More than {MAX_VIOLATIONS} {noun}s are invalid; the first {MAX_VIOLATIONS} are listed."
        return f"1 {noun} is invalid." if count == 1 else f"{count} {noun}s are invalid."

    @property
    def more(self) -> bool:
        """Whether there are more violations than are listed."""
        return len(self.violations) > MAX_VIOLATIONS


def refuse(code: str, message: str | None = None, **values: Any) -> NoReturn:
    """Raise Invalid for the value at hand; whoever reads what it stands in says where."""
    raise invalid_field("", code, message, **values)


def invalid_field(name: str, code: str, message: str | None = None, location: str = "body", **values: Any) -> Invalid:
    """The Invalid of one field."""
    return Invalid([Violation(name, code, message or sentence(code, **values), location)])


def step(name: Any) -> str:
    """A client's own name as a step of a place; an unreasonably long one is cut."""
    return str(name)[:LONGEST_STEP]
