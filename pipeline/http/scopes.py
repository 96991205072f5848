"""What an API key may be used for: `leads:read`, `leads:write` and so on.

The scope of an endpoint follows from its path and method, here and nowhere else. A path that stands in no area cannot
be registered, so that nothing new is open to keys by accident.
"""

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
    "audit": "changes",
}
READ, WRITE = "read", "write"
SCOPES = tuple(f"{area}:{verb}" for area in dict.fromkeys(AREAS.values()) if area != PERSON for verb in (READ, WRITE))


def scope_of(method, path):
    """The scope that a key needs for an endpoint, PERSON where no key will do; LookupError for a path in no area."""
    beginning = path.removeprefix("/api/").split("/")[0]
    if beginning not in AREAS:
        raise LookupError(f"Say in pipeline/http/scopes.py which area {path} belongs to.")
    area = AREAS[beginning]
    return area if area == PERSON else f"{area}:{READ if method == 'GET' else WRITE}"
