"""Strict types for what stands inside of a body: objects and arrays, every violation named by its whole path."""

import colander

from pipeline.errors import Violation
from pipeline.schema import Fault, StrictType, examine, refuse, required, violations_of


class Group(StrictType):
    """An object inside of a body, by a Body of its own: as strict, its violations named by their whole path."""

    def __init__(self, body):
        self.body = body

    def read(self, node, cstruct):
        values, violations = examine(self.body, cstruct)
        if violations:
            raise _nested(node, violations)
        return values


class Listing(StrictType):
    """An array of at most `max_items` values of one type; `unique` refuses a value that occurs twice."""

    def __init__(self, item, max_items, unique=False):
        self.item, self.max_items, self.unique = item, max_items, unique

    def read(self, node, cstruct):
        if not isinstance(cstruct, list):
            refuse(node, "wrong_type", "Must be an array.")
        if len(cstruct) > self.max_items:
            refuse(node, "too_long", f"Must have at most {self.max_items} items.")
        values, violations = [], []
        for index, member in enumerate(cstruct):
            try:
                values.append(required(self.item, name=str(index)).deserialize(member))
            except colander.Invalid as error:
                violations.extend(violations_of(error))
                continue
            if self.unique and values[-1] in values[:-1]:
                violations.append(Violation(str(index), "repeated", "Occurs more than once."))
        if violations:
            raise _nested(node, violations)
        return values


def _nested(node, violations):
    """Colander's Invalid of a node that holds all of the violations found inside of it."""
    error = colander.Invalid(node)
    for violation in violations:
        inner = colander.SchemaNode(node.typ, name=violation.name)
        error.add(colander.Invalid(inner, Fault(violation.code, violation.message)))
    return error
