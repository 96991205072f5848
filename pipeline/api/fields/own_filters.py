"""Filters and orders of lists by own fields."""

from collections.abc import Mapping
from typing import Any

from pipeline.api.fields.own_fields import KEY_PATTERN, MULTIPLE, OwnValues, type_of
from pipeline.database import Row, dumps, not_none, queries
from pipeline.http.bodies import parse_json
from pipeline.validation import Choice, Invalid, Schema, Values, Violations, refuse
from pipeline.validation.errors import Problem
from pipeline.validation.types import Written
from pipeline.validation.violations import nearest, step

# The parameters of filters, what a statement takes besides, and the prefix of orders.
FILTERS, COMPUTED, ORDER = ("fields", "field_min", "field_max"), ("bounds", "total"), "fields."
# Parameters that leave out no record.
PAGING = ("page", "per_page", "sort_by", "sort_dir")
# The statement of filters returns no more ids (app.field_hits).
FEW = 10_000
MAX_FILTER = 1000
# Types with bounds, and types that are sorted as texts.
BOUNDED, TEXTS = ("number", "money", "date"), ("text", "choice", "choices", "url", "email")


class OwnFilter(Written):
    """Values by key as JSON in a query, such as `{"governing_law": "Irish law"}`."""

    def read(self, given: str) -> Values:
        if len(given) > MAX_FILTER:
            refuse("too_long", most=MAX_FILTER, of="characters")
        try:
            asked = parse_json(given.encode())
        except Problem:
            asked = None
        if not isinstance(asked, dict) or any(value in (None, "", []) for value in asked.values()):
            refuse("wrong_type", wanted="a JSON object without null or empty values")
        return OwnValues().read(asked)

    def describe(self) -> Schema:
        return {"type": "string", "maxLength": MAX_FILTER}


class Order(Choice):
    """One of a list's orders, or `fields.key` for an own field."""

    def read(self, given: Any) -> str | None:
        return given if isinstance(given, str) and given.startswith(ORDER) else super().read(given)

    def describe(self) -> Schema:
        return {"anyOf": [super().describe(), {"type": "string", "pattern": rf"^fields\.{KEY_PATTERN}$"}]}


def asked(kind: str, query: Values) -> Values:
    """The query of a list as its statement takes it; raises 422 for what the own fields do not have."""
    given = {name: query.get(name) for name in FILTERS}
    plain = {name: value for name, value in query.items() if name not in FILTERS}
    order = (query.get("sort_by") or "").partition(ORDER)[2]
    if not order and not any(given.values()):
        # An empty filter leaves all records.
        return plain
    known, violations = {field["key"]: field for field in queries.field_definitions(kind=kind)}, Violations()
    found = {name: _read(violations, name, values, known) if values else None for name, values in given.items()}
    if order:
        _check_known(violations, "sort_by", order, known)
    if violations:
        raise Invalid([violation._replace(location="query") for violation in violations])
    sorted_by = _sorted_by(known[order]) if order else {}
    return {**plain, **(_filtered(kind, plain, found) if any(found.values()) else {}), **sorted_by}


def _filtered(kind: str, query: Values, found: Values) -> Values:
    """Few records by ids; many by comparison, with their total without other filters."""
    written = {name: dumps(values).decode() if values else None for name, values in found.items()}
    counts = "page" in query and query.get("after_id") is None
    hits = not_none(queries.field_hits(kind=kind, most=None if counts else FEW + 1, **written))
    if hits["ids"] is not None:
        return {"ids": hits["ids"] if query.get("ids") is None else sorted({*hits["ids"]}.intersection(query["ids"]))}
    alone = all(value is None or name in PAGING for name, value in query.items())
    return {
        "fields": written["fields"],
        "bounds": _bounds(found) or None,
        **({"total": hits["total"]} if counts and alone else {}),
    }


def _bounds(found: Values) -> str:
    """The bounds as jsonpath; no value of another type fulfils them."""
    return " && ".join(
        f'$."{key}" {operator} {dumps(value).decode()}'
        for name, operator in (("field_min", ">="), ("field_max", "<="))
        for key, value in (found[name] or {}).items()
    )


def _sorted_by(field: Row) -> Values:
    return {"sort_by": "own_text" if field["type"] in TEXTS else "own_value", "sort_field": field["key"]}


def _read(violations: Violations, name: str, given: Values, known: Mapping[str, Row]) -> Values:
    """The values of a filter; adds violations for unknown keys and values that do not fit their type."""
    read = {}
    for key, value in given.items():
        place = f"{name}.{step(key)}"
        if not _check_known(violations, place, key, known):
            continue
        if name != "fields" and known[key]["type"] not in BOUNDED:
            violations.add(place, "wrong_type", "Only a number, an amount or a date has bounds.")
            continue
        several = known[key]["type"] == MULTIPLE and isinstance(value, str)
        read[key] = violations.check(place, type_of(known[key]).load, [value] if several else value)
    return read


def _check_known(violations: Violations, place: str, key: str, known: Mapping[str, Row]) -> bool:
    if key not in known:
        violations.add(place, "unknown_key", f"There is no such field.{nearest(key, list(known))}")
    return key in known
