"""The endpoints of the organization, its users and teams."""

from pipeline import limits
from pipeline.records import bodies, lists, seats
from pipeline.records import organization as organization_service
from pipeline.resource import Resource
from pipeline.security import ADMIN, MEMBER
from pipeline.uploads import UploadField

LOGO = UploadField("logo", 2 * 1024 * 1024)

organization = Resource("/organization", "The organization")
logo = Resource("/organization/logo", "The organization's logo")
users = Resource("/users", "Users")
user = Resource("/users/{id}", "A user")
invitation = Resource("/users/{id}/invite", "A user's invitation")
teams = Resource("/teams", "Teams")
team = Resource("/teams/{id}", "A team")


@users.get(access=MEMBER, query=lists.Users())
def list_users(request, query):
    return seats.list_users(query)


@users.post(access=ADMIN, body=bodies.Invitation(), creates=True)
def invite_user(request, body):
    _count_invitation(request, body["email"])
    return seats.invite_user(request.caller, request.registry.pipeline.mail_quota, body)


@user.get(access=MEMBER)
def get_user(request, id):
    return seats.get_user(id)


@user.put(access=ADMIN, body=bodies.Seat())
def update_user(request, id, body):
    return seats.update_user(id, body)


@user.delete(access=ADMIN)
def delete_user(request, id):
    return seats.delete_user(id)


@invitation.post(access=ADMIN)
def invite_user_again(request, id):
    found = seats.open_invitation(id)
    if found is None:
        return None
    _count_invitation(request, found["email"])
    return seats.invite_again(request.caller, request.registry.pipeline.mail_quota, id)


def _count_invitation(request, email):
    """An organization sends one address no flood, however it goes about it."""
    limits.spend(request, limits.INVITATIONS, f"{request.caller.organization_id}:{limits.digest(email)}")


@teams.get(access=MEMBER, query=lists.Teams())
def list_teams(request, query):
    return seats.list_teams(query)


@teams.post(access=ADMIN, body=bodies.Team(), creates=True)
def create_team(request, body):
    return seats.create_team(body)


@team.get(access=MEMBER)
def get_team(request, id):
    return seats.get_team(id)


@team.put(access=ADMIN, body=bodies.Team())
def update_team(request, id, body):
    return seats.update_team(id, body)


@team.delete(access=ADMIN)
def delete_team(request, id):
    return seats.delete_team(id)


@organization.get(access=MEMBER)
def get_organization(request):
    return organization_service.get_organization()


@organization.put(access=ADMIN, body=bodies.Organization())
def update_organization(request, body):
    return organization_service.update_organization(body)


@logo.post(access=ADMIN, upload=LOGO, status=201)
def upload_logo(request, upload):
    return organization_service.set_logo(request.caller, upload.file)


@logo.delete(access=ADMIN)
def delete_logo(request):
    return organization_service.remove_logo()
