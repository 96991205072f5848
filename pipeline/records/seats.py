"""Users, as the seats that they have here or are offered, and teams.

Where a function answers None, there is no such record.
"""

from pipeline import mail
from pipeline.database import loads, queries
from pipeline.pages import list_page
from pipeline.problems import Problem, Violation


def list_users(query):
    """The Page of users that a Users query asks for."""
    return list_page(query, queries.user_list)


def get_user(id):
    """One user as JSON bytes, or None."""
    return queries.user_get.json(id=id)


def invite_user(caller, mail_quota, body):
    """Offer a seat to the person with an email address: JSON bytes; 409 when they have one here.

    429 when the organization has used up its `mail_quota`, the invite emails of a day: invitations are some of them.
    Whether they have an account is not looked at: neither the answer nor its time tells it.
    """
    id = queries.invitation_insert(invited_by=caller.user_id, **body)
    if id is None:
        raise Problem(
            "seat_taken", violations=[Violation("email", "seat_taken", "The person has a seat here already.")]
        )
    return invite_again(caller, mail_quota, id)


def open_invitation(id):
    """The open invitation of a user, with its `email`; None when there is no such user, 409 for one with a seat."""
    invitation = queries.invitation_get(user_id=id)
    if invitation is None and get_user(id) is not None:
        raise Problem("invitation_accepted")
    return invitation


def invite_again(caller, mail_quota, id):
    """Send the link of an open invitation again, a new one that ends the old: JSON bytes; 429 as above."""
    mail.spend(mail_quota)
    queries.invitation_send(user_id=id, invited_by=caller.user_id)
    return get_user(id)


def update_user(id, body):
    """Change a user's role, team and seat: JSON bytes, or None.

    409 when no active admin would be left, for another name than the person's own, and for an invitation that is to
    be made an active seat: only its person can do that.
    """
    if queries.invitation_get(user_id=id) is not None:
        return _update_invitation(id, body)
    if body["role"] == "member" or body["seat_active"] is False:
        _keep_an_admin(id)
    if not queries.seat_update(user_id=id, **{field: body[field] for field in ("role", "seat_active", "team_id")}):
        return None
    updated = get_user(id)
    if body["name"] not in (None, loads(updated)["name"]):
        raise Problem("name_is_own")
    return updated


def _update_invitation(id, body):
    if body["seat_active"]:
        raise Problem("invitation_open")
    queries.invitation_update(user_id=id, **{field: body[field] for field in ("name", "role", "team_id")})
    return get_user(id)


def delete_user(id):
    """Take a seat away, or withdraw an invitation and its link: how many; 409 while something refers to the seat, or
    for the last active admin.
    """
    if queries.invitation_delete(user_id=id):
        return 1
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
