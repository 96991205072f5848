"""The failures of each endpoint."""

from pipeline.http.core.scopes import PERSON
from pipeline.http.core.security import ADMIN, PUBLIC
from pipeline.http.endpoints.contract import Contract
from pipeline.http.openapi.common_headers import header
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


def failures(contract: Contract) -> dict[int, list[str]]:
    """{status: codes}, sorted."""
    for_persons = contract.scopes == (PERSON,)
    implied = (
        # busy: slow organizations get a part of the threads.
        (contract.access != PUBLIC, ("unauthenticated", "rate_limited", "busy")),
        (contract.access == ADMIN, ("forbidden",)),
        (contract.access != PUBLIC, ("person_required" if for_persons else "insufficient_scope",)),
        (contract.limit is not None, ("rate_limited",)),
        ("{" in contract.path or contract.method == "DELETE", ("not_found",)),
        ("search" in {node.name for node in contract.query or ()}, ("search_too_broad",)),
        (contract.upload is not None, ("unsupported_file", "storage_full", "busy")),
        # not_found: the key's record is erased.
        (contract.replayable, ("idempotency_key_in_flight", "idempotency_key_reused", "not_found")),
        (contract.heeds_tag, ("precondition_failed",)),
    )
    codes = {*ALWAYS, *contract.fails, *(code for holds, words in implied if holds for code in words)}
    by_status: dict[int, list[str]] = {}
    for code, failure in sorted(CODES.items(), key=lambda entry: entry[1].status):
        if code in codes:
            by_status.setdefault(failure.status, []).append(code)
    return by_status


def responses(contract: Contract, components: dict[str, Schema]) -> dict[str, Schema]:
    """{status: reference}; adds the components."""
    found = {}
    for status, codes in failures(contract).items():
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
