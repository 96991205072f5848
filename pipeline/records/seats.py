"""Users, as the seats that they have here, and teams. Where a function answers None, there is no such record."""

import secrets

from pipeline.accounts.passwords import hash_password
from pipeline.database import queries
from pipeline.pages import list_page
from pipeline.problems import Problem


def list_users(query):
    """The Page of users that a Users query asks for."""
    return list_page(query, queries.user_list)


def get_user(id):
    """One user as JSON bytes, or None."""
    return queries.user_get.json(id=id)


def add_user(body):
    """A seat for the person with an email address: JSON bytes; 409 when they have one here.

    Who has an account, in whichever organization, keeps its name and password: an admin of one organization must
    not get hold of an account in another. A new account without a password has one that nobody knows.
    """
    # Hashed for a known person, too, so that the time tells nothing about other organizations.
    password_hash = hash_password(body["password"] or secrets.token_urlsafe(32))
    user_id = queries.user_ensure(email=body["email"], name=body["name"], password_hash=password_hash)
    queries.seat_insert(
        user_id=user_id, **{field: body[field] for field in ("role", "seat_active", "team_id")}
    )
    return get_user(user_id)


def update_user(id, body):
    """Change a user's name, role, team and seat: JSON bytes, or None.

    409 when no active admin would be left, or for a new name of somebody who has a seat elsewhere, too.
    """
    if body["role"] == "member" or body["seat_active"] is False:
        _keep_an_admin(id)
    if not queries.seat_update(user_id=id, **{field: body[field] for field in ("role", "seat_active", "team_id")}):
        return None
    if not queries.user_rename(id=id, name=body["name"]):
        raise Problem("shared_user", "Somebody with a seat in another organization keeps their name.")
    return get_user(id)


def delete_user(id):
    """Take a seat away: how many were taken; 409 while something refers to it, or for the last active admin."""
    _keep_an_admin(id)
    return queries.seat_delete(user_id=id)


def _keep_an_admin(id):
    """Raise the 409 when this user is the only active admin.

    The admins' seats stay locked until the end of the transaction: of two admins who demote each other in the same
    moment, the second finds nobody else.
    """
    if [seat["user_id"] for seat in queries.seat_lock_admins()] == [id]:
        raise Problem("last_admin", "The last active admin keeps the role and the seat.")


def list_teams(query):
    """The Page of teams that a Teams query asks for."""
    return list_page(query, queries.team_list)


def get_team(id):
    """One team as JSON bytes, or None."""
    return queries.team_get.json(id=id)


def create_team(body):
    """A new team: JSON bytes."""
    return get_team(queries.team_insert(**body))


def update_team(id, body):
    """Rename a team: JSON bytes, or None."""
    queries.team_update(id=id, **body)
    return get_team(id)


def delete_team(id):
    """Delete a team: how many were deleted; 409 while somebody belongs to it."""
    return queries.team_delete(id=id)
