"""Scopes of API keys, from the area of an endpoint and its method.

A path without an area cannot be registered.
"""

from collections.abc import Iterable

# Only for people; only for keys, with any scope.
PERSON, KEY = "person", "key"
RECORDS = "records"
# {first path segment: area}, unless the declaration of the path names it.
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
    "organization": "organization",
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
        for area in ("interviews", "leads", "contracts", RECORDS, "organization", "webhooks", "changes")
        for verb in (READ, WRITE)
    ),
    AUDIT,
    SIGN,
)
# All scopes, future ones too.
ALL = "all"


def area_of(path: str) -> str:
    """The area of a path; raises LookupError without one."""
    beginning = path.removeprefix("/api/").split("/")[0]
    if beginning not in AREAS:
        raise LookupError(f"Name the area of {path} in its declaration.")
    return AREAS[beginning]


def scopes_of(method: str, area: str, scope: str | None = None, further: tuple[str, ...] = ()) -> tuple[str, ...]:
    """An endpoint's scopes, or PERSON or KEY alone.

    scope: in place of the area's. further: scopes of other areas.
    """
    if area == PERSON:
        return (scope or PERSON,)
    return scope or f"{area}:{READ if method == 'GET' else WRITE}", *further


def lacking(scopes: Iterable[str] | None, needed: Iterable[str]) -> list[str]:
    """The needed scopes that a key lacks; a person's None lacks nothing."""
    if scopes is None:
        return []
    return [scope for scope in needed if scope not in scopes and (ALL not in scopes or scope == PERSON)]
