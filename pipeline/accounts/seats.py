"""Seats and invitations; functions return None for an unknown user."""

from pipeline import mail
from pipeline.database import Row, not_none, queries
from pipeline.http.security import Identity
from pipeline.validation import AccountEmail, Body, Boolean, Choice, Id, Name, Values, Violation, optional, required
from pipeline.validation.errors import Problem

ROLES = ("admin", "member")
ROLE = Choice(*ROLES)


class Invitation(Body):
    """A seat offered to an email address."""

    email = required(AccountEmail())
    name = optional(Name())
    role = optional(ROLE)
    team_id = optional(Id("team"))


class Seat(Body):
    """Omitted role and seat_active stay unchanged; `name` can change only while invited."""

    name = optional(Name())
    role = optional(ROLE)
    seat_active = optional(Boolean())
    team_id = optional(Id("team"))


def invite_user(caller: Identity, mail_quota: int, body: Values) -> bytes | None:
    """Offers a seat without showing whether an account exists; 409 for an existing seat, 429 beyond `mail_quota`."""
    id = queries.invitation_insert(invited_by=caller.user_id, **body)
    if id is None:
        raise Problem(
            "seat_taken", violations=[Violation("email", "seat_taken", "The user already has a seat or an invitation.")]
        )
    return invite_again(caller, mail_quota, id)


def open_invitation(id: int) -> Row | None:
    """A user's invitation with `email`; raises 409 for a seat."""
    invitation = queries.invitation_get(user_id=id)
    if invitation is None and queries.user_get(id=id) is not None:
        raise Problem("invitation_accepted")
    return invitation


def invite_again(caller: Identity, mail_quota: int, id: int) -> bytes | None:
    """Sends a new link that replaces the old; raises 429."""
    mail.count_email(mail_quota)
    queries.invitation_send(user_id=id, invited_by=caller.user_id)
    return queries.user_get.json(id=id)


def update_user(caller: Identity, id: int, body: Values) -> None:
    """Updates role, team and seat; 409 for the last active admin, an accepted name, or activating an invitation."""
    if queries.invitation_get(user_id=id) is not None:
        if body["seat_active"]:
            raise Problem("invitation_open")
        queries.invitation_update(user_id=id, **{field: body[field] for field in ("name", "role", "team_id")})
        return
    if body["role"] == "member" or body["seat_active"] is False:
        _keep_an_admin(id)
    changed = queries.seat_update(user_id=id, **{field: body[field] for field in ("role", "seat_active", "team_id")})
    if changed and body["name"] not in (None, not_none(queries.user_get(id=id))["name"]):
        raise Problem("name_is_own")


def delete_user(caller: Identity, id: int) -> int:
    """Returns the count; raises 409 for a referenced seat or the last active admin."""
    if queries.invitation_delete(user_id=id):
        return 1
    _keep_an_admin(id)
    return queries.seat_delete(user_id=id)


def _keep_an_admin(id: int) -> None:
    """Raises 409 for the only active admin; locks the admins' seats."""
    if [seat["user_id"] for seat in queries.seat_lock_admins()] == [id]:
        raise Problem("last_admin", "The last active admin must keep the role and the seat.")
