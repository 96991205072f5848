"""Users, as the seats that they have here or are offered. Where a function answers None, there is no such user."""

from pipeline import mail
from pipeline.database import Row, queries, sure
from pipeline.errors import Problem
from pipeline.http.security import Identity
from pipeline.validation import AccountEmail, Body, Boolean, Choice, Id, Text, Values, Violation, optional, required

ROLE = Choice("admin", "member")


class Invitation(Body):
    """A seat that is offered to the person with an email address."""

    email = required(AccountEmail())
    name = optional(Text())
    role = optional(ROLE)
    team_id = optional(Id("team"))


class Seat(Body):
    """A person's place in the organization; role and seat_active left out stay as they are.

    The name can be changed while the person is only invited; afterwards it is their own.
    """

    once = ("email",)
    name = optional(Text())
    role = optional(ROLE)
    seat_active = optional(Boolean())
    team_id = optional(Id("team"))


def invite_user(caller: Identity, mail_quota: int, body: Values) -> bytes | None:
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


def open_invitation(id: int) -> Row | None:
    """The open invitation of a user, with its `email`; None when there is no such user, 409 for one with a seat."""
    invitation = queries.invitation_get(user_id=id)
    if invitation is None and queries.user_get(id=id) is not None:
        raise Problem("invitation_accepted")
    return invitation


def invite_again(caller: Identity, mail_quota: int, id: int) -> bytes | None:
    """Send the link of an open invitation again, a new one that ends the old: JSON bytes; 429 as above."""
    mail.spend(mail_quota)
    queries.invitation_send(user_id=id, invited_by=caller.user_id)
    return queries.user_get.json(id=id)


def update_user(caller: Identity, id: int, body: Values) -> None:
    """Change a user's role, team and seat, if there is such a user.

    409 when no active admin would be left, for another name than the person's own, and for an invitation that is to
    be made an active seat: only its person can do that.
    """
    if queries.invitation_get(user_id=id) is not None:
        if body["seat_active"]:
            raise Problem("invitation_open")
        queries.invitation_update(user_id=id, **{field: body[field] for field in ("name", "role", "team_id")})
        return
    if body["role"] == "member" or body["seat_active"] is False:
        _keep_an_admin(id)
    changed = queries.seat_update(user_id=id, **{field: body[field] for field in ("role", "seat_active", "team_id")})
    if changed and body["name"] not in (None, sure(queries.user_get(id=id))["name"]):
        raise Problem("name_is_own")


def delete_user(caller: Identity, id: int) -> int:
    """Take a seat away, or withdraw an invitation and its link: how many; 409 while something refers to the seat, or
    for the last active admin.
    """
    if queries.invitation_delete(user_id=id):
        return 1
    _keep_an_admin(id)
    return queries.seat_delete(user_id=id)


def _keep_an_admin(id: int) -> None:
    """Raise the 409 when this user is the only active admin.

    The admins' seats stay locked until the end of the transaction: of two admins who demote each other in the same
    moment, the second finds nobody else.
    """
    if [seat["user_id"] for seat in queries.seat_lock_admins()] == [id]:
        raise Problem("last_admin", "The last active admin keeps the role and the seat.")
