"""The users endpoints."""

from pipeline.accounts import seats
from pipeline.api.declared import Records
from pipeline.api.resource import Resource
from pipeline.api.shapes import TEXT, TIMESTAMP, Record, nullable, word
from pipeline.http.fairness import limits
from pipeline.http.request import Request
from pipeline.http.scopes import RECORDS
from pipeline.http.security import ADMIN
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
users = Records(
    "/users", "user", write=ADMIN, body=seats.Seat(), shows=USER, fails=("name_is_own", "invitation_open", "last_admin")
)
users.list("list_users", filters={"role": Choices(*seats.ROLES), "status": Choices(*STATUSES)})
users.get("get_user")
users.update("update_user", "patch_user", by=seats.update_user)
users.delete("delete_user", by=seats.delete_user, fails=("last_admin",))


# For programs, which may not call /users.
colleagues = Records("/seats", "seat", area=RECORDS, shows=Record("seat", "A user's seat in the organization."))
colleagues.list("list_seats")
colleagues.get("get_seat")


@users.all.post(access=ADMIN, body=seats.Invitation(), creates=True, answer=USER, fails=("seat_taken", "mail_quota"))
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
    limits.count_request(request, limits.INVITATIONS, f"{request.caller.organization_id}:{limits.digest(email)}")
