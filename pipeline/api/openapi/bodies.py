"""Request bodies, named after their operations."""

from pipeline.api.endpoint import Endpoint
from pipeline.api.merge_patch import patch_of
from pipeline.api.shapes import REFERENCE, Record
from pipeline.validation import Schema

FILE = {"type": "string", "minLength": 1, "format": "binary", "contentMediaType": "application/octet-stream"}
MIB = 1024 * 1024
IGNORED = {"readOnly": True, "description": "Ignored in requests; the service sets it."}


def request_body(endpoint: Endpoint, schemas: dict[str, Schema]) -> Schema | None:
    """The `requestBody`, or None; adds to `schemas`."""
    component = "".join(word.title() for word in endpoint.view.__name__.split("_")) + "Body"
    content = {"schema": {"$ref": REFERENCE + component}}
    if endpoint.upload is not None:
        name = endpoint.upload.name
        properties = {name: {**FILE, "description": f"The file. Maximum size: {endpoint.upload.limit // MIB} MiB."}}
        schemas[component] = {
            "type": "object",
            "additionalProperties": False,
            "required": [name],
            "properties": properties,
        }
        return {"required": True, "content": {"multipart/form-data": content}}
    if endpoint.body is None:
        return None
    endpoint.body.collect(schemas)
    schemas[component] = patch_of(endpoint.body) if endpoint.merges else endpoint.body.describe()
    _explain(schemas[component]["properties"], endpoint, schemas)
    needed = any(node.required for node in endpoint.body.children)
    return {"required": needed, "content": dict.fromkeys(endpoint.media_types, content)}


def _explain(fields: dict[str, Schema], endpoint: Endpoint, schemas: dict[str, Schema]) -> None:
    shown = schemas[endpoint.answer.component]["properties"] if isinstance(endpoint.answer, Record) else {}
    for name, field in fields.items():
        if name in shown and "description" in shown[name]:
            field["description"] = shown[name]["description"]
    if endpoint.changed is not None:
        fields |= {name: IGNORED for name in shown if name not in fields}
