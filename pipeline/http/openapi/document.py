"""The OpenAPI 3.1 document; cornice's generator supports Swagger 2 only."""

from collections.abc import Iterator

from pipeline.http.core.request import Registry
from pipeline.http.core.scopes import PERSON
from pipeline.http.core.security import PUBLIC
from pipeline.http.endpoints.contract import CHANGES, Contract, endpoints
from pipeline.http.endpoints.shapes import Bodies, Record
from pipeline.http.openapi import bodies, common_headers, examples, failures, fields, words
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
    for contract in endpoints(registry):
        answer = contract.answer.refer(schemas, answered) if contract.answer else None
        operation = _operation(contract, answer, schemas, refused)
        examples.show(operation, recorded.get(operation["operationId"], {}))
        paths.setdefault(contract.path, {})[contract.method.lower()] = operation
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
    for contract in endpoints(registry):
        writes = (
            contract.creates or contract.method == "PUT" or (contract.method in CHANGES and contract.path[-1] == "}")
        )
        if writes and contract.body is not None and isinstance(contract.answer, Record):
            found.setdefault(contract.answer.record, []).append(contract.body)
    return found


def _operation(
    contract: Contract, answer: Schema | None, schemas: dict[str, Schema], refused: dict[str, Schema]
) -> Schema:
    operation = {
        "operationId": contract.view.__name__,
        "summary": words.summary(contract),
        "description": words.description(contract),
        "tags": [words.tag(contract.path)],
        "parameters": [*_parameters(contract), *common_headers.parameters(contract)],
        **_security(contract),
        "responses": {
            **{
                str(status): _success(contract, answer, common_headers.success_headers(contract))
                for status in (contract.found, contract.status)
                if status
            },
            **common_headers.responses(contract),
            **failures.responses(contract, refused),
        },
    }
    body = bodies.request_body(contract, schemas)
    return {**operation, "requestBody": body} if body else operation


def _security(contract: Contract) -> Schema:
    if contract.access == PUBLIC:
        return {"security": []}
    if contract.scopes == (PERSON,):
        return {"security": [{"bearer": []}]}
    # Linters accept scopes only for OAuth.
    return {"security": [{"bearer": []}, {"key": []}], "x-scopes": [*contract.scopes]}


def _success(contract: Contract, answer: Schema | None, headers: Schema) -> Schema:
    if contract.status == 204:
        return {"description": "Success.", "headers": headers}
    content = {media_type: {"schema": answer or _file(media_type)} for media_type in contract.offers}
    return {
        "description": contract.answer.description if contract.answer else "The file.",
        "headers": headers,
        "content": content,
    }


def _file(media_type: str) -> Schema:
    """A file's schema; client generators need `format`."""
    if media_type.startswith("text/"):
        return {"type": "string"}
    return {"type": "string", "format": "binary", "contentMediaType": media_type}


def _parameters(contract: Contract) -> Iterator[Schema]:
    for part in contract.path.split("/"):
        if part.startswith("{"):
            schema = {"type": "integer", "minimum": 1} if part.lower().endswith("id}") else {"type": "string"}
            yield _parameter(contract, "path", part[1:-1], True, schema, "")
    for node in contract.query.children if contract.query is not None else ():
        schema = described(node) if node.required else node.typ.describe()
        parameter = _parameter(contract, "query", node.name, node.required, schema, node.description)
        if not node.required and node.missing is not None:
            parameter["description"] = fields.with_default(parameter["description"], node.missing)
        yield parameter


def _parameter(contract: Contract, place: str, name: str, required: bool, schema: Schema, usual: str) -> Schema:
    description = words.parameter(contract.view.__name__, name, usual)
    return {"name": name, "in": place, "required": required, "description": description, "schema": schema}
