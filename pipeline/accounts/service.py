"""Logging in and staying logged in.

Refresh tokens rotate: each is good once. A second use means that somebody holds a copy, and revokes every token
that came from the same login (RFC 9700, section 4.14.2).
"""

import datetime
import hashlib
import secrets
import uuid

from pipeline.accounts.passwords import matches
from pipeline.database import queries
from pipeline.problems import Problem, invalid_field


def login(tokens, days, email, password):
    """Tokens, user and organization (the first active seat's) for right credentials; else 401."""
    account = queries.login_account(email=email)
    known = matches(password, account and account["password_hash"])
    organizations = queries.membership_list(user_id=account["user_id"]) if known else []
    if not organizations:
        raise Problem("invalid_credentials", "The email address or the password is wrong.")
    return _start(tokens, days, account["user_id"], organizations[0])


def refresh(tokens, days, refresh_token):
    """New tokens for an unused refresh token; else 401."""
    successor = secrets.token_urlsafe(32)
    rotation = queries.refresh_token_rotate(
        token_hash=_digest(refresh_token), new_token_hash=_digest(successor), expires_at=_expiry(days)
    )
    if rotation["outcome"] != "rotated":
        # The revocation of a reused token's family must outlive this failure.
        raise Problem("invalid_refresh_token", commit=rotation["outcome"] == "reused")
    organizations = queries.membership_list(user_id=rotation["user_id"])
    organization = next(item for item in organizations if item["id"] == rotation["organization_id"])
    return _session(tokens, rotation["user_id"], organization, successor)


def logout(refresh_token):
    """Revoke the login that the refresh token belongs to; an unknown token is nothing to say about."""
    queries.refresh_token_revoke(token_hash=_digest(refresh_token))
    return True


def me(caller):
    """The caller's account, current organization, role in it, and all their organizations."""
    organizations = queries.membership_list(user_id=caller.user_id)
    return {
        "user": queries.account_get(user_id=caller.user_id),
        "organization": _organization(_current(organizations, caller.organization_id)),
        "role": caller.role,
        "organizations": [{key: item[key] for key in ("id", "name", "role")} for item in organizations],
    }


def switch_organization(tokens, days, caller, organization_id):
    """New tokens for another of the caller's organizations; 422 when it is none of theirs."""
    organization = _current(queries.membership_list(user_id=caller.user_id), organization_id)
    if organization is None:
        raise invalid_field("organization_id", "unknown_reference", "There is no such record.")
    return _start(tokens, days, caller.user_id, organization)


def _start(tokens, days, user_id, organization):
    refresh_token = secrets.token_urlsafe(32)
    queries.refresh_token_issue(
        user_id=user_id,
        organization_id=organization["id"],
        family_id=uuid.uuid4(),
        token_hash=_digest(refresh_token),
        expires_at=_expiry(days),
    )
    return _session(tokens, user_id, organization, refresh_token)


def _session(tokens, user_id, organization, refresh_token):
    return {
        "access_token": tokens.create_token(user_id, organization["id"]),
        "token_type": "Bearer",
        "expires_in": tokens.expires_in,
        "refresh_token": refresh_token,
        "user": queries.account_get(user_id=user_id),
        "organization": _organization(organization),
    }


def _organization(membership):
    return {key: membership[key] for key in ("id", "name", "slug", "time_zone", "currency", "locale")}


def _current(organizations, organization_id):
    return next((item for item in organizations if item["id"] == organization_id), None)


def _digest(token):
    # 256 random bits need no slow hash.
    return hashlib.sha256(token.encode()).hexdigest()


def _expiry(days):
    return datetime.datetime.now(datetime.UTC) + datetime.timedelta(days=days)
