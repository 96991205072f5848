"""Entity tags, idempotency keys and rate limits in the description."""

from typing import Any

from pipeline.api.endpoint import Endpoint
from pipeline.api.idempotency import HEADER, MAX_LENGTH
from pipeline.api.shapes import ListOf
from pipeline.http.bodies import JSON
from pipeline.http.fairness.slots import EXPORT
from pipeline.http.security import PUBLIC
from pipeline.validation import Schema


def _request_header(name: str, description: str, **schema: Any) -> Schema:
    return {
        "name": name,
        "in": "header",
        "required": False,
        "description": description,
        "schema": {"type": "string", **schema},
    }


def _answer_header(description: str, always: bool = True, **schema: Any) -> Schema:
    """`always`: each response that lists it has it."""
    return {"description": description, "required": always, "schema": {"type": "string", **schema}}


PARAMETERS = {
    "IdempotencyKey": _request_header(
        HEADER,
        "A unique key for each request, in printable ASCII without commas. A retry within 24 hours gets the stored"
        " response and is not executed again.",
        maxLength=MAX_LENGTH,
        pattern="^[-!-+.-~]([- -+.-~]*[-!-+.-~])?$",
    ),
    "Prefer": _request_header(
        "Prefer", "`respond-async` returns 202 at once if the work takes long; `Location` shows its progress."
    ),
    "IfMatch": _request_header(
        "If-Match", "Change the record only if its current entity tag is one of these; else 412."
    ),
    "IfNoneMatch": _request_header("If-None-Match", "Return 304 if the current entity tag is one of these."),
}
HEADERS = {
    "ETag": _answer_header("The entity tag of the response body."),
    "Location": _answer_header("The URL of the new record. It may not support GET."),
    "PreferenceApplied": _answer_header("`respond-async`."),
    "CurrentETag": _answer_header("The current entity tag of the record.", always=False),
    "IdempotencyReplayed": _answer_header(
        "`true` for a stored response to an earlier request with the same key.", always=False
    ),
    "Link": _answer_header("URLs of the first, previous, next and last page (RFC 8288)."),
    "RetryAfter": _answer_header("Seconds to wait before a retry.", type="integer"),
    "WWWAuthenticate": _answer_header("`Bearer`."),
    "RateLimitPolicy": _answer_header('Each quota (`q`) and its window in seconds (`w`): `"user";q=1200;w=60`.'),
    "RateLimit": _answer_header('Remaining requests (`r`) and seconds until the reset (`t`): `"user";r=1199;t=60`.'),
}


def parameters(endpoint: Endpoint) -> list[Schema]:
    """References to an endpoint's request headers."""
    used = {
        "IdempotencyKey": endpoint.replayable,
        "Prefer": endpoint.later is not None,
        "IfNoneMatch": _is_tagged(endpoint),
        "IfMatch": endpoint.checks_if_match,
    }
    return [{"$ref": f"#/components/parameters/{name}"} for name, holds in used.items() if holds]


def _is_tagged(endpoint: Endpoint) -> bool:
    return endpoint.method == "GET" and (_is_known_whole(endpoint) or endpoint.tagged)


def responses(endpoint: Endpoint) -> dict[str, Schema]:
    """The 304, where it applies."""
    if _is_tagged(endpoint):
        return {"304": {"description": "The client has the current version", "headers": {"ETag": header("ETag")}}}
    return {}


def success_headers(endpoint: Endpoint) -> dict[str, Schema]:
    whole = _is_known_whole(endpoint) and endpoint.status != 204 and endpoint.shows_record
    limited = endpoint.limit is not None or endpoint.access != PUBLIC
    headers = {
        "RateLimit-Policy": limited,
        "RateLimit": limited,
        "ETag": whole or endpoint.tagged,
        "Location": endpoint.creates,
        "Link": isinstance(endpoint.answer, ListOf),
        "Idempotency-Replayed": endpoint.replayable,
    }
    return {name: header(name) for name, holds in headers.items() if holds}


def header(name: str) -> Schema:
    return {"$ref": f"#/components/headers/{name.replace('-', '')}"}


def _is_known_whole(endpoint: Endpoint) -> bool:
    return endpoint.gives == JSON and endpoint.heavy != EXPORT
