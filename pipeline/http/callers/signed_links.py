"""Signed links to a preview or an interview's answers, without a login.

Each purpose has its own key; retired secrets still verify.
"""

import hashlib
import hmac
import time
from collections.abc import Iterable
from typing import NamedTuple

import jwt

from pipeline.process.settings import Settings
from pipeline.validation import MAX_ID
from pipeline.validation.errors import Problem

ALGORITHM = "HS256"
ANSWERS, PREVIEWS = b"links to answers", b"links to previews"
ANSWERS_SECONDS, PREVIEWS_SECONDS = 14 * 86_400, 24 * 3600


class AnswerLink(NamedTuple):
    """A link to answers; `expires` in epoch seconds."""

    organization_id: int
    invite_id: int
    user_id: int
    expires: int


class PreviewLink(NamedTuple):
    """A link to a preview; `expires` in epoch seconds."""

    organization_id: int
    template_id: int
    expires: int


def answers_url(settings: Settings, organization_id: int, invite_id: int, user_id: int) -> str | None:
    """The URL of an invite's answers; None without a secret."""
    made = sign(settings, ANSWERS, ANSWERS_SECONDS, org=organization_id, invite=invite_id, user=user_id)
    return made and f"{settings.public_url}/forms/answers/{made[0]}"


def preview_url(settings: Settings, organization_id: int, template_id: int) -> tuple[str, int]:
    """(URL, expiry in epoch seconds) of a preview; raises 503 without a secret."""
    made = sign(settings, PREVIEWS, PREVIEWS_SECONDS, org=organization_id, template=template_id)
    if made is None:
        raise Problem("unavailable", "The link cannot be signed, because JWT_SECRET is not set.")
    signed, expires = made
    return f"{settings.public_url}/forms/preview/{signed}", expires


def read_answers(settings: Settings, signed: str) -> AnswerLink:
    """The AnswerLink; raises 410 after expiry, else 404."""
    return AnswerLink(*read(settings, ANSWERS, signed, ("org", "invite", "user")))


def read_preview(settings: Settings, signed: str) -> PreviewLink:
    """The PreviewLink; raises 410 or 404."""
    return PreviewLink(*read(settings, PREVIEWS, signed, ("org", "template")))


def sign(settings: Settings, purpose: bytes, seconds: int, **ids: int) -> tuple[str, int] | None:
    """(text, expiry in epoch seconds), or None without a secret."""
    if not settings.jwt_secret:
        return None
    expires, key_id = int(time.time()) + seconds, settings.jwt_key_id
    key = _keys(settings, purpose)[key_id]
    return jwt.encode({**ids, "exp": expires}, key, algorithm=ALGORITHM, headers={"kid": key_id}), expires


def read(settings: Settings, purpose: bytes, signed: str, names: Iterable[str]) -> list[int]:
    """The ids and the expiry; raises 410 after that, else 404."""
    claimed = [*names, "exp"]
    try:
        key = _keys(settings, purpose)[jwt.get_unverified_header(signed)["kid"]]
        claims = jwt.decode(signed, key, algorithms=[ALGORITHM], options={"require": claimed})
        values = [claims[name] for name in claimed]
    except jwt.ExpiredSignatureError:
        raise Problem("link_expired") from None
    except (jwt.InvalidTokenError, ValueError, KeyError, TypeError, OverflowError, RecursionError):
        # PyJWT raises any of these for odd JSON.
        raise Problem("not_found") from None
    if not all(type(value) is int and 0 < value <= MAX_ID for value in values):
        raise Problem("not_found")
    return values


def _keys(settings: Settings, purpose: bytes) -> dict[str, bytes]:
    """{key id: key}; RS256's retired keys are public, so unused."""
    secrets = {settings.jwt_key_id: settings.jwt_secret} if settings.jwt_secret else {}
    if settings.jwt_algorithm == "HS256":
        secrets = dict(pair.split(":", 1) for pair in settings.jwt_retired_keys.split()) | secrets
    return {id: hmac.digest(secret.encode(), purpose, hashlib.sha256) for id, secret in secrets.items()}
