"""Own fields of records."""

from collections.abc import Sequence
from typing import Any

from pipeline.api.declared import Records
from pipeline.api.fields.own_fields import KEY, KINDS, MULTIPLE, TYPES, OwnValue, schema_of, wrong
from pipeline.api.resource import Resource
from pipeline.api.shapes import Free, Record
from pipeline.database import Row, dumps, queries
from pipeline.http.request import Request
from pipeline.http.scopes import RECORDS
from pipeline.http.security import ADMIN, MEMBER, Identity
from pipeline.validation import (
    Body,
    Boolean,
    Choice,
    Integer,
    Invalid,
    Listing,
    Query,
    Text,
    Values,
    Violations,
    optional,
    required,
)
from pipeline.validation.errors import Problem

# Own fields of a kind.
MOST = 100


class Field(Body):
    """A changed field; `kind`, `key` and `type` are fixed. `position` defaults to last."""

    label = required(Text())
    options = optional(Listing(Text(), max_items=200, unique=True), default=[])
    default = optional(
        OwnValue(), description='A valid answer, or "today" for a date, shown until the prospect saves an answer.'
    )
    required = optional(Boolean(), default=False)
    # Body has a property `description`.
    words = optional(Text(max_length=2000, lines=True), name="description")
    position = optional(Integer(max=1_000_000))


class NewField(Field):
    """A new field."""

    kind = required(Choice(*KINDS))
    key = required(KEY)
    type = required(Choice(*TYPES, "choice", MULTIPLE))

    def check(self, values: Values, violations: Violations) -> None:
        if {"type", "options", "default"} <= values.keys():
            violations.take("", wrong(values))


class OfKind(Query):
    """The kind of records."""

    kind = optional(Choice(*KINDS), default="lead")


def create_field(caller: Identity, body: Values) -> int:
    """The new id; 409 beyond MOST fields of its kind."""
    check_room(body["kind"], 1)
    return queries.field_insert(**_stored(body))


def create_fields(kind: str, fields: Sequence[Row]) -> None:
    """Stores definitions; 409 beyond MOST fields of the kind."""
    check_room(kind, len(fields))
    for field in fields:
        named = ("key", "label", "type", "options", "required")
        given = {name: field[name] for name in named}
        queries.field_insert(kind=kind, initial=None, description=None, position=None, **given)


def check_room(kind: str, number: int) -> None:
    """Raises 409 beyond MOST fields of the kind."""
    if number and len(queries.field_definitions(kind=kind)) + number > MOST:
        raise Problem("too_many_fields", f"A kind of record can have at most {MOST} own fields.")


def update_field(caller: Identity, id: int, body: Values) -> None:
    """Replaces a field; 422 for a misfit of its type."""
    field = queries.field_get(id=id)
    if field is None:
        return
    if violations := list(wrong({**body, "type": field["type"]})):
        raise Invalid(violations)
    queries.field_update(id=id, **_stored(body))


def _stored(body: Values) -> Values:
    default = body.pop("default")
    return {**body, "initial": None if default is None else dumps(default).decode()}


fields = Records(
    "/fields",
    "field",
    area=RECORDS,
    write=ADMIN,
    body=Field(),
    shows=Record("field", "An own field of a kind of record."),
    fails=("key_taken", "too_many_fields"),
)
fields.list("list_fields", filters={"kind": Choice(*KINDS)})
fields.create("create_field", body=NewField(), by=create_field)
fields.get("get_field")
fields.update("update_field", "patch_field", by=update_field)
fields.delete("delete_field")

schema = Resource("/fields/schema", "The own fields of a kind as a JSON Schema", RECORDS)
SCHEMA = Free(
    "FieldSchema",
    "A JSON Schema of a record's `fields`: `$schema`, `type`, `properties`, `required` and `additionalProperties`.",
)


@schema.get(access=MEMBER, query=OfKind(), answer=SCHEMA)
def get_field_schema(request: Request, query: Values) -> dict[str, Any]:
    return schema_of(queries.field_definitions(kind=query["kind"]))
