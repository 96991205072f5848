"""Response bodies."""

from pipeline.http.shapes import BOOLEAN, EMAIL, ID, TEXT, TIMESTAMP, Shape, listed, nullable, word

ROLE = word("admin", "member")
ACCOUNT = Shape("Account", "A person, whatever organizations they work in.", id=ID, email=EMAIL, name=TEXT)
CURRENT = Shape(
    "CurrentOrganization",
    "The organization in effect.",
    id=ID,
    **dict.fromkeys(("name", "slug", "time_zone", "currency", "locale"), TEXT),
)
MEMBERSHIP = Shape("Membership", "An organization in which the person has a seat.", id=ID, name=TEXT, role=ROLE)
INVITING = Shape("InvitingOrganizationOfUser", "Who offers the seat.", id=ID, name=TEXT)
INVITATION = Shape(
    "Invitation",
    "A seat that is offered to the caller.",
    id=ID,
    organization=INVITING,
    role=ROLE,
    invited_by=nullable(TEXT),
    invited_at=TIMESTAMP,
    expires_at=TIMESTAMP,
)
ME = Shape(
    "Me",
    "The caller.",
    user=ACCOUNT,
    organization=CURRENT,
    role=ROLE,
    organizations=listed(MEMBERSHIP),
    invitations=listed(INVITATION),
)
TOKENS = Shape(
    "Tokens",
    "What a session is carried on with. A refresh token is good once.",
    access_token=TEXT,
    token_type=word("Bearer"),
    expires_in={"type": "integer", "format": "int32", "description": "Seconds."},
    refresh_token=TEXT,
    user=ACCOUNT,
    organization=CURRENT,
)
SESSION = Shape(
    "Session",
    "Where the caller is logged in.",
    id=ID,
    created_at=TIMESTAMP,
    last_used_at=TIMESTAMP,
    client=nullable({**TEXT, "description": "The user agent."}),
    address=nullable({**TEXT, "description": "The network address."}),
    current={**BOOLEAN, "description": "Whether this request is of the session."},
)
FORGOTTEN = Shape("Forgotten", "Says nothing: whether somebody has the address is not told.")
