"""The own fields of an organization's records, and their values."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property, partial
from typing import Any, NamedTuple

from pipeline.database import Row, queries
from pipeline.validation import (
    Body,
    Boolean,
    Choice,
    Invalid,
    Listing,
    Money,
    Number,
    Schema,
    ShownEmail,
    Text,
    Type,
    Url,
    Values,
    Violation,
    Violations,
    WrittenDate,
    refuse,
)
from pipeline.validation.types import composed
from pipeline.validation.violations import nearest, step

KINDS = ("lead", "company", "contact", "deal", "contract")
KEY_PATTERN = "[a-z](_?[a-z0-9])*_?"
KEY = Text(40, pattern=KEY_PATTERN, hint="Must be lower-case letters, digits and single underscores, a letter first.")
VALUES = (
    {"type": "string"},
    {"type": "number"},
    {"type": "boolean"},
    {"type": "array", "items": {"type": "string"}, "maxItems": 200},
)
# The response's schema of `fields`.
OWN: Schema = {"type": "object", "additionalProperties": {"anyOf": list(VALUES)}}
DIALECT = "https://json-schema.org/draft/2020-12/schema"
MONEY = Money()
MULTIPLE = "choices"
CHOICES = ("choice", MULTIPLE)
TYPES = {
    "text": Text(max_length=5000, lines=True),
    "number": Number(),
    "money": MONEY,
    "date": WrittenDate(),
    "yes_no": Boolean(),
    "url": Url(),
    "email": ShownEmail(),
}


class OwnValue(Type):
    """A text, number, boolean or list of texts; "" and [] count as absent."""

    def load(self, given: Any) -> Any:
        if isinstance(given, dict) or (isinstance(given, list) and not all(isinstance(item, str) for item in given)):
            refuse("wrong_type", wanted="a string, a number, true, false or an array of strings")
        value = composed(given, trim=True)
        return None if value in ("", []) else value

    def describe(self) -> Schema:
        return {"anyOf": list(VALUES)}


class OwnValues(Type):
    """Values by key; null counts as absent. `kind`: the kind of records that check them by its own fields."""

    def __init__(self, kind: str | None = None) -> None:
        self.kind = kind

    def read(self, given: Any) -> Values:
        if not isinstance(given, dict):
            refuse("wrong_type", wanted="an object")
        violations = Violations()
        values = {composed(key): violations.check(step(key), OwnValue().load, value) for key, value in given.items()}
        if violations:
            raise Invalid(violations)
        return {key: value for key, value in values.items() if value is not None}

    def describe(self) -> Schema:
        return {"type": "object", "additionalProperties": {"anyOf": [*VALUES, {"type": "null"}]}}


class Definitions:
    """The own fields of a kind, read once."""

    def __init__(self, kind: str) -> None:
        self.kind = kind

    @cached_property
    def rows(self) -> Sequence[Row]:
        return queries.field_definitions(kind=self.kind)

    @cached_property
    def currency(self) -> str:
        """The organization's currency; "" without amounts."""
        return queries.organization_currency() if any(row["type"] == "money" for row in self.rows) else ""

    def settle(self, body: Values, kept: Callable[[], Values | None], patched: bool = False) -> list[Violation]:
        """Completes `fields` of a record's body; returns violations.

        kept: the record's present values, None for a new one. patched: the body has them already.
        """
        given = body["fields"] or {}
        if not given and not self.rows:
            body["fields"] = {}
            return []
        known = {row["key"] for row in self.rows}
        needed = {row["key"]: row for row in self.rows if row["required"] and row["default"] is None or patched}
        former = kept() or {} if given.keys() - known or (patched and needed.keys() - given.keys()) else {}
        currency = body.get("currency") or self.currency
        body["fields"], violations = given_values(given, self.rows, currency, former, patched)
        wanted = [row for row in self.rows if row["key"] in former] if patched else self.rows
        return [*violations, *missing(body["fields"], wanted, "Is required.")]


class Carried(NamedTuple):
    """Values for a record of another kind: for a `new` one with its defaults."""

    known: Values
    new: Values


def carried(values: Values, kind: str) -> Carried:
    """The values of a lead for a record of a kind: those whose fields have equal key and type."""
    own = Definitions(kind)
    types = {row["key"]: row["type"] for row in queries.field_definitions(kind="lead")} if values else {}
    alike = [row for row in own.rows if row["key"] in values and types.get(row["key"]) == row["type"]]
    known = {row["key"]: values[row["key"]] for row in alike if _fits(row, own.currency, values[row["key"]])}
    return Carried(known, defaults_of(own.rows) | known)


def _fits(field: Row, currency: str, value: Any) -> bool:
    try:
        return read_value(field, currency, value) is not None
    except Invalid:
        return False


def defaults_of(fields: Iterable[Row]) -> Values:
    return {field["key"]: field["default"] for field in fields if field["default"] is not None}


def definitions_of(body: Body) -> Definitions | None:
    """The own fields that check a body's `fields`, if any."""
    kinds = (node.typ.kind for node in body.children if isinstance(node.typ, OwnValues) and node.typ.kind)
    return next((Definitions(kind) for kind in kinds), None)


def wrong_values(body: Body, values: Values, is_new: bool) -> list[Violation]:
    """The violations of `fields` beside those of other fields."""
    own, given = definitions_of(body), values.get("fields")
    if own is None or not given:
        return []
    currency = values.get("currency") or own.currency
    _values, violations = given_values(given, own.rows, currency, {}, patched=True)
    # A known record may have values of deleted fields.
    return [violation for violation in violations if is_new or violation.code != "unknown_key"]


def type_of(field: Row) -> Type:
    if field["type"] not in CHOICES:
        return TYPES[field["type"]]
    choice = Choice(*field["options"])
    return Listing(choice, max_items=200, unique=True) if field["type"] == MULTIPLE else choice


def schema_of(fields: Sequence[Row]) -> Schema:
    """The JSON Schema of a record's `fields`."""
    return {
        "$schema": DIALECT,
        "type": "object",
        "additionalProperties": False,
        "properties": {field["key"]: _described(field) for field in fields},
        "required": [field["key"] for field in fields if field["required"]],
    }


def _described(field: Row) -> Schema:
    value = type_of(field).describe()
    words = {"title": field["label"], "description": field["description"], "default": field["default"]}
    shown = value if field["required"] else {"anyOf": [value, {"type": "null"}]}
    return {**shown, **{name: word for name, word in words.items() if word is not None}}


def wrong(field: Row) -> Iterator[Violation]:
    """The violations of a field's `options` and `default`."""
    if field["type"] in CHOICES and not field["options"]:
        yield Violation("options", "required", "A choice needs options.")
    elif field["type"] not in CHOICES and field["options"]:
        yield Violation("options", "not_offered", "Only a choice has options.")
    elif field["default"] is not None:
        violations = Violations()
        violations.check("default", type_of(field).load, field["default"])
        yield from violations


def given_values(
    given: Values | None, fields: Sequence[Row], currency: str, kept: Values | None, patched: bool
) -> tuple[Values, list[Violation]]:
    """(values with defaults, violations) of a record's `fields`.

    Equal values of `kept` stay, even of a deleted field. A patch adds no defaults of later fields.
    """
    known, values, violations = {field["key"]: field for field in fields}, {}, Violations()
    kept = kept or {}
    defaults = {field["key"]: field["default"] for field in fields if not patched or field["key"] in kept}
    given = {key: value for key, value in defaults.items() if value is not None} | (given or {})
    for key, value in given.items():
        place = f"fields.{step(key)}"
        if key in kept and _is_same(kept[key], value):
            values[key] = kept[key]
        elif key not in known:
            violations.add(place, "unknown_key", f"There is no such field.{nearest(key, list(known))}")
        else:
            values[key] = violations.check(place, partial(read_value, known[key], currency), value)
    return values, violations


def read_value(field: Row, currency: str, value: Any) -> Any:
    """The value of an own field; raises Invalid."""
    read = type_of(field).load(value)
    if field["type"] == "money" and read is not None:
        MONEY.minor_units(read, currency)
    return read


def _is_same(one: Any, other: Any) -> bool:
    return one == other and isinstance(one, bool) == isinstance(other, bool)


def missing(values: Values, fields: Iterable[Row], message: str) -> list[Violation]:
    """A Violation for each required field without a value."""
    return [
        Violation(f"fields.{field['key']}", "required", message)
        for field in fields
        if field["required"] and field["key"] not in values
    ]


def check_complete(values: Values, fields: Iterable[Row]) -> None:
    """Raises 422 for required fields of an active contract without a value."""
    if lacking := missing(values, fields, "Is required in an active contract."):
        raise Invalid(lacking)
