"""What an API key may be used for: `leads:read`, `leads:write` and so on.

The scopes of an endpoint follow from its path and method, here and nowhere else. A path that stands in no area cannot
be registered, so that nothing new is open to keys by accident. An endpoint that shows or changes records of other areas
needs their scopes as well.
"""

from collections.abc import Iterable

# Only a person may: what makes keys, seats and passwords must not be done with a key.
PERSON = "person"
# The first part of a path below /api: the area that it belongs to.
AREAS = {
    "api-keys": PERSON,
    "auth": PERSON,
    "users": PERSON,
    "interview-invites": "interviews",
    "interview-templates": "interviews",
    "leads": "leads",
    "contract-templates": "contracts",
    "contracts": "contracts",
    "companies": "records",
    "configurations": "records",
    "configurator-definitions": "records",
    "contacts": "records",
    "deal-stages": "records",
    "deals": "records",
    "notifications": "records",
    "quotes": "records",
    "organization": "organization",
    "teams": "organization",
    "webhooks": "webhooks",
    "changes": "changes",
    "audit": "audit",
}
READ, WRITE = "read", "write"
AUDIT = "audit:read"
SCOPES = (
    *(
        f"{area}:{verb}"
        for area in dict.fromkeys(AREAS.values())
        if area not in (PERSON, "audit")
        for verb in (READ, WRITE)
    ),
    AUDIT,
)
# Stands alone for all scopes, those to come included.
ALL = "all"
# What endpoints need beside the scope of their area.
PERSONAL = ("interviews", "contracts", "records")
BESIDES = {
    "GET /api/leads/{id}/personal-data": tuple(f"{area}:{READ}" for area in PERSONAL),
    "POST /api/leads/{id}/erase": tuple(f"{area}:{WRITE}" for area in PERSONAL),
    "POST /api/leads/{id}/qualify": ("records:write",),
    "GET /api/leads/match-company": ("records:read",),
    "GET /api/leads/match-contact": ("records:read",),
    # The form of an invite shows the name, address and company of its lead.
    "POST /api/interview-invites": ("leads:read",),
    "POST /api/interview-invites/{id}/seed-configuration": ("records:write",),
    # The text of a contract shows values of the deal, its quote, company and contact.
    "POST /api/contract-templates/preview": ("records:read",),
    "POST /api/contracts": ("records:read",),
    "PUT /api/contracts/{id}": ("records:read",),
    "PATCH /api/contracts/{id}": ("records:read",),
    "PUT /api/contracts/{id}/regenerate": ("records:read",),
}


def scopes_of(method: str, path: str) -> tuple[str, ...]:
    """The scopes that a key needs for an endpoint, PERSON alone where no key will do; LookupError without an area."""
    beginning = path.removeprefix("/api/").split("/")[0]
    if beginning not in AREAS:
        raise LookupError(f"Say in pipeline/http/scopes.py which area {path} belongs to.")
    area = AREAS[beginning]
    if area == PERSON:
        return (PERSON,)
    return f"{area}:{READ if method == 'GET' else WRITE}", *BESIDES.get(f"{method} {path}", ())


def lacking(scopes: Iterable[str] | None, needed: Iterable[str]) -> list[str]:
    """The needed scopes that a key has not; None are the scopes of a person, who needs none but PERSON."""
    if scopes is None:
        return []
    return [scope for scope in needed if scope not in scopes and (ALL not in scopes or scope == PERSON)]
