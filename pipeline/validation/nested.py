"""Objects and arrays. A Body declares fields as class attributes: `name = required(Text())`."""

from collections.abc import Callable, Iterable
from functools import cached_property
from typing import Any

import colander

from pipeline.validation.numbers import Money
from pipeline.validation.types import Schema, Type, composed
from pipeline.validation.violations import Invalid, Violation, Violations, refuse, step

COMPONENTS = "#/components/schemas/"
# The default of a sparse body's fields.
LEFT_OUT = object()


class Body(colander.MappingSchema):
    """A JSON object without unknown members.

    `sparse`: only given fields; `computed` fields are ignored.
    """

    sparse = False
    computed: tuple[str, ...] = ()

    @cached_property
    def fields(self) -> dict[str, tuple[Callable[[Any], Any], bool, Any]]:
        """{field: (load, whether it is required, default)}"""
        return {
            node.name: (node.typ.load, node.required, LEFT_OUT if self.sparse else node.missing)
            for node in self.children
        }

    def read(self, given: Any) -> dict[str, Any]:
        """Returns the values; raises Invalid with all violations."""
        if not isinstance(given, dict):
            refuse("wrong_type", wanted="an object")
        values, violations, fields = {}, Violations(), self.fields
        if not given.keys() <= fields.keys():
            violations.refuse_names(name for name in given if name not in fields and name not in self.computed)
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
        """Adds violations between fields; `values` lacks invalid ones."""

    def look_up_asked(self, values: dict[str, Any], query: dict[str, Any]) -> Iterable[Violation]:
        """Same as `look_up`, for a body whose rules depend on the request's query."""
        return self.look_up(values)

    def look_up(self, values: dict[str, Any]) -> Iterable[Violation]:
        """Returns violations that need the database."""
        return ()

    @cached_property
    def amounts(self) -> dict[str, str]:
        """{field: column} of the amounts of money."""
        return {node.name: f"{node.name}_minor" for node in self.children if isinstance(node.typ, Money)}

    def columns(self, values: dict[str, Any]) -> dict[str, Any]:
        """{column: value}; amounts are in minor units."""
        return {self.amounts.get(name, name): value for name, value in values.items()}

    def describe(self) -> Schema:
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
        """Adds the schemas that `describe` refers to."""
        for node in self.children:
            node.typ.collect(schemas)


class Group(Type):
    """A nested Body, named in OpenAPI."""

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
    """An array; wrong values are None in Invalid."""

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
    """An object with arbitrary names."""

    def __init__(self, item: Type, min_items: int = 0) -> None:
        self.item, self.min_items = item, min_items

    def read(self, given: Any) -> dict[str, Any]:
        if not isinstance(given, dict):
            refuse("wrong_type", wanted="an object")
        if len(given) < self.min_items:
            refuse("required", f"Must have at least {self.min_items} member{'s' * (self.min_items > 1)}.")
        values, violations = {}, Violations()
        for name, member in given.items():
            values[composed(name)] = violations.need(step(name), self.item.load, member)
        if violations:
            raise Invalid(violations, values)
        return values

    def describe(self) -> Schema:
        described = {"type": "object", "additionalProperties": _present(self.item)}
        return {**described, "minProperties": self.min_items} if self.min_items else described

    def collect(self, schemas: dict[str, Schema]) -> None:
        self.item.collect(schemas)


def described(node: colander.SchemaNode) -> Schema:
    if node.required:
        return _present(node.typ) | description_of(node)
    # Generated clients do not support objects as defaults.
    default = {} if node.missing in (None, {}) else {"default": node.missing}
    return {"anyOf": [node.typ.describe(), {"type": "null"}], **default, **description_of(node)}


def description_of(node: colander.SchemaNode) -> Schema:
    return {"description": node.description} if node.description else {}


def _present(kind: Type) -> Schema:
    """Returns a schema; strings get minLength 1."""
    schema = kind.describe()
    return {"minLength": 1, **schema} if schema.get("type") == "string" and "enum" not in schema else schema


def required(kind: Type, **options: Any) -> colander.SchemaNode:
    return colander.SchemaNode(kind, **options)


def optional(kind: Type, default: Any = None, **options: Any) -> colander.SchemaNode:
    """A field that may be absent or null."""
    return colander.SchemaNode(kind, missing=default, **options)
