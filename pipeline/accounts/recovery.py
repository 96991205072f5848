"""Forgotten, reset and changed passwords."""

import datetime
from typing import Any

from pipeline.accounts.links import find_good
from pipeline.accounts.passwords import hash_password, matches
from pipeline.accounts.strength import check_strength
from pipeline.database import not_none, queries
from pipeline.http.core.security import Identity, secret_hash
from pipeline.validation import Invalid, invalid_field
from pipeline.validation.errors import Problem

RESET_HOURS = 1


def forgot(email: str) -> dict[str, Any]:
    """Sends a reset link to an account; response and timing never differ."""
    expires_at = datetime.datetime.now(datetime.UTC) + datetime.timedelta(hours=RESET_HOURS)
    queries.password_forgot(email=email, expires_at=expires_at)
    return {}


def reset(token: str, password: str) -> bool:
    """Sets a password by link and ends all sessions; raises 404, 410 or 422."""
    link = find_good(token, "reset")
    check_strength(password, [link["email"], link["name"], link["organization_name"]])
    if not queries.password_reset(token_hash=secret_hash(token), password_hash=hash_password(password)):
        raise Problem("link_used")  # by a concurrent request
    return True


def change(caller: Identity, current_password: str, new_password: str) -> bool:
    """Sets the caller's password and ends their other sessions; raises 422."""
    me = not_none(queries.account_get(user_id=caller.user_id))
    organizations = [item["name"] for item in queries.membership_list(user_id=caller.user_id)]
    queries.role_enter(role="none")
    known_hash = queries.password_hash(user_id=caller.user_id)
    if not matches(current_password, known_hash):
        raise _wrong_password()
    check_strength(new_password, [me["email"], me["name"], *organizations], "new_password")
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
