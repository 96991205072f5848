"""Request bodies, named after their operations."""

from pipeline.http.core.bodies import JSON
from pipeline.http.endpoints.changes import changes_by_itself, patch_of
from pipeline.http.endpoints.contract import Contract
from pipeline.http.endpoints.shapes import REFERENCE, Record
from pipeline.validation import Schema

FILE = {"type": "string", "minLength": 1, "format": "binary", "contentMediaType": "application/octet-stream"}
MIB = 1024 * 1024
IGNORED = {"readOnly": True, "description": "Ignored in requests; the service sets it."}
KEPT = {"readOnly": True, "description": "Cannot be changed. You can send the current value."}


def request_body(contract: Contract, schemas: dict[str, Schema]) -> Schema | None:
    """The `requestBody`, or None; adds to `schemas`."""
    component = "".join(word.title() for word in contract.view.__name__.split("_")) + "Body"
    schema, needed = {"$ref": REFERENCE + component}, True
    media_types: tuple[str, ...] = (JSON,)
    if contract.upload is not None:
        name = contract.upload.name
        properties = {name: {**FILE, "description": f"The file. Maximum size: {contract.upload.limit // MIB} MiB."}}
        schemas[component] = {
            "type": "object",
            "additionalProperties": False,
            "required": [name],
            "properties": properties,
        }
        media_types = ("multipart/form-data",)
    elif contract.body is None:
        return None
    else:
        contract.body.collect(schemas)
        patches = contract.changed is not None and contract.method == "PATCH"
        schemas[component] = patch_of(contract.body) if patches else contract.body.describe()
        media_types = contract.media_types
        _explain(schemas[component]["properties"], contract, schemas)
        needed = any(node.required for node in contract.body.children)
    return {"required": needed, "content": {media_type: {"schema": schema} for media_type in media_types}}


def _explain(fields: dict[str, Schema], contract: Contract, schemas: dict[str, Schema]) -> None:
    shown = schemas[contract.answer.component]["properties"] if isinstance(contract.answer, Record) else {}
    for name, field in fields.items():
        if name in shown and "description" in shown[name]:
            field["description"] = shown[name]["description"]
    if contract.changed is not None:
        fields |= {name: IGNORED if changes_by_itself(name) else KEPT for name in shown if name not in fields}
