"""Compares every response of the tests with `/openapi.json`; `Api` calls it after each request.

The description allows further members in responses. Here an undescribed member is an error.
"""

import functools
import re

import jsonschema_rs
import orjson

from pipeline.http.openapi.document import document

# Tests write addresses straight into tables, where nothing asks for their form.
FORMATS = {"idn-email": lambda value: True}
PLACE = "urn:description"
# The description, once it was asked for: every application of a test process has the same endpoints.
_KNOWN = []


def check(application, method, response):
    """Raise AssertionError unless a response of the application (WSGI) is as described."""
    # As the server got it: not every path is UTF-8.
    path = response.request.environ["PATH_INFO"]
    if not path.startswith("/api/") or not hasattr(application, "registry"):
        return
    if not _KNOWN:
        _KNOWN.append(_Description(orjson.loads(orjson.dumps(document(application.registry)))))
    found = _KNOWN[0].operation("GET" if method == "HEAD" else method, path)
    if found is not None:
        _Answer(*found, method, response).check()


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

    def operation(self, method, path):
        """(description, name, operation) of a request, or None."""
        for pattern, known in self.paths:
            if pattern.fullmatch(path):
                operation = self.described["paths"][known].get(method.lower() if method.isupper() else None)
                return operation and (self, f"{method} {known}", operation)
        return None

    def resolve(self, part):
        """A part of the description, with its reference resolved."""
        if "$ref" not in part:
            return part
        _, _, kind, name = part["$ref"].split("/")
        return self.described["components"][kind][name]


class _Answer:
    """A response with its description."""

    def __init__(self, description, name, operation, method, response):
        self.description, self.name, self.operation = description, name, operation
        self.method, self.response = method, response

    def check(self):
        """Raise AssertionError unless a response of the application (WSGI) is as described."""
        answers = self.operation["responses"]
        status = str(self.response.status_code)
        assert status in answers, f"{self.name} answers {status}: {self.response.text[:300]}"
        answer = self.description.resolve(answers[status])
        for name, header in answer.get("headers", {}).items():
            if self.description.resolve(header).get("required"):
                assert name in self.response.headers, f"{self.name} {status} lacks {name}"
        if self.method == "HEAD" or "content" not in answer:
            assert not self.response.body, f"{self.name} {status} has a body"
            return
        media_type = self.response.content_type
        assert media_type in answer["content"], f"{self.name} {status} is {media_type}"
        if media_type.endswith("json"):
            self.check_body(orjson.dumps(answer["content"][media_type]["schema"]))

    def check_body(self, schema):
        """Raise AssertionError for a body that does not match the schema (bytes)."""
        body = orjson.loads(self.response.body)
        error = next(iter(self.description.validator(schema).iter_errors(body)), None)
        place = error and ".".join(map(str, error.instance_path))
        assert error is None, f"{self.name} {self.response.status_code} {place}: {error.message[:300]}"


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
