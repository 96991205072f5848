"""The OpenAPI 3.1 document, made from the registered endpoints and their schemas: what is enforced is what is told.

cornice's own generator stops at Swagger 2 and knows none of our strict types.
"""

from pipeline.errors import CODES
from pipeline.http import changes, openapi_manners
from pipeline.http.resource import JSON, endpoints
from pipeline.scopes import PERSON
from pipeline.security import ADMIN, PUBLIC
from pipeline.validation import codes

FILE = {"type": "string", "contentMediaType": "application/octet-stream"}
FAILURE = {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
SECURITY = {
    "bearer": {
        "type": "http",
        "scheme": "bearer",
        "bearerFormat": "JWT",
        "description": "A person's access token, from `POST /api/auth/login`.",
    },
    "key": {
        "type": "http",
        "scheme": "bearer",
        "bearerFormat": "pl_…",
        "description": "A program's API key, from `POST /api/api-keys`. It needs the scope that the operation names.",
    },
}
PROBLEM = {
    "type": "object",
    "required": ["type", "title", "status", "code", "detail", "request_id"],
    "properties": {
        "type": {"type": "string"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "code": {"type": "string", "enum": sorted(CODES)},
        "detail": {"type": "string"},
        "request_id": {"type": "string"},
        "errors": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["location", "name", "code", "message"],
                "properties": {
                    **{name: {"type": "string"} for name in ("location", "name", "message")},
                    "code": {"type": "string", "enum": sorted(codes.CODES)},
                },
            },
        },
    },
}


def document(registry):
    """The OpenAPI document (dict) of an application's registry."""
    paths, schemas = {}, {}
    for method, path, contract in endpoints(registry):
        paths.setdefault(path, {})[method.lower()] = _operation(method, path, contract)
        if contract.body is not None:
            contract.body.collect(schemas)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Pipeline", "version": "1", "description": "Qualifying interviews, leads and contracts."},
        "servers": [{"url": registry.pipeline.public_url}],
        "paths": dict(sorted(paths.items())),
        "components": {
            "securitySchemes": SECURITY,
            "schemas": {"Problem": PROBLEM, **dict(sorted(schemas.items()))},
            **openapi_manners.components(),
        },
    }


def _operation(method, path, contract):
    summary = contract.view.__name__.replace("_", " ").capitalize()
    operation = {
        "operationId": contract.view.__name__,
        "summary": f"{summary} (Admin)" if contract.access == ADMIN else summary,
        "tags": [path.removeprefix("/api/").split("/")[0]],
        "parameters": [
            *_path_parameters(path),
            *_query_parameters(contract.query),
            *openapi_manners.parameters(method, contract),
        ],
        "security": _security(contract.permission),
        "responses": {
            str(contract.status): _success(contract, openapi_manners.success_headers(method, contract)),
            **openapi_manners.responses(method, contract, FAILURE),
            "default": {"description": "A failure", "content": FAILURE},
        },
    }
    if contract.body is not None:
        content = {JSON: {"schema": contract.body.describe()}}
        if contract.changed is not None:
            content = changes.describe(method, contract.body)
        operation["requestBody"] = {"required": True, "content": content}
    if contract.upload is not None:
        form = {"type": "object", "required": [contract.upload.name], "properties": {contract.upload.name: FILE}}
        operation["requestBody"] = {"required": True, "content": {"multipart/form-data": {"schema": form}}}
    return operation


def _security(permission):
    """Who may call: a person by an access token, or a program by a key with the scope."""
    if permission == PUBLIC:
        return []
    return [{"bearer": []}] if permission.scope == PERSON else [{"bearer": []}, {"key": [permission.scope]}]


def _success(contract, headers):
    if contract.status == 204:
        return {"description": "Done", "headers": headers}
    kind = {"type": "object" if contract.gives == JSON else "string"}
    content = {media_type: {"schema": kind} for media_type in contract.gives.split(", ")}
    return {"description": "The representation", "headers": headers, "content": content}


def _path_parameters(path):
    names = [part[1:-1] for part in path.split("/") if part.startswith("{")]
    return [
        {
            "name": name,
            "in": "path",
            "required": True,
            "schema": {"type": "integer", "minimum": 1} if name.lower().endswith("id") else {"type": "string"},
        }
        for name in names
    ]


def _query_parameters(query):
    return [
        {"name": node.name, "in": "query", "required": node.required, "schema": node.typ.describe()}
        for node in (query.children if query is not None else ())
    ]
