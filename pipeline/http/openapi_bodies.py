"""What clients send: each body is a component that has the name of its operation."""

from pipeline.http.changes import MERGE_PATCH
from pipeline.http.resource import JSON
from pipeline.http.shapes import REFERENCE, Record
from pipeline.validation import Group

FILE = {"type": "string", "format": "binary", "contentMediaType": "application/octet-stream"}
IGNORED = {"readOnly": True, "description": "Ignored: the record shows it, and only the service writes it."}


def request_body(method, contract, schemas):
    """The description of what a request carries, None of one that carries nothing; its schemas go to `schemas`."""
    component = "".join(word.title() for word in contract.view.__name__.split("_")) + "Body"
    schema, media_types = {"$ref": REFERENCE + component}, (JSON,)
    if contract.upload is not None:
        name = contract.upload.name
        schemas[component] = {"type": "object", "required": [name], "properties": {name: FILE}}
        media_types = ("multipart/form-data",)
    elif contract.body is None:
        return None
    else:
        contract.body.collect(schemas)
        patches = contract.changed is not None and method == "PATCH"
        schemas[component] = _patch_of(contract.body) if patches else contract.body.describe()
        media_types = (MERGE_PATCH, JSON) if patches else media_types
        _explain(schemas[component]["properties"], contract, schemas)
    return {"required": True, "content": {media_type: {"schema": schema} for media_type in media_types}}


def _patch_of(body):
    """The JSON Schema of a merge patch: every field may be left out or null, in objects inside of it too."""
    properties = {}
    for node in body.children:
        inner = _patch_of(node.typ.body) if isinstance(node.typ, Group) else node.typ.describe()
        properties[node.name] = {"anyOf": [inner, {"type": "null"}]}
    return {"type": "object", "additionalProperties": False, "properties": properties}


def _explain(fields, contract, schemas):
    """Give the fields of a body the words of the record that it writes, and name what of a record is ignored."""
    shown = schemas[contract.answer.component]["properties"] if isinstance(contract.answer, Record) else {}
    for name, field in fields.items():
        if name in shown and "description" in shown[name]:
            field["description"] = shown[name]["description"]
    if contract.changed is not None:
        fields |= {name: IGNORED for name in shown if name not in fields}
