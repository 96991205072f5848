"""The failures of each endpoint."""

from pipeline.api.endpoint import Endpoint
from pipeline.api.openapi.common_headers import header
from pipeline.http.scopes import KEY, PERSON
from pipeline.http.security import ADMIN, PUBLIC
from pipeline.validation import Schema
from pipeline.validation.errors.codes import CODES

PROBLEM = "#/components/schemas/Problem"
HEADERS = {
    401: {"WWW-Authenticate": header("WWW-Authenticate")},
    412: {"ETag": header("CurrentETag")},
    429: {"Retry-After": header("Retry-After")},
    503: {"Retry-After": header("Retry-After")},
}
# Every endpoint checks bodies and queries.
ALWAYS = (
    "malformed_request",
    "malformed_json",
    "validation_failed",
    "not_acceptable",
    "body_too_large",
    "unsupported_media_type",
    "internal_error",
    "unavailable",
)


def failures(endpoint: Endpoint) -> dict[int, list[str]]:
    """{status: codes}, sorted."""
    wrong_callers = {PERSON: "person_required", KEY: "key_required"}
    wrong_caller = wrong_callers.get(next(iter(endpoint.scopes), ""), "insufficient_scope")
    implied = (
        # busy: slow organizations get a part of the threads.
        (endpoint.access != PUBLIC, ("unauthenticated", "rate_limited", "busy")),
        (endpoint.access == ADMIN, ("forbidden",)),
        (endpoint.access != PUBLIC, (wrong_caller,)),
        (endpoint.limit is not None, ("rate_limited",)),
        ("{" in endpoint.path or endpoint.method == "DELETE", ("not_found",)),
        ("search" in {node.name for node in endpoint.query or ()}, ("search_too_broad",)),
        (endpoint.upload is not None, ("unsupported_file", "storage_full", "busy")),
        # not_found: the key's record is erased.
        (endpoint.replayable, ("idempotency_key_in_flight", "idempotency_key_reused", "not_found")),
        (endpoint.checks_if_match, ("precondition_failed",)),
    )
    codes = {*ALWAYS, *endpoint.fails, *(code for holds, words in implied if holds for code in words)}
    by_status: dict[int, list[str]] = {}
    for code, failure in sorted(CODES.items(), key=lambda entry: entry[1].status):
        if code in codes:
            by_status.setdefault(failure.status, []).append(code)
    return by_status


def responses(endpoint: Endpoint, components: dict[str, Schema]) -> dict[str, Schema]:
    """{status: reference}; adds the components."""
    found = {}
    for status, codes in failures(endpoint).items():
        name = "-".join([f"Problem{status}", *codes])
        components[name] = {
            "description": " ".join(f"`{code}`: {CODES[code].title}." for code in codes),
            "headers": HEADERS.get(status, {}),
            "content": {
                "application/problem+json": {"schema": {"$ref": PROBLEM, "properties": {"code": {"enum": codes}}}}
            },
        }
        found[str(status)] = {"$ref": f"#/components/responses/{name}"}
    return found
