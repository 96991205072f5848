"""Response bodies."""

from pipeline.api.shapes import BOOLEAN, EMAIL, ID, TEXT, TIMESTAMP, Shape, listed, nullable, word

ROLE = word("admin", "member")
ACCOUNT = Shape("Account", "A user account. It can belong to several organizations.", id=ID, email=EMAIL, name=TEXT)
CURRENT = Shape(
    "CurrentOrganization",
    "The current organization.",
    id=ID,
    **dict.fromkeys(("name", "slug", "time_zone", "currency", "locale"), TEXT),
)
MEMBERSHIP = Shape("Membership", "A seat of the user in an organization.", id=ID, name=TEXT, role=ROLE)
INVITING = Shape("InvitingOrganizationOfUser", "The inviting organization.", id=ID, name=TEXT)
INVITATION = Shape(
    "Invitation",
    "An open invitation of the caller.",
    id=ID,
    organization=INVITING,
    role=ROLE,
    invited_by={**nullable(TEXT), "description": "The name of the inviting user."},
    invited_at={**TIMESTAMP, "description": "The time of the invitation."},
    expires_at=TIMESTAMP,
)
ME = Shape(
    "Me",
    "The caller's account, organizations and invitations.",
    user=ACCOUNT,
    organization=CURRENT,
    role=ROLE,
    organizations={**listed(MEMBERSHIP), "description": "Organizations in which the caller has a seat."},
    invitations={**listed(INVITATION), "description": "Open invitations of the caller."},
)
TOKENS = Shape(
    "Tokens",
    "The tokens of a session. A refresh token works once.",
    access_token={**TEXT, "description": "Send it as `Authorization: Bearer …`."},
    token_type={**word("Bearer"), "description": "The authorization scheme of the access token."},
    expires_in={"type": "integer", "format": "int32", "description": "The lifetime of the access token in seconds."},
    refresh_token=TEXT,
    user=ACCOUNT,
    organization=CURRENT,
)
SESSION = Shape(
    "Session",
    "A login session of the caller.",
    id=ID,
    created_at=TIMESTAMP,
    last_used_at={**TIMESTAMP, "description": "The time of the last use."},
    client=nullable({**TEXT, "description": "The user agent."}),
    address=nullable({**TEXT, "description": "The network address."}),
    current={**BOOLEAN, "description": "Whether this request belongs to the session."},
)
FORGOTTEN = Shape("Forgotten", "An empty object. The response is the same for known and unknown addresses.")
