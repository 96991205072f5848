"""The OpenAPI 3.1 document, made from the registered endpoints and their schemas: what is enforced is what is told.

cornice's own generator stops at Swagger 2 and knows none of our strict types.
"""

import functools

import colander

from pipeline import nested, schema
from pipeline.errors import CODES
from pipeline.http import openapi_manners
from pipeline.http.resource import JSON, endpoints
from pipeline.security import ADMIN, PUBLIC

FILE = {"type": "string", "contentMediaType": "application/octet-stream"}
FAILURE = {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
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
                "properties": {name: {"type": "string"} for name in ("location", "name", "code", "message")},
            },
        },
    },
}


def document(registry):
    """The OpenAPI document (dict) of an application's registry."""
    paths = {}
    for method, path, contract in endpoints(registry):
        paths.setdefault(path, {})[method.lower()] = _operation(method, path, contract)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Pipeline", "version": "1", "description": "Qualifying interviews, leads and contracts."},
        "servers": [{"url": registry.pipeline.public_url}],
        "paths": dict(sorted(paths.items())),
        "components": {
            "securitySchemes": {"bearer": {"type": "http", "scheme": "bearer", "bearerFormat": "JWT"}},
            "schemas": {"Problem": PROBLEM},
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
        "security": [] if contract.access == PUBLIC else [{"bearer": []}],
        "responses": {
            str(contract.status): _success(contract, openapi_manners.success_headers(method, contract)),
            **openapi_manners.responses(method, contract, FAILURE),
            "default": {"description": "A failure", "content": FAILURE},
        },
    }
    if contract.body is not None:
        operation["requestBody"] = {"required": True, "content": {JSON: {"schema": describe(contract.body)}}}
    if contract.upload is not None:
        form = {"type": "object", "required": [contract.upload.name], "properties": {contract.upload.name: FILE}}
        operation["requestBody"] = {"required": True, "content": {"multipart/form-data": {"schema": form}}}
    return operation


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
        {"name": node.name, "in": "query", "required": node.required, "schema": describe_type(node.typ)}
        for node in (query.children if query is not None else ())
    ]


def describe(body):
    """The JSON Schema of a body."""
    return {
        "type": "object",
        "additionalProperties": False,
        "required": [node.name for node in body.children if node.required],
        "properties": {node.name: _property(node) for node in body.children},
    }


def _property(node):
    described = describe_type(node.typ)
    if node.required:
        return described
    default = {} if node.missing is None else {"default": node.missing}
    return {"anyOf": [described, {"type": "null"}], **default}


@functools.singledispatch
def describe_type(kind):
    """The JSON Schema of one of the types in schema.py."""
    raise TypeError(f"{type(kind).__name__} has no description for OpenAPI.")


@describe_type.register
def _(kind: schema.Text):
    described = {"type": "string", "maxLength": kind.max_length}
    return {**described, "pattern": f"^(?:{kind.pattern.pattern})$"} if kind.pattern else described


@describe_type.register
def _(kind: schema.Email):
    return {"type": "string", "format": "email", "maxLength": kind.max_length}


@describe_type.register
def _(kind: schema.Choice):
    return {"type": "string", "enum": list(kind.values)}


@describe_type.register
def _(kind: schema.Choices):
    word = f"({'|'.join(kind.values)})"
    return {"type": "string", "pattern": f"^{word}(,{word})*$"}


@describe_type.register
def _(kind: schema.Integer):
    return {"type": "integer", "minimum": kind.min, "maximum": kind.max}


@describe_type.register
def _(kind: schema.Money):
    return {"type": "number", "minimum": kind.min, "maximum": kind.max, "description": "At most 2 decimals."}


@describe_type.register(schema.Boolean)
@describe_type.register(schema.QueryBoolean)
def _(kind):
    return {"type": "boolean"}


@describe_type.register
def _(kind: schema.Date):
    return {"type": "string", "format": "date"}


@describe_type.register
def _(kind: schema.Timestamp):
    return {"type": "string", "format": "date-time"}


@describe_type.register
def _(kind: schema.Json):
    return {"type": "object" if kind.kind is dict else "array"}


@describe_type.register
def _(kind: schema.HttpsUrl):
    return {"type": "string", "format": "uri", "maxLength": kind.max_length}


@describe_type.register
def _(kind: nested.Group):
    return describe(kind.body)


@describe_type.register
def _(kind: nested.Listing):
    listed = {"type": "array", "items": describe_type(kind.item), "maxItems": kind.max_items}
    return {**listed, "uniqueItems": True} if kind.unique else listed


@describe_type.register
def _(kind: colander.Mapping):
    return {"type": "object"}
