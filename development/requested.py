"""What only requests, or only responses, of the description of the API have. The clients' types rest on it."""

from collections.abc import Iterator
from typing import Any

Description = dict[str, Any]
OTHER, FILE = "any other word", "a file"


def requested(description: Description) -> set[str]:
    """The names of the schemas that bodies of requests hold."""
    return _named([operation.get("requestBody") for operation in _operations(description)], description, set())


def answered(description: Description) -> set[str]:
    """The names of the schemas that responses and webhooks hold."""
    webhooks = list(description["webhooks"].values())
    return _named([webhooks, *(operation["responses"] for operation in _operations(description))], description, set())


def opened(description: Description) -> Description:
    """The description with the word OTHER in enumerations of responses alone, which may grow, and FILE for files."""
    kept = requested(description)
    parts = [schema for name, schema in description["components"]["schemas"].items() if name not in kept]
    parts += [description["components"]["responses"], *(one["responses"] for one in _operations(description))]
    for name, schema in _schemas(parts):
        # One word as `type` tells the kinds of a union apart.
        if "enum" in schema and not (name == "type" and len(schema["enum"]) == 1):
            schema["enum"].append(OTHER)
    for _, schema in _schemas(description):
        if schema.get("format") == "binary":
            schema["enum"] = [FILE]
    return description


def _operations(description: Description) -> Iterator[Description]:
    for methods in description["paths"].values():
        yield from methods.values()


def _schemas(value: Any, name: str = "") -> Iterator[tuple[str, Description]]:
    """Each object in a part of the description, with the name of its place."""
    if isinstance(value, dict):
        yield name, value
        for key, inner in list(value.items()):
            yield from _schemas(inner, key)
    elif isinstance(value, list):
        for inner in value:
            yield from _schemas(inner, name)


def _named(part: Any, description: Description, found: set[str]) -> set[str]:
    """The names of the schemas in a part of the description, and in these schemas."""
    for _, value in _schemas(part):
        *_, kind, name = value.get("$ref", "//").split("/")
        if name and name not in found:
            if kind == "schemas":
                found.add(name)
            _named(description["components"][kind][name], description, found)
    return found
