"""Response schemas, named components of the API description.

    LEAD = Record("lead", note_entries=listed(NOTE), unlisted=("note_entries",))
    QUALIFICATION = Shape("Qualification", "The records of a qualified lead.", success=BOOLEAN, deal_id=nullable(ID))

A Record's columns come from `<record>_get` (records.json, from PostgreSQL's catalog).
"""

from collections.abc import Collection, Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, Union

import orjson

from pipeline.validation import Body, Schema

# A property's schema, and {record: bodies}.
Member = Union[Schema, "Shape", "_Described"]
Bodies = dict[str, list[Body]]
REFERENCE = "#/components/schemas/"
ID = {"type": "integer", "format": "int64", "minimum": 1}
COUNT = {"type": "integer", "format": "int64", "minimum": 0}
BOOLEAN = {"type": "boolean"}
TEXT = {"type": "string"}
EMAIL = {"type": "string", "format": "idn-email"}
URI = {"type": "string", "format": "uri"}
TIMESTAMP = {"type": "string", "format": "date-time"}
NUMBER = {"type": "number"}
OBJECT = {"type": "object", "additionalProperties": True}


@cache
def _records() -> dict[str, dict[str, Schema]]:
    return orjson.loads(Path(__file__).with_name("records.json").read_bytes())


def word(*words: str) -> Schema:
    return {"type": "string", "enum": list(words)}


def listed(item: Member, **more: Any) -> Schema:
    return {"type": "array", "items": item, **more}


def mapped(item: Member) -> Schema:
    return {"type": "object", "additionalProperties": item}


def nullable(schema: Member) -> Schema:
    """A schema or Shape that may be null."""
    return {"anyOf": [schema, {"type": "null"}]}


def _nullable(schema: Schema) -> Schema:
    if "type" not in schema:
        return nullable(schema)
    words = {"enum": [*schema["enum"], None]} if "enum" in schema else {}
    return {**schema, "type": [schema["type"], "null"], **words}


class Shape:
    """A named object: `members` are properties, `optional` ones may be absent."""

    def __init__(self, component: str, description: str, /, optional: Collection[str] = (), **members: Member) -> None:
        self.component, self.description, self.optional = component, description, optional
        self.members: Mapping[str, Any] = members

    def properties(self, bodies: Bodies) -> Mapping[str, Member]:
        """Its properties; `bodies` are the records' request bodies."""
        return self.members

    def refer(self, schemas: dict[str, Schema], bodies: Bodies) -> Schema:
        """The reference to the component; adds it to `schemas`."""
        if self.component not in schemas:
            described: Schema = {"type": "object", "description": self.description}
            schemas[self.component] = described
            properties = {name: resolved(member, schemas, bodies) for name, member in self.properties(bodies).items()}
            described["required"] = [name for name in properties if name not in self.optional]
            described["properties"] = properties
        return {"$ref": REFERENCE + self.component}


class Free(Shape):
    """A named object with any members, such as a JSON Schema."""

    def refer(self, schemas: dict[str, Schema], bodies: Bodies) -> Schema:
        schemas[self.component] = {**OBJECT, "description": self.description}
        return {"$ref": REFERENCE + self.component}


class Word(Shape):
    """A named enumeration."""

    def __init__(self, component: str, description: str, /, *words: str) -> None:
        super().__init__(component, description)
        self.words = words

    def refer(self, schemas: dict[str, Schema], bodies: Bodies) -> Schema:
        schemas[self.component] = {**word(*self.words), "description": self.description}
        return {"$ref": REFERENCE + self.component}


class OneOf(Shape):
    """One of several Shapes; `by` is the property that distinguishes them."""

    def __init__(self, component: str, description: str, /, by: str, shapes: Mapping[str, Shape]) -> None:
        super().__init__(component, description)
        self.by, self.shapes = by, shapes

    def refer(self, schemas: dict[str, Schema], bodies: Bodies) -> Schema:
        references = {word: shape.refer(schemas, bodies) for word, shape in self.shapes.items()}
        schemas[self.component] = {
            "description": self.description,
            "oneOf": list(references.values()),
            "discriminator": {
                "propertyName": self.by,
                "mapping": {word: reference["$ref"] for word, reference in references.items()},
            },
        }
        return {"$ref": REFERENCE + self.component}


class Record(Shape):
    """A record as `<record>_get` returns it.

    members: schemas that the catalog lacks.
    added: properties beside the columns.
    unlisted, left_out: columns absent from its list, and from the record.
    """

    def __init__(
        self,
        record: str,
        description: str | None = None,
        /,
        unlisted: Collection[str] = (),
        component: str | None = None,
        left_out: Collection[str] = (),
        added: Mapping[str, Member] | None = None,
        **members: Member,
    ) -> None:
        component = component or record.title().replace("_", "")
        self.noun = record.replace("_", " ").replace("api ", "API ")
        super().__init__(component, description or f"{self.noun[0].upper()}{self.noun[1:]}.", optional=(), **members)
        self.record, self.unlisted, self.left_out, self.added = record, unlisted, left_out, added

    def item(self) -> "Record":
        if not self.unlisted:
            return self
        description, component = f"{self.description} Lists leave out some fields.", f"{self.component}Item"
        return Record(self.record, description, component=component, left_out=self.unlisted, **self.members)

    def properties(self, bodies: Bodies) -> Mapping[str, Member]:
        written: dict[str, Schema] = {}
        for body in bodies.get(self.record, ()):
            for name, schema in body.describe()["properties"].items():
                written.setdefault(name, schema)
        if self.record not in _records():
            raise LookupError(f"records.json has no {self.record}: run make schema")
        columns = _records()[self.record].items()
        shown = {
            name: self._property(name, dict(column), written) for name, column in columns if name not in self.left_out
        }
        return {**shown, **(self.added or {})}

    def _property(self, name: str, column: Schema, written: Mapping[str, Schema]) -> "_Described":
        described, may_be_null = column.get("description"), column.pop("nullable", False)
        sent = _without_null(written.get(name, {}))
        if name in self.members:
            column = self.members[name]
        elif "type" not in column:
            column = {key: value for key, value in sent.items() if key != "default"}
            column = _nullable(column) if may_be_null else column
        else:
            column |= {key: sent[key] for key in ("format", "enum", "maxItems") if key in sent and key not in column}
            column = _nullable(column) if may_be_null else column
        # No readOnly: webhooks send records in requests. The bodies of PUT and PATCH have it.
        return _Described(column, {"description": described} if described else {})


class _Described(NamedTuple):
    schema: Member
    more: Schema


class ListOf(Shape):
    """A page of records or Shapes."""

    def __init__(self, item: Shape) -> None:
        item = item.item() if isinstance(item, Record) else item
        name = item.component.removesuffix("Item")
        numbers = ("current_page", "last_page", "per_page", "total")
        super().__init__(
            f"{name}List",
            f"A page of a list. The header `Link` has the URLs of the others. Item: {item.description}",
            data=listed(item),
            optional=[name for name in numbers if name != "per_page"],
            **dict.fromkeys(numbers, COUNT),
        )


class Data(Shape):
    """The envelope of a list without pages."""

    def __init__(self, item: Shape) -> None:
        super().__init__(f"{item.component}s", f"A list without pages. Item: {item.description}", data=listed(item))


STORED_FILE = Shape(
    "StoredFile",
    "The metadata of a stored file.",
    filename=TEXT,
    content_type={**TEXT, "description": "The file's media type."},
    size=COUNT,
    sha256={**TEXT, "pattern": "^[0-9a-f]{64}$"},
    uploaded_at={**TIMESTAMP, "description": "The time of the upload."},
)


def resolved(schema: Any, schemas: dict[str, Schema], bodies: Bodies) -> Any:
    """The schema with references; adds their components."""
    if isinstance(schema, Shape):
        return schema.refer(schemas, bodies)
    if isinstance(schema, _Described):
        return {**resolved(schema.schema, schemas, bodies), **schema.more}
    if isinstance(schema, dict):
        return {key: resolved(value, schemas, bodies) for key, value in schema.items()}
    if isinstance(schema, list | tuple):
        return [resolved(value, schemas, bodies) for value in schema]
    return schema


def _without_null(schema: Schema) -> Schema:
    alternatives = schema.get("anyOf", ())
    return alternatives[0] if len(alternatives) == 2 and alternatives[1] == {"type": "null"} else schema
