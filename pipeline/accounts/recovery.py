"""Forgotten, reset and changed passwords."""

import contextlib
import datetime
import time
from typing import Any

from pipeline.accounts import service
from pipeline.accounts.links import cell_of, find_good
from pipeline.accounts.passwords import hash_password, matches
from pipeline.accounts.strength import check_strength
from pipeline.database import Row, cells, not_none, queries
from pipeline.http.security import Identity, secret_hash
from pipeline.validation import Invalid, invalid_field
from pipeline.validation.errors import Problem

RESET_HOURS = 1


def forgot(email: str) -> dict[str, Any]:
    """Sends a reset link to an account; response and timing never differ."""
    expires_at = datetime.datetime.now(datetime.UTC) + datetime.timedelta(hours=RESET_HOURS)
    begun = time.monotonic()
    account = queries.login_account(email=email) if cells.several() else None
    seat = account and service.last_chosen(account["user_id"])
    with cells.in_cell_of(seat["id"]) if seat else contextlib.nullcontext():
        queries.password_forgot(email=email, expires_at=expires_at)
    # Whoever asks: an answer for known addresses alone would reveal them.
    cells.check_switch(begun)
    return {}


def reset(token: str, password: str) -> bool:
    """Sets a password by link and ends all sessions; raises 404, 410 or 422."""
    link = find_good(token, "reset")
    check_strength(password, [link["email"], link["name"], link["organization_name"]])
    if not (_reset_elsewhere if cells.several() else _reset)(token, link, hash_password(password)):
        raise Problem("link_used")  # by a concurrent request
    return True


def _reset(token: str, link: Row, new_hash: str) -> bool:
    return queries.password_reset(token_hash=secret_hash(token), password_hash=new_hash)


def _reset_elsewhere(token: str, link: Row, new_hash: str) -> bool:
    """As `_reset`, with several cells: the link is in one, and home has the password."""
    with cell_of(token):
        find_good(token, "reset")
        queries.reset_links_end(user_id=link["user_id"])
        with cells.at_home():
            return queries.password_change(
                user_id=link["user_id"], known_hash=link["password_hash"], new_hash=new_hash, session_id=None
            )


def change(caller: Identity, current_password: str, new_password: str) -> bool:
    """Sets the caller's password and ends their other sessions; raises 422."""
    me = not_none(queries.account_get(user_id=caller.user_id))
    organizations = [item["name"] for item in queries.membership_list(user_id=caller.user_id)]
    queries.role_enter(role="none")
    with cells.at_home():
        return _change(caller, current_password, new_password, [me["email"], me["name"], *organizations])


def _change(caller: Identity, current_password: str, new_password: str, known_words: list[str]) -> bool:
    known_hash = queries.password_hash(user_id=caller.user_id)
    if not matches(current_password, known_hash):
        raise _wrong_password()
    check_strength(new_password, known_words, "new_password")
    changed = queries.password_change(
        user_id=caller.user_id,
        known_hash=known_hash,
        new_hash=hash_password(new_password),
        session_id=caller.session_id,
    )
    if not changed:
        raise _wrong_password()
    return True


def _wrong_password() -> Invalid:
    return invalid_field("current_password", "wrong_password", "Is not your password.")
