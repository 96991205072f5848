"""The endpoints of the organization, its users and teams."""

from pipeline.records import bodies, lists, seats
from pipeline.records import organization as organization_service
from pipeline.resource import Resource
from pipeline.security import ADMIN, MEMBER

organization = Resource("/organization", "The organization")
users = Resource("/users", "Users")
user = Resource("/users/{id}", "A user")
teams = Resource("/teams", "Teams")
team = Resource("/teams/{id}", "A team")


@users.get(access=MEMBER, query=lists.Users())
def list_users(request, query):
    return seats.list_users(query)


@users.post(access=ADMIN, body=bodies.NewSeat(), creates=True)
def add_user(request, body):
    return seats.add_user(body)


@user.get(access=MEMBER)
def get_user(request, id):
    return seats.get_user(id)


@user.put(access=ADMIN, body=bodies.Seat())
def update_user(request, id, body):
    return seats.update_user(id, body)


@user.delete(access=ADMIN)
def delete_user(request, id):
    return seats.delete_user(id)


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
