"""Tags of own fields, and their values."""

from collections.abc import Iterable
from decimal import Decimal

from pipeline.contracts.merge.catalogue import Tag, own_tags
from pipeline.database import Row, queries
from pipeline.validation import Values

STORED: dict[str, type | tuple[type, ...]] = {
    "number": (int, Decimal),
    "money": (int, Decimal),
    "yes_no": bool,
    "choices": list,
}


def tags() -> tuple[Tag, ...]:
    return own_tags(queries.field_tags())


def definitions() -> Row:
    """The sources of own fields: `own_tags` of all kinds, `own_fields` of contracts."""
    rows = queries.field_tags()
    return {"own_tags": rows, "own_fields": [row for row in rows if row["kind"] == "contract"]}


def tag_values(values: Values | None, fields: Iterable[Row], kind: str = "contract") -> Values:
    """{tag's field: value} of a record, without values of another type."""
    stored = {field["key"]: STORED.get(field["type"], str) for field in fields if field["kind"] == kind}
    return {f"fields.{key}": value for key, value in (values or {}).items() if isinstance(value, stored.get(key, ()))}
