"""The messages of webhooks in the OpenAPI document."""

from collections.abc import Mapping

from pyramid.config import Configurator

from pipeline.api.shapes import ID, REFERENCE, TEXT, TIMESTAMP
from pipeline.changes.webhooks.events import EVENTS, SUBJECTS, TEST
from pipeline.http.bodies import JSON
from pipeline.validation import Schema

PATHS = {subject: f"/api/{type}/{{id}}" for type, subject in SUBJECTS.items()} | {
    "signature": "/api/contracts/{id}/signature-requests/{requestId}"
}
GONE, TESTED = "DeletedRecord", "WebhookTest"
DATA: dict[str, Schema] = {
    GONE: {
        "type": "object",
        "description": "A record that no longer exists.",
        "required": ["id"],
        "properties": {"id": {**ID, "description": "The id of the record."}},
        "additionalProperties": False,
    },
    TESTED: {
        "type": "object",
        "description": "The data of a test message.",
        "required": ["webhook_id"],
        "properties": {"webhook_id": {**ID, "description": "The id of the webhook."}},
    },
}
CHANGED: Schema = {"type": "array", "items": TEXT, "description": "The names of the changed fields."}
HEADERS = {
    "webhook-id": ("The id of the message. It is the same for each attempt.", TEXT),
    "webhook-timestamp": ("The time of the attempt in Unix seconds.", {"type": "integer", "format": "int64"}),
    "webhook-signature": ("One `v1` signature for each valid secret, separated by spaces.", TEXT),
}
PARAMETERS = [
    {"name": name, "in": "header", "required": True, "description": description, "schema": schema}
    for name, (description, schema) in HEADERS.items()
]
RESPONSES = {
    "2XX": {"description": "The message is delivered."},
    "410": {"description": "The receiver wants no more messages. The service pauses the webhook."},
    "4XX": {"description": "The attempt failed. The service retries later."},
}


def webhooks(paths: Mapping[str, Schema], schemas: dict[str, Schema]) -> dict[str, Schema]:
    """{event: its OpenAPI request}; adds the messages to `schemas`."""
    schemas |= DATA
    return {event: {"post": _operation(event, _data(event, paths), schemas)} for event in (*EVENTS, TEST)}


def _data(event: str, paths: Mapping[str, Schema]) -> Schema:
    """The record as its GET returns it, or its id alone."""
    subject, _, verb = event.partition(".")
    if event == TEST:
        return {"$ref": REFERENCE + TESTED}
    if verb == "deleted":
        return {"$ref": REFERENCE + GONE}
    read = paths[PATHS[subject]]["get"]["responses"]["200"]
    # The record may be deleted before the message is made.
    return {"anyOf": [read["content"][JSON]["schema"], {"$ref": REFERENCE + GONE}]}


def _operation(event: str, data: Schema, schemas: dict[str, Schema]) -> Schema:
    words = event.replace(".", " ").replace("_", " ")
    component = words.title().replace(" ", "") + "Message"
    changed = {"changed": CHANGED} if event.endswith(".updated") else {}
    schemas[component] = {
        "type": "object",
        "description": f"The message of the event `{event}`.",
        "required": ["type", "timestamp", "data", *changed],
        "properties": {
            "type": {"type": "string", "enum": [event], "description": "The event."},
            "timestamp": {**TIMESTAMP, "description": "The time of the change."},
            "data": {**data, "description": "The record when the message is made."},
            **changed,
        },
    }
    return {
        "operationId": f"{words.replace(' ', '_')}_message",
        "summary": words.capitalize(),
        "description": f"The service sends this request to webhooks with the event `{event}`.",
        "tags": ["Webhooks"],
        "security": [],
        "parameters": PARAMETERS,
        "requestBody": {"required": True, "content": {JSON: {"schema": {"$ref": REFERENCE + component}}}},
        "responses": RESPONSES,
    }


def includeme(config: Configurator) -> None:
    """Add the messages to the OpenAPI document."""
    config.registry.messages = webhooks
