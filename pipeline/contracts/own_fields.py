"""Values of own contract fields."""

from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from functools import partial
from typing import Any

from pipeline.contracts.merge.catalogue import Tag, own_tags
from pipeline.contracts.merge.tags import nearest
from pipeline.database import Row, dumps, queries
from pipeline.http.core.bodies import parse_json
from pipeline.validation import (
    Boolean,
    Choice,
    Invalid,
    Money,
    Number,
    Text,
    Type,
    Values,
    Violation,
    Violations,
    WrittenDate,
    refuse,
)
from pipeline.validation.errors import Problem
from pipeline.validation.types import Schema, Written, composed
from pipeline.validation.violations import step

SCALARS = ({"type": "string"}, {"type": "number"}, {"type": "boolean"})
MAX_FILTER = 1000
MONEY = Money()
TYPES = {
    "text": Text(max_length=5000, lines=True),
    "number": Number(),
    "money": MONEY,
    "date": WrittenDate(),
    "yes_no": Boolean(),
}
STORED: dict[str, type | tuple[type, ...]] = {"number": (int, Decimal), "money": (int, Decimal), "yes_no": bool}


class OwnValue(Type):
    """A text, number or boolean; "" counts as absent."""

    def load(self, given: Any) -> Any:
        if isinstance(given, dict | list):
            refuse("wrong_type", wanted="a string, a number, true or false")
        value = composed(given, trim=True)
        return None if value == "" else value

    def describe(self) -> Schema:
        return {"anyOf": list(SCALARS)}


class OwnValues(Type):
    """Values by key; null counts as absent."""

    def read(self, given: Any) -> Values:
        if not isinstance(given, dict):
            refuse("wrong_type", wanted="an object")
        violations = Violations()
        values = {composed(key): violations.check(step(key), OwnValue().load, value) for key, value in given.items()}
        if violations:
            raise Invalid(violations)
        return {key: value for key, value in values.items() if value is not None}

    def describe(self) -> Schema:
        return {"type": "object", "additionalProperties": {"anyOf": [*SCALARS, {"type": "null"}]}}


class OwnFilter(Written):
    """Values by key as JSON in a query, such as `{"governing_law": "Irish law"}`."""

    def read(self, given: str) -> Values:
        if len(given) > MAX_FILTER:
            refuse("too_long", most=MAX_FILTER, of="characters")
        try:
            asked = parse_json(given.encode())
        except Problem:
            asked = None
        if not isinstance(asked, dict) or None in asked.values():
            refuse("wrong_type", wanted="a JSON object without null")
        return OwnValues().read(asked)

    def describe(self) -> Schema:
        return {"type": "string", "maxLength": MAX_FILTER}


def checked_filter(given: Values) -> str:
    """The JSON of a filter; raises 422 for unknown keys and values of another type."""
    known, violations = {field["key"]: field for field in queries.contract_field_definitions()}, Violations()
    for key, value in given.items():
        place = f"fields.{step(key)}"
        if key in known:
            given[key] = violations.check(place, type_of(known[key]).load, value)
        else:
            violations.add(place, "unknown_key", f"There is no such field.{nearest(key, list(known))}")
    if violations:
        raise Invalid([violation._replace(location="query") for violation in violations])
    return dumps(given).decode()


def tags() -> tuple[Tag, ...]:
    return own_tags(queries.contract_field_definitions())


def type_of(field: Row) -> Type:
    return Choice(*field["options"]) if field["type"] == "choice" else TYPES[field["type"]]


def wrong(field: Row) -> Iterator[Violation]:
    """The violations of a field's `options` and `default`."""
    if field["type"] == "choice" and not field["options"]:
        yield Violation("options", "required", "A choice needs options.")
    elif field["type"] != "choice" and field["options"]:
        yield Violation("options", "not_offered", "Only a choice has options.")
    elif field["default"] is not None:
        violations = Violations()
        violations.check("default", type_of(field).load, field["default"])
        yield from violations


def given_values(
    given: Values | None, fields: Sequence[Row], currency: str, kept: Values | None, patched: bool
) -> tuple[Values, list[Violation]]:
    """(values with defaults, violations) of a contract's `fields`.

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
            values[key] = violations.check(place, partial(_read, known[key], currency), value)
    return values, violations


def _read(field: Row, currency: str, value: Any) -> Any:
    read = type_of(field).load(value)
    if field["type"] == "money" and read is not None:
        MONEY.minor_units(read, currency)
    return read


def _is_same(one: Any, other: Any) -> bool:
    return one == other and isinstance(one, bool) == isinstance(other, bool)


def check_complete(values: Values, fields: Iterable[Row]) -> None:
    """Raises 422 for required fields without a value."""
    missing = [
        Violation(f"fields.{field['key']}", "required", f'"{field["label"]}" is required in an active contract.')
        for field in fields
        if field["required"] and field["key"] not in values
    ]
    if missing:
        raise Invalid(missing)


def tag_values(values: Values, fields: Iterable[Row]) -> Values:
    """{tag's field: value}, without values of another type."""
    stored = {field["key"]: STORED.get(field["type"], str) for field in fields}
    return {f"fields.{key}": value for key, value in values.items() if isinstance(value, stored.get(key, ()))}
