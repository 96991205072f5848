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
    invited_by=nullable(TEXT),
    invited_at=TIMESTAMP,
    expires_at=TIMESTAMP,
)
ME = Shape(
    "Me",
    "The caller's account, organizations and invitations.",
    user=ACCOUNT,
    organization=CURRENT,
    role=ROLE,
    organizations=listed(MEMBERSHIP),
    invitations=listed(INVITATION),
)
TOKENS = Shape(
    "Tokens",
    "The tokens of a session. A refresh token works once.",
    access_token=TEXT,
    token_type=word("Bearer"),
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
    last_used_at=TIMESTAMP,
    client=nullable({**TEXT, "description": "The user agent."}),
    address=nullable({**TEXT, "description": "The network address."}),
    current={**BOOLEAN, "description": "Whether this request belongs to the session."},
)
FORGOTTEN = Shape("Forgotten", "An empty object. The response is the same for known and unknown addresses.")
