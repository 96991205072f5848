"""Signed links to a preview, an interview's answers or notifications, without a login.

Each purpose has its own key; retired secrets still verify.
"""

import time
from collections.abc import Iterable
from typing import NamedTuple

import jwt

from pipeline.process.keys import keys_for
from pipeline.process.settings import Settings
from pipeline.validation import MAX_ID
from pipeline.validation.errors import Problem

ALGORITHM = "HS256"
ANSWERS, PREVIEWS, EMAILS = b"links to answers", b"links to previews", b"links to turn off emails"
NOTICES = b"links to notifications"
ANSWERS_SECONDS, PREVIEWS_SECONDS, EMAILS_SECONDS = 14 * 86_400, 24 * 3600, 365 * 86_400
# The kinds of notifications that a user can turn off by email; a link holds the place, from 1.
KINDS = ("interviews", "leads", "signatures", "webhooks")


class AnswerLink(NamedTuple):
    """A link to answers; `expires` in epoch seconds."""

    organization_id: int
    invite_id: int
    user_id: int
    expires: int


class NoticeLink(NamedTuple):
    """A link to a notification or its digest; `expires` in epoch seconds."""

    organization_id: int
    notification_id: int
    user_id: int
    expires: int


class PreviewLink(NamedTuple):
    """A link to a preview; `expires` in epoch seconds."""

    organization_id: int
    template_id: int
    expires: int


class EmailsLink(NamedTuple):
    """A link that turns off emails; `kind`: a place in KINDS, from 1; `expires` in epoch seconds."""

    organization_id: int
    user_id: int
    kind: int
    expires: int


def answers_url(
    settings: Settings, organization_id: int, invite_id: int, user_id: int, seconds: int | None = None
) -> str | None:
    """The URL of an invite's answers, for 14 days or some seconds; None without a secret."""
    made = sign(settings, ANSWERS, seconds or ANSWERS_SECONDS, org=organization_id, invite=invite_id, user=user_id)
    return made and f"{settings.public_url}/forms/answers/{made[0]}"


def notice_url(settings: Settings, organization_id: int, notification_id: int, user_id: int) -> str | None:
    """The URL of a notification, for 14 days; None without a secret."""
    made = sign(settings, NOTICES, ANSWERS_SECONDS, org=organization_id, notification=notification_id, user=user_id)
    return made and f"{settings.public_url}/forms/notifications/{made[0]}"


def preview_url(settings: Settings, organization_id: int, template_id: int) -> tuple[str, int]:
    """(URL, expiry in epoch seconds) of a preview; raises 503 without a secret."""
    made = sign(settings, PREVIEWS, PREVIEWS_SECONDS, org=organization_id, template=template_id)
    if made is None:
        raise Problem("unavailable", "The link cannot be signed, because JWT_SECRET is not set.")
    signed, expires = made
    return f"{settings.public_url}/forms/preview/{signed}", expires


def emails_url(settings: Settings, organization_id: int, user_id: int, kind: str) -> str | None:
    """The URL that turns off a user's emails of a kind; None without a secret."""
    place = KINDS.index(kind) + 1
    made = sign(settings, EMAILS, EMAILS_SECONDS, org=organization_id, user=user_id, kind=place)
    return made and f"{settings.public_url}/forms/emails/{made[0]}"


def read_emails(settings: Settings, signed: str) -> EmailsLink:
    """The EmailsLink; raises 410 or 404."""
    return EmailsLink(*read(settings, EMAILS, signed, ("org", "user", "kind")))


def read_answers(settings: Settings, signed: str) -> AnswerLink:
    """The AnswerLink; raises 410 after expiry, else 404."""
    return AnswerLink(*read(settings, ANSWERS, signed, ("org", "invite", "user")))


def read_notice(settings: Settings, signed: str) -> NoticeLink:
    """The NoticeLink; raises 410 or 404."""
    return NoticeLink(*read(settings, NOTICES, signed, ("org", "notification", "user")))


def read_preview(settings: Settings, signed: str) -> PreviewLink:
    """The PreviewLink; raises 410 or 404."""
    return PreviewLink(*read(settings, PREVIEWS, signed, ("org", "template")))


def sign(settings: Settings, purpose: bytes, seconds: int, **ids: int) -> tuple[str, int] | None:
    """(text, expiry in epoch seconds), or None without a secret."""
    if not settings.jwt_secret:
        return None
    expires, key_id = int(time.time()) + seconds, settings.jwt_key_id
    key = keys_for(settings, purpose)[key_id]
    return jwt.encode({**ids, "exp": expires}, key, algorithm=ALGORITHM, headers={"kid": key_id}), expires


def read(settings: Settings, purpose: bytes, signed: str, names: Iterable[str]) -> list[int]:
    """The ids and the expiry; raises 410 after that, else 404."""
    claimed = [*names, "exp"]
    try:
        key = keys_for(settings, purpose)[jwt.get_unverified_header(signed)["kid"]]
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
