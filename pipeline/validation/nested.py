"""Objects and arrays, in a body or as one: as strict inside as outside, every violation named by its whole path.

A body is declared as a class whose attributes are its fields, `name = required(Text())`; colander keeps the tree,
what is read and how is ours.
"""

from collections.abc import Callable, Iterable
from functools import cached_property
from typing import Any

import colander

from pipeline.validation.codes import sentence
from pipeline.validation.texts import composed
from pipeline.validation.types import Schema, Type
from pipeline.validation.violations import Invalid, Violation, Violations, refuse, step

# Where OpenAPI keeps the schemas that have a name.
COMPONENTS = "#/components/schemas/"
# The default of what a sparse body was not given.
LEFT_OUT = object()


class Body(colander.MappingSchema):
    """A JSON object: every unknown member is refused by name.

    It is read into a dict of every field; in a `sparse` one, of those that were given. The names that are `computed`
    are what a record shows here and only the service writes: they may be sent back, and are ignored. Those of `once`
    were chosen when the record was made, and stay.
    """

    sparse = False
    computed: tuple[str, ...] = ()
    once: tuple[str, ...] = ()

    @cached_property
    def fields(self) -> dict[str, tuple[Callable[[Any], Any], bool, Any]]:
        """How each field is read, whether it must be there, and what it is when it is not: looked up once."""
        return {
            node.name: (node.typ.load, node.required, LEFT_OUT if self.sparse else node.missing)
            for node in self.children
        }

    def read(self, given: Any) -> dict[str, Any]:
        """The values of a JSON object; raises Invalid with all of its violations, and with what could be read."""
        if not isinstance(given, dict):
            refuse("wrong_type", wanted="an object")
        values, violations, fields = {}, Violations(), self.fields
        if not given.keys() <= fields.keys():
            violations.refuse_names(
                (name for name in given if name not in fields and name not in self.computed), self.once
            )
        for name, (load, needed, default) in fields.items():
            try:
                value = load(given.get(name))
            except Invalid as error:
                violations.take(name, error.violations)
                value, needed, default = error.value, False, LEFT_OUT
            if value is not None:
                values[name] = value
            elif needed:
                violations.add(name, "required")
            elif default is not LEFT_OUT:
                values[name] = default
        self.check(values, violations)
        if violations:
            raise Invalid(violations, values)
        return values

    def check(self, values: dict[str, Any], violations: Violations) -> None:
        """Add what is wrong with the fields together; `values` lacks those that are wrong in themselves."""

    def look_up(self, values: dict[str, Any]) -> Iterable[Violation]:
        """What only the database can tell is wrong; `values` lacks what is wrong in itself."""
        return ()

    def describe(self) -> Schema:
        """The JSON Schema of the object."""
        return {
            "type": "object",
            "additionalProperties": False,
            "required": [node.name for node in self.children if node.required],
            "properties": {
                **{node.name: described(node) for node in self.children},
                **{name: {"readOnly": True} for name in self.computed},
            },
        }

    def collect(self, schemas: dict[str, Schema]) -> None:
        """Add the schemas that `describe` refers to by name, however deep."""
        for node in self.children:
            node.typ.collect(schemas)


class Group(Type):
    """An object inside of a body, by a Body of its own; OpenAPI shows it as a component of that class's name."""

    def __init__(self, body: Body) -> None:
        self.body, self.component = body, type(body).__name__

    def read(self, given: Any) -> dict[str, Any]:
        return self.body.read(given)

    def describe(self) -> Schema:
        return {"$ref": COMPONENTS + self.component}

    def collect(self, schemas: dict[str, Schema]) -> None:
        if self.component not in schemas:
            schemas[self.component] = self.body.describe()
            self.body.collect(schemas)


class Listing(Type):
    """An array of `min_items` to `max_items` values of one type; `unique` refuses a value that occurs twice.

    Read as far as possible it has None for each value that is wrong.
    """

    def __init__(self, item: Type, max_items: int, unique: bool = False, min_items: int = 0) -> None:
        self.item, self.max_items, self.unique, self.min_items = item, max_items, unique, min_items

    def read(self, given: Any) -> list[Any]:
        if not isinstance(given, list):
            refuse("wrong_type", wanted="an array")
        if len(given) > self.max_items:
            refuse("too_long", most=self.max_items, of="items")
        if len(given) < self.min_items:
            code = "too_few" if given else "required"
            refuse(code, f"Must have at least {self.min_items} item{'s' * (self.min_items > 1)}.")
        values: list[Any] = []
        violations, load = Violations(), self.item.load
        for index, member in enumerate(given):
            try:
                value = load(member)
            except Invalid as error:
                violations.take(str(index), error.violations)
                value = error.value
            else:
                if value is None:
                    violations.add(str(index), "required")
                elif self.unique and value in values:
                    violations.add(str(index), "repeated")
            values.append(value)
        if violations:
            raise Invalid(violations, values)
        return values

    def describe(self) -> Schema:
        listed = {"type": "array", "items": _present(self.item), "maxItems": self.max_items}
        listed |= {"minItems": self.min_items} if self.min_items else {}
        return {**listed, "uniqueItems": True} if self.unique else listed

    def collect(self, schemas: dict[str, Schema]) -> None:
        self.item.collect(schemas)


class Mapping(Type):
    """An object whose names are the client's own, with values of one type: at least `min_items`."""

    def __init__(self, item: Type, min_items: int = 0) -> None:
        self.item, self.min_items = item, min_items

    def read(self, given: Any) -> dict[str, Any]:
        if not isinstance(given, dict):
            refuse("wrong_type", wanted="an object")
        if len(given) < self.min_items:
            refuse("required", f"Must have at least {self.min_items} member{'s' * (self.min_items > 1)}.")
        values, violations = {}, Violations()
        for name, member in given.items():
            known = len(violations)
            value = values[composed(name)] = violations.check(step(name), self.item.load, member)
            if value is None and len(violations) == known:
                violations.add(step(name), "required")
        if violations:
            raise Invalid(violations, values)
        return values

    def describe(self) -> Schema:
        described = {"type": "object", "additionalProperties": _present(self.item)}
        return {**described, "minProperties": self.min_items} if self.min_items else described

    def collect(self, schemas: dict[str, Schema]) -> None:
        self.item.collect(schemas)


def described(node: colander.SchemaNode) -> Schema:
    """The JSON Schema of a field."""
    if node.required:
        return _present(node.typ)
    # Generated clients cannot take an object for a default: what is left out is empty.
    default = {} if node.missing in (None, {}) else {"default": node.missing}
    return {"anyOf": [node.typ.describe(), {"type": "null"}], **default}


def _present(kind: Type) -> Schema:
    """The JSON Schema of what must be there: an empty text counts as absent."""
    schema = kind.describe()
    return {"minLength": 1, **schema} if schema.get("type") == "string" and "enum" not in schema else schema


def required(kind: Type, **options: Any) -> colander.SchemaNode:
    """A field that must be there."""
    return colander.SchemaNode(kind, **options)


def optional(kind: Type, default: Any = None, **options: Any) -> colander.SchemaNode:
    """A field that may be left out or null and then takes `default`."""
    return colander.SchemaNode(kind, missing=default, **options)


def deserialize(body: Body, given: Any, location: str = "body") -> dict[str, Any]:
    """The dict of every field of a body or query; raises the Invalid that names every wrong place of `location`."""
    try:
        return body.read(given)
    except Invalid as error:
        error.violations = [_of(location, violation) for violation in error.violations]
        raise


def _of(location: str, violation: Violation) -> Violation:
    """A violation at a location; in a query the unknown is a parameter."""
    if location == "query" and violation.code == "unknown_field":
        code = "unknown_parameter"
        return Violation(violation.name, code, sentence(code), location)
    return violation._replace(location=location)
