"""The endpoints of the organization, and of its users."""

from pipeline.http import limits
from pipeline.http.declared import record
from pipeline.http.request import Request
from pipeline.http.resource import Resource
from pipeline.http.shapes import STORED_FILE, TEXT, TIMESTAMP, Record, nullable, word
from pipeline.http.uploads import Upload, UploadField
from pipeline.records import organization as organization_service
from pipeline.records import seats
from pipeline.security import ADMIN, MEMBER
from pipeline.validation import Choice, Values

LOGO = UploadField("logo", 2 * 1024 * 1024)
STATUSES = ("invited", "active", "inactive")
ORGANIZATION = Record(
    "organization", "The organization's settings, look and legal details.", logo=nullable(STORED_FILE)
)
USER = Record(
    "user",
    "A person's place in the organization, or the one that they are invited to.",
    name=nullable(TEXT),
    status=word(*STATUSES),
    invited_at=nullable(TIMESTAMP),
)

organization = Resource("/organization", "The organization")
logo = Resource("/organization/logo", "The organization's logo")
invitation = Resource("/users/{id}/invite", "A user's invitation")
users, user = record(
    "/users",
    "user",
    "users",
    offers=("list", "get", "update", "delete"),
    write=ADMIN,
    body=seats.Seat(),
    filters={"role": seats.ROLE, "status": Choice(*STATUSES)},
    shows=USER,
    fails=("name_is_own", "invitation_open", "last_admin"),
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
    """An organization sends one address no flood, however it goes about it."""
    limits.spend(request, limits.INVITATIONS, f"{request.caller.organization_id}:{limits.digest(email)}")


@organization.get(access=MEMBER, answer=ORGANIZATION)
def get_organization(request: Request) -> bytes | None:
    return organization_service.get_organization()


@organization.change(access=ADMIN, body=organization_service.Organization(), answer=ORGANIZATION, fails=("slug_taken",))
def update_organization(request: Request, body: Values) -> bytes | None:
    return organization_service.update_organization(body)


@logo.post(access=ADMIN, upload=LOGO, status=201, answer=ORGANIZATION)
def upload_organization_logo(request: Request, upload: Upload) -> bytes | None:
    return organization_service.set_logo(request.caller, upload.file)


@logo.delete(access=ADMIN)
def delete_organization_logo(request: Request) -> int:
    return organization_service.remove_logo()
