"""Accepts and declines invitations."""

import time

from pipeline.accounts.links import cell_of, find_good
from pipeline.accounts.passwords import hash_password, matches
from pipeline.accounts.strength import SHORTEST_PASSWORD, check_strength
from pipeline.database import Row, cells, queries
from pipeline.http.security import Identity, secret_hash
from pipeline.validation import Invalid, Violation
from pipeline.validation.errors import Problem


def accept(token: str, link: Row, name: str | None, password: str) -> Row:
    """Accepts an open link's seat; returns {user_id, organization_id, password_hash}.

    Creates an account if needed. Raises 401 for a known person's wrong password, 410 if used meanwhile, 422.
    """
    accepted = _join(token, link, password) if link["password_hash"] else _activate(token, link, name, password)
    if accepted["user_id"] is None:  # by a concurrent request
        raise Problem("link_used")
    return accepted


def _join(token: str, link: Row, password: str) -> Row:
    known_hash = link["password_hash"]
    if not matches(password, known_hash):
        raise Problem("invalid_credentials", "The password is wrong.")
    with cell_of(token):
        seat = queries.invitation_join(token_hash=secret_hash(token), user_id=link["user_id"], password_hash=known_hash)
    return {"user_id": None, **(seat or {}), "password_hash": known_hash}


def _activate(token: str, link: Row, name: str | None, password: str) -> Row:
    name = name or link["name"]
    violations = [] if name else [Violation("name", "required", "Is required.")]
    if len(password) < SHORTEST_PASSWORD:
        too_short = f"Must have at least {SHORTEST_PASSWORD} characters."
        violations.append(Violation("password", "too_short", too_short))
    if violations:
        raise Invalid(violations)
    check_strength(password, [link["email"], name, link["organization_name"]])
    new_hash = hash_password(password)
    if cells.several():
        seat = _activate_elsewhere(token, link, name, new_hash)
    else:
        seat = queries.invitation_activate(token_hash=secret_hash(token), name=name, password_hash=new_hash)
    return {"user_id": None, **(seat or {}), "password_hash": new_hash}


def _activate_elsewhere(token: str, link: Row, name: str | None, new_hash: str) -> Row | None:
    """As `invitation_activate`, with several cells: home has the account, which then comes to the cell of the seat."""
    with cells.home().transaction():
        id = queries.account_make(id=link["invitation_id"], email=link["email"], name=name, password_hash=new_hash)
    if id is None:
        return None
    with cell_of(token):
        cells.arrived(lambda: queries.password_hash(user_id=id) == new_hash)
        return queries.invitation_join(token_hash=secret_hash(token), user_id=id, password_hash=new_hash)


def decline(token: str) -> None:
    """Declines a link's seat; raises 404 or 410."""
    find_good(token, "activate")
    with cell_of(token):
        declined = queries.invitation_decline(token_hash=secret_hash(token))
    if not declined:
        raise Problem("link_used")


def answer(caller: Identity, id: int, outcome: str) -> int | None:
    """Ends an invitation (`accepted`, `declined`); returns the organization's id, or None if not the caller's."""
    begun = time.monotonic()
    answered = cells.everywhere(lambda: _answered(caller, id, outcome))
    if not answered:
        cells.check_settled(begun)
    return answered[0]["id"] if answered else None


def _answered(caller: Identity, id: int, outcome: str) -> list[Row]:
    organization_id = queries.invitation_answer(user_id=caller.user_id, id=id, outcome=outcome)
    return [] if organization_id is None else [{"id": organization_id}]
