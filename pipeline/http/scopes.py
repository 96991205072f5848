"""Scopes of API keys, from path and method.

A path without an area cannot be registered.
"""

from collections.abc import Iterable

# Only for people; only for keys, with any scope.
PERSON, KEY = "person", "key"
# {first path segment: area}.
AREAS = {
    "api-keys": PERSON,
    "auth": PERSON,
    "users": PERSON,
    "interview-invites": "interviews",
    "interview-templates": "interviews",
    "leads": "leads",
    "clauses": "contracts",
    "contract-templates": "contracts",
    "contracts": "contracts",
    "pictures": "contracts",
    "companies": "records",
    "configurations": "records",
    "configurator-definitions": "records",
    "contacts": "records",
    "deal-stages": "records",
    "deals": "records",
    "fields": "records",
    "notifications": "records",
    "quotes": "records",
    "organization": "organization",
    "seats": "records",
    "teams": "organization",
    "webhooks": "webhooks",
    "changes": "changes",
    "audit": "audit",
}
READ, WRITE = "read", "write"
AUDIT = "audit:read"
SIGN = "contracts:sign"
SCOPES = (
    *(
        f"{area}:{verb}"
        for area in dict.fromkeys(AREAS.values())
        if area not in (PERSON, "audit")
        for verb in (READ, WRITE)
    ),
    AUDIT,
    SIGN,
)
# All scopes, future ones too.
ALL = "all"
OWN_KEY = "GET /api/auth/key"
# In place of the area's scope.
INSTEAD = {
    "POST /api/contracts/{id}/signature-requests": SIGN,
    "POST /api/contracts/{id}/signature-requests/{requestId}/remind": SIGN,
    "POST /api/contracts/{id}/signature-requests/{requestId}/cancel": SIGN,
    "PATCH /api/contracts/{id}/signature-requests/{requestId}/signers/{signerId}": SIGN,
}
# Further scopes, for other areas.
PERSONAL = ("interviews", "contracts", "records")
BESIDES = {
    "GET /api/leads/{id}/personal-data": tuple(f"{area}:{READ}" for area in PERSONAL),
    "POST /api/leads/{id}/erase": tuple(f"{area}:{WRITE}" for area in PERSONAL),
    "POST /api/leads/{id}/qualify": ("records:write",),
    "GET /api/leads/match-company": ("records:read",),
    "GET /api/leads/match-contact": ("records:read",),
    # An invite's form shows its lead's name, address and company.
    "POST /api/interview-invites": ("leads:read",),
    "POST /api/interview-invites/{id}/seed-configuration": ("records:write",),
    # A contract's text shows the deal, quote, company and contact.
    "POST /api/contract-templates/preview": ("records:read",),
    "POST /api/contracts": ("records:read",),
    "PUT /api/contracts/{id}": ("records:read",),
    "PATCH /api/contracts/{id}": ("records:read",),
    "PUT /api/contracts/{id}/regenerate": ("records:read",),
}


def scopes_of(method: str, path: str) -> tuple[str, ...]:
    """An endpoint's scopes, or PERSON or KEY alone; raises LookupError without an area."""
    beginning = path.removeprefix("/api/").split("/")[0]
    if beginning not in AREAS:
        raise LookupError(f"Add the area of {path} to pipeline/http/scopes.py.")
    area = AREAS[beginning]
    endpoint = f"{method} {path}"
    if area == PERSON:
        return (KEY if endpoint == OWN_KEY else PERSON,)
    own = INSTEAD.get(endpoint, f"{area}:{READ if method == 'GET' else WRITE}")
    return own, *BESIDES.get(endpoint, ())


def lacking(scopes: Iterable[str] | None, needed: Iterable[str]) -> list[str]:
    """The needed scopes that a key lacks; a person's None lacks nothing."""
    if scopes is None:
        return []
    return [scope for scope in needed if scope not in scopes and (ALL not in scopes or scope == PERSON)]
