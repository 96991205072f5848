"""Invitations as the invited person meets them: by the link in the email, or signed in.

An invitation gives no access before its person has taken it: somebody new by choosing a password and a name, somebody
known by proving that the account is theirs.
"""

from pipeline.accounts import links
from pipeline.accounts.passwords import check_new, hash_password, matches
from pipeline.database import queries
from pipeline.problems import Problem, invalid_field


def open_link(token):
    """The row of a good link to an invitation; 404 for an unknown one, 410 for one that is used or has expired."""
    return links.good(links.find(token, "activate"))


def accept(token, name, password):
    """Take the seat that a link offers: {user_id, organization_id}.

    A new person gets an account with the name (by default what the invitation calls them) and the password, and the
    link confirms their address. A known person proves to be themselves: 401 for a wrong password.
    """
    link = open_link(token)
    if link["password_hash"]:
        seat = _join(token, link, password)
    else:
        seat = _activate(token, link, name or link["name"], password)
    if seat is None:  # another request was quicker
        raise Problem("link_used")
    return seat


def _join(token, link, password):
    if not matches(password, link["password_hash"]):
        raise Problem("invalid_credentials", "The password is wrong.")
    return queries.invitation_join(
        token_hash=links.token_hash(token), user_id=link["user_id"], password_hash=link["password_hash"]
    )


def _activate(token, link, name, password):
    if not name:
        raise invalid_field("name", "required", "Is required.")
    check_new(password, link["email"], name, link["organization_name"])
    return queries.invitation_activate(
        token_hash=links.token_hash(token), name=name, password_hash=hash_password(password)
    )


def decline(token):
    """Refuse the seat that a link offers."""
    open_link(token)
    if not queries.invitation_decline(token_hash=links.token_hash(token)):
        raise Problem("link_used")


def invitations(caller):
    """The open invitations to the caller's address: [{id, organization, role, invited_by, invited_at, expires_at}]."""
    return queries.invitations_of(user_id=caller.user_id)


def answer(caller, id, outcome):
    """Accept or decline an invitation as the person that it is for; None when there is no such invitation."""
    return queries.invitation_answer(user_id=caller.user_id, id=id, outcome=outcome)
