"""The result of a validation type for one value."""

from pipeline import validation as schema
from pipeline.http.core.bodies import parse_json
from pipeline.validation import Invalid

ABSENT = object()


def read(kind, value):
    """What `kind` makes of a value; ABSENT when it counts as left out, the code of its violation when refused."""
    node = schema.Body()
    node.add(schema.optional(kind, default=ABSENT, name="field"))
    try:
        return schema.deserialize(node, {"field": value})["field"]
    except Invalid as problem:
        return problem.violations[0].code


def read_json(kind, text):
    """The same for a value written as JSON."""
    return read(kind, parse_json(text.encode()))
