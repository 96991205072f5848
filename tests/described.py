"""Compares every response of the tests with `/openapi.json`; `Api` calls it after each request.

The description allows further members in responses. Here an undescribed member is an error.
"""

import functools
import re

import jsonschema_rs
import orjson

from pipeline.api.openapi.document import document

# Tests write addresses straight into tables, where nothing asks for their form.
FORMATS = {"idn-email": lambda value: True}
PLACE = "urn:description"
# The description, once it was asked for: every application of a test process has the same endpoints.
_KNOWN = []


def check(application, method, response):
    """Raise AssertionError unless a response of the application (WSGI) is as described."""
    # As the server got it: not every path is UTF-8.
    path = response.request.environ["PATH_INFO"]
    if path.startswith("/api/") and hasattr(application, "registry"):
        if not _KNOWN:
            _KNOWN.append(_Description(orjson.loads(orjson.dumps(document(application.registry)))))
        _KNOWN[0].check(method, path, response)


def validators(schemas):
    """A function (schema as JSON bytes) -> validator, for schemas that refer to those of a description."""
    # They are read once, not for each validator.
    registry = jsonschema_rs.Registry([(PLACE, {"components": {"schemas": schemas}})])

    @functools.cache
    def validator(schema):
        referring = orjson.loads(schema.replace(b'"#/', f'"{PLACE}#/'.encode()))
        options = {"validate_formats": True, "formats": FORMATS, "registry": registry}
        return jsonschema_rs.Draft202012Validator(referring, **options)

    return validator


class _Description:
    """A description that finds the operation of a request."""

    def __init__(self, described):
        self.described = described
        self.paths = [
            (re.compile(re.sub(r"\{\w+\}", "[^/]+", path)), path)
            # What is fixed comes before what is anything.
            for path in sorted(described["paths"], key=lambda path: [part.startswith("{") for part in path.split("/")])
        ]
        schemas = orjson.loads(orjson.dumps(described["components"]["schemas"]))
        _close(schemas)
        self.validator = validators(schemas)

    def check(self, method, path, response):
        """Raise AssertionError unless a response is as described."""
        known = next((known for pattern, known in self.paths if pattern.fullmatch(path)), None)
        described = "GET" if method == "HEAD" else method
        operation = self.described["paths"].get(known, {}).get(described.lower() if described.isupper() else None)
        if operation is None:
            return
        status = str(response.status_code)
        name = f"{described} {known} {status}"
        assert status in operation["responses"], f"{name}: {response.text[:300]}"
        answer = self.resolve(operation["responses"][status])
        for header, meant in answer.get("headers", {}).items():
            if self.resolve(meant).get("required"):
                assert header in response.headers, f"{name} lacks {header}"
        if method == "HEAD" or "content" not in answer:
            assert not response.body, f"{name} has a body"
            return
        media_type = response.content_type
        assert media_type in answer["content"], f"{name} is {media_type}"
        if media_type.endswith("json"):
            validator = self.validator(orjson.dumps(answer["content"][media_type]["schema"]))
            for error in validator.iter_errors(orjson.loads(response.body)):
                raise AssertionError(f"{name} {'.'.join(map(str, error.instance_path))}: {error.message[:300]}")

    def resolve(self, part):
        """A part of the description, with its reference resolved."""
        if "$ref" not in part:
            return part
        _, _, kind, name = part["$ref"].split("/")
        return self.described["components"][kind][name]


def _close(part):
    """Forbid undescribed members of objects."""
    if isinstance(part, dict):
        if "properties" in part:
            part.setdefault("additionalProperties", False)
        for member in part.values():
            _close(member)
    elif isinstance(part, list):
        for member in part:
            _close(member)
