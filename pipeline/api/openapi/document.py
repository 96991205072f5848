"""The OpenAPI 3.1 document; cornice's generator supports Swagger 2 only."""

from collections.abc import Iterator

from pipeline.api.endpoint import CHANGES, Endpoint, endpoints
from pipeline.api.openapi import bodies, common_headers, examples, failures, fields, words
from pipeline.api.shapes import Bodies, Record
from pipeline.http.bodies import JSON
from pipeline.http.request import Registry
from pipeline.http.scopes import KEY, PERSON
from pipeline.http.security import PUBLIC
from pipeline.validation import MAX_VIOLATIONS, Schema, codes
from pipeline.validation.errors.codes import CODES
from pipeline.validation.nested import described

SECURITY = {
    "bearer": {
        "type": "http",
        "scheme": "bearer",
        "bearerFormat": "JWT",
        "description": "A user's access token, from `POST /api/auth/login`.",
    },
    "key": {
        "type": "http",
        "scheme": "bearer",
        "bearerFormat": "pl_…",
        "description": "An API key for a program, from `POST /api/api-keys`. It needs the scopes in `x-scopes`.",
    },
}
PROBLEM = {
    "type": "object",
    "required": ["type", "title", "status", "code", "detail", "request_id"],
    "properties": {
        "type": {"type": "string", "description": "The URL of the code's explanation."},
        "title": {"type": "string", "description": "A short text for the code."},
        "status": {"type": "integer", "description": "The HTTP status."},
        "code": {"type": "string", "enum": sorted(CODES), "description": "The error code. It never changes."},
        "detail": {"type": "string", "description": "A description of this error for people."},
        "request_id": {"type": "string", "description": "The id of the request. Include it when you ask for support."},
        # Members of some codes.
        "allowed": {"type": "array", "items": {"type": "string"}, "description": "The allowed status transitions."},
        "advice": {"type": "array", "items": {"type": "string"}, "description": "Suggestions for a stronger password."},
        "required": {"type": "string", "description": "The missing scopes of the API key, separated by spaces."},
        "referred_by": {"type": "string", "description": "The type of the records that refer to this one."},
        "more_errors": {"type": "boolean", "description": "Whether there are more violations than `errors` lists."},
        "errors": {
            "type": "array",
            "description": f"The violations in the request, at most {MAX_VIOLATIONS}.",
            "maxItems": MAX_VIOLATIONS,
            "items": {
                "type": "object",
                "required": ["location", "name", "code", "message"],
                "properties": {
                    "location": {
                        "type": "string",
                        "description": "The part of the request: body, query, path, header or file.",
                    },
                    "name": {
                        "type": "string",
                        "description": "The path of the invalid value, such as `pages.0.questions.1`.",
                    },
                    "message": {"type": "string", "description": "A description of the violation for people."},
                    "code": {
                        "type": "string",
                        "enum": sorted(codes.CODES),
                        "description": "The violation code. It never changes.",
                    },
                },
            },
        },
    },
}


def document(registry: Registry) -> Schema:
    paths: dict[str, Schema] = {}
    schemas: dict[str, Schema] = {}
    refused: dict[str, Schema] = {}
    answered, recorded = _bodies(registry), examples.load()
    for endpoint in endpoints(registry):
        answer = endpoint.answer.refer(schemas, answered) if endpoint.answer else None
        later = endpoint.later.refer(schemas, answered) if endpoint.later else None
        operation = _operation(endpoint, answer, later, schemas, refused)
        examples.show(operation, recorded.get(operation["operationId"], {}))
        paths.setdefault(endpoint.path, {})[endpoint.method.lower()] = operation
    messages = registry.messages(paths, schemas)
    fields.explain(schemas)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Pipeline",
            "version": "1",
            "description": words.ABOUT,
            "license": {"name": "LICENSE.md of the release", "identifier": "LicenseRef-LICENSE"},
            "contact": {"name": "Documentation of this installation", "url": f"{registry.pipeline.public_url}/docs"},
        },
        "servers": [{"url": registry.pipeline.public_url}],
        "tags": words.tags(paths),
        "paths": dict(sorted(paths.items())),
        "webhooks": messages,
        "components": {
            "securitySchemes": SECURITY,
            "schemas": {"Problem": PROBLEM, **dict(sorted(schemas.items()))},
            "responses": dict(sorted(refused.items())),
            "parameters": common_headers.PARAMETERS,
            "headers": common_headers.HEADERS,
        },
    }


def _bodies(registry: Registry) -> Bodies:
    found: Bodies = {}
    for endpoint in endpoints(registry):
        writes = (
            endpoint.creates or endpoint.method == "PUT" or (endpoint.method in CHANGES and endpoint.path[-1] == "}")
        )
        if writes and endpoint.body is not None and isinstance(endpoint.answer, Record):
            found.setdefault(endpoint.answer.record, []).append(endpoint.body)
    return found


def _operation(
    endpoint: Endpoint,
    answer: Schema | None,
    later: Schema | None,
    schemas: dict[str, Schema],
    refused: dict[str, Schema],
) -> Schema:
    operation = {
        "operationId": endpoint.view.__name__,
        "summary": words.summary(endpoint),
        "description": words.description(endpoint),
        "tags": [words.tag(endpoint.path)],
        "parameters": [*_parameters(endpoint), *common_headers.parameters(endpoint)],
        **_security(endpoint),
        "responses": {
            **{
                str(status): _success(endpoint, answer, common_headers.success_headers(endpoint))
                for status in (endpoint.found, endpoint.status)
                if status
            },
            **_accepted(later, common_headers.success_headers(endpoint)),
            **common_headers.responses(endpoint),
            **failures.responses(endpoint, refused),
        },
    }
    body = bodies.request_body(endpoint, schemas)
    return {**operation, "requestBody": body} if body else operation


def _security(endpoint: Endpoint) -> Schema:
    if endpoint.access == PUBLIC:
        return {"security": []}
    if endpoint.scopes == (PERSON,):
        return {"security": [{"bearer": []}]}
    if endpoint.scopes == (KEY,):
        return {"security": [{"key": []}], "x-scopes": []}
    # Linters accept scopes only for OAuth.
    return {"security": [{"bearer": []}, {"key": []}], "x-scopes": [*endpoint.scopes]}


def _success(endpoint: Endpoint, answer: Schema | None, headers: Schema) -> Schema:
    if endpoint.status == 204:
        return {"description": "Success.", "headers": headers}
    content = {media_type: {"schema": answer or _file(media_type)} for media_type in endpoint.offers}
    return {
        "description": endpoint.answer.description if endpoint.answer else "The file.",
        "headers": headers,
        "content": content,
    }


def _accepted(later: Schema | None, headers: Schema) -> Schema:
    """The 202 of an endpoint whose work may go on after its response."""
    if later is None:
        return {}
    more = {name: common_headers.header(name) for name in ("Location", "Preference-Applied")}
    described = "The work goes on after this response, because the client prefers that."
    return {"202": {"description": described, "headers": headers | more, "content": {JSON: {"schema": later}}}}


def _file(media_type: str) -> Schema:
    """A file's schema; client generators need `format`."""
    if media_type.startswith("text/"):
        return {"type": "string"}
    return {"type": "string", "format": "binary", "contentMediaType": media_type}


def _parameters(endpoint: Endpoint) -> Iterator[Schema]:
    for part in endpoint.path.split("/"):
        if part.startswith("{"):
            schema = {"type": "integer", "minimum": 1} if part.lower().endswith("id}") else {"type": "string"}
            yield _parameter(endpoint, "path", part[1:-1], True, schema, "")
    for node in endpoint.query.children if endpoint.query is not None else ():
        schema = described(node) if node.required else node.typ.describe()
        parameter = _parameter(endpoint, "query", node.name, node.required, schema, node.description)
        if not node.required and node.missing is not None:
            parameter["description"] = fields.with_default(parameter["description"], node.missing)
        yield parameter


def _parameter(endpoint: Endpoint, place: str, name: str, required: bool, schema: Schema, usual: str) -> Schema:
    description = words.parameter(endpoint.view.__name__, name, usual)
    return {"name": name, "in": place, "required": required, "description": description, "schema": schema}
