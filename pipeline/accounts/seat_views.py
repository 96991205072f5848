"""The users endpoints."""

from pipeline.accounts import seats
from pipeline.http import limits
from pipeline.http.declared import record
from pipeline.http.request import Request
from pipeline.http.resource import Resource
from pipeline.http.security import ADMIN
from pipeline.http.shapes import TEXT, TIMESTAMP, Record, nullable, word
from pipeline.validation import Choices, Values

STATUSES = ("invited", "active", "inactive")
USER = Record(
    "user",
    "A user's seat in the organization, or an open invitation.",
    name=nullable(TEXT),
    status=word(*STATUSES),
    invited_at=nullable(TIMESTAMP),
)

invitation = Resource("/users/{id}/invite", "A user's invitation")
users, user = record(
    "/users",
    "user",
    "users",
    offers=("list", "get", "update", "delete"),
    write=ADMIN,
    body=seats.Seat(),
    filters={"role": Choices(*seats.ROLES), "status": Choices(*STATUSES)},
    shows=USER,
    fails=("name_is_own", "invitation_open", "last_admin"),
    stays=("last_admin",),
    update=seats.update_user,
    delete=seats.delete_user,
)


@users.post(access=ADMIN, body=seats.Invitation(), creates=True, answer=USER, fails=("seat_taken", "mail_quota"))
def invite_user(request: Request, body: Values) -> bytes | None:
    _count_invitation(request, body["email"])
    return seats.invite_user(request.caller, request.registry.pipeline.mail_quota, body)


@invitation.post(access=ADMIN, answer=USER, fails=("invitation_accepted", "mail_quota"))
def invite_user_again(request: Request, id: int) -> bytes | None:
    found = seats.open_invitation(id)
    if found is None:
        return None
    _count_invitation(request, found["email"])
    return seats.invite_again(request.caller, request.registry.pipeline.mail_quota, id)


def _count_invitation(request: Request, email: str) -> None:
    limits.spend(request, limits.INVITATIONS, f"{request.caller.organization_id}:{limits.digest(email)}")
