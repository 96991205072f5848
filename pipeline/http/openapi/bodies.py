"""Request bodies, named after their operations."""

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
    content = {"schema": {"$ref": REFERENCE + component}}
    if contract.upload is not None:
        name = contract.upload.name
        properties = {name: {**FILE, "description": f"The file. Maximum size: {contract.upload.limit // MIB} MiB."}}
        schemas[component] = {
            "type": "object",
            "additionalProperties": False,
            "required": [name],
            "properties": properties,
        }
        return {"required": True, "content": {"multipart/form-data": content}}
    if contract.body is None:
        return None
    contract.body.collect(schemas)
    schemas[component] = patch_of(contract.body) if contract.merges else contract.body.describe()
    _explain(schemas[component]["properties"], contract, schemas)
    needed = any(node.required for node in contract.body.children)
    return {"required": needed, "content": dict.fromkeys(contract.media_types, content)}


def _explain(fields: dict[str, Schema], contract: Contract, schemas: dict[str, Schema]) -> None:
    shown = schemas[contract.answer.component]["properties"] if isinstance(contract.answer, Record) else {}
    for name, field in fields.items():
        if name in shown and "description" in shown[name]:
            field["description"] = shown[name]["description"]
    if contract.changed is not None:
        fields |= {name: IGNORED if changes_by_itself(name) else KEPT for name in shown if name not in fields}
