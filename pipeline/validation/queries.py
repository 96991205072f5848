"""Types for query strings."""

import re
from decimal import Decimal
from typing import Any

from pipeline.validation.formats import Tags
from pipeline.validation.nested import Body
from pipeline.validation.numbers import Integer, Money
from pipeline.validation.types import Schema, Text, Type, Values, Written, enumerated
from pipeline.validation.violations import Invalid, Violations, refuse

MAX_WORDS = 10
MAX_IDS = 200
# Parameters that say where reading starts, or which records are read.
PLACES = ("after", "after_id", "ids", "updated_since")


class Query(Body):
    """A query string. An empty place would silently read from another one, so it is refused."""

    def read(self, given: Any) -> Values:
        violations = Violations()
        empty = [name for name in PLACES if name in self.fields and name in given and not given[name].strip()]
        for name in empty:
            violations.add(name, "required", "Must not be empty; omit it instead.")
        filled = {name: value for name, value in given.items() if name not in empty}
        values = violations.check("", super().read, filled)
        if violations:
            raise Invalid(violations, values)
        return values


class LinkQuery(Query):
    """A public link's query; unknown and repeated parameters are ignored."""


class QueryInteger(Written, Integer):
    """An integer as text."""

    def read(self, given: str) -> int:
        if not re.fullmatch(r"-?\d{1,40}", given, re.ASCII):
            refuse("wrong_type", wanted="an integer")
        return Integer.read(self, int(given))


class QueryAmount(Written, Money):
    """An amount as text."""

    def read(self, given: str) -> Decimal:
        number = re.fullmatch(r"-?\d{1,40}(\.\d{1,40})?", given, re.ASCII)
        if not number:
            refuse("wrong_type", wanted="a number")
        if len(number[1] or "") > 4:
            refuse("too_precise", most=3, of="")
        return Money.read(self, Decimal(given))


class QueryIds(Written):
    """Ids of records separated by commas, as a list."""

    one = QueryInteger(min=1)

    def read(self, given: Any) -> list[int]:
        ids = [self.one.read(id.strip()) for id in given.split(",")]
        if len(ids) > MAX_IDS:
            refuse("too_long", most=MAX_IDS, of="ids")
        return ids

    def describe(self) -> Schema:
        return {"type": "string", "pattern": f"^[0-9]+(,[0-9]+){{0,{MAX_IDS - 1}}}$"}


class QueryBoolean(Written):
    """`true` or `false`."""

    def read(self, given: str) -> bool:
        if given not in ("true", "false"):
            refuse("wrong_type", wanted="true or false")
        return given == "true"

    def describe(self) -> Schema:
        return {"type": "boolean"}


class Choices(Written):
    """Allowed words separated by commas, as a list."""

    def __init__(self, *values: str) -> None:
        self.values = values

    def read(self, given: Any) -> list[str]:
        words = [word.strip() for word in given.split(",")] if isinstance(given, str) else []
        if not words or not set(words) <= set(self.values):
            listed = enumerated(self.values)
            refuse("invalid_choice", f"Must be one or more of {listed}, separated by commas.")
        return words

    def describe(self) -> Schema:
        word = f"({'|'.join(self.values)})"
        return {"type": "string", "pattern": f"^{word}(,{word})*$"}


class AnyTag(Written):
    """Tags separated by commas, as a list."""

    text = Tags(max_length=800)

    def read(self, given: Any) -> list[str] | None:
        text = self.text.read(given)
        tags = text.split(", ") if text else None
        if tags and len(tags) > MAX_WORDS:
            refuse("too_many_words", most=MAX_WORDS)
        return tags

    def describe(self) -> Schema:
        return self.text.describe()


class Search(Text):
    """Search words; each different one adds to the cost."""

    def __init__(self) -> None:
        super().__init__(max_length=200)

    def read(self, given: Any) -> str | None:
        text = super().read(given)
        if text is None:
            return None
        if len({word.casefold() for word in text.split()}) > MAX_WORDS:
            refuse("too_many_words", most=MAX_WORDS)
        return text


class AbsentIfInvalid(Type):
    """A value; an invalid one counts as absent."""

    def __init__(self, kind: Type) -> None:
        self.kind = kind

    def read(self, given: Any) -> Any:
        try:
            return self.kind.load(given)
        except Invalid:
            return None

    def describe(self) -> Schema:
        return self.kind.describe()
