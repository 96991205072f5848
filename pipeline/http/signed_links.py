"""Links that open one page without a login, signed for one purpose and until a time: a form that shows how a template
asks and keeps nothing, for colleagues; and the answers of one interview, for a rep who reads them from an email.

The key of each purpose is made from the secret of the access tokens and is another one, so none can pass for another; a
retired secret still reads. An installation whose access tokens come from elsewhere has no such secret, and signs
nothing.
"""

import hashlib
import hmac
import time
from collections.abc import Iterable
from typing import NamedTuple

import jwt

from pipeline.errors import Problem
from pipeline.settings import Settings

ALGORITHM = "HS256"
# What each kind of link is for, and for how many seconds.
ANSWERS, PREVIEWS = b"links to answers", b"links to previews"
ANSWERS_SECONDS, PREVIEWS_SECONDS = 14 * 86_400, 24 * 3600
_MAX_ID = 2**63


class AnswerLink(NamedTuple):
    """What a link says: whose answers, who reads them, until when (epoch)."""

    organization_id: int
    invite_id: int
    user_id: int
    expires: int


class PreviewLink(NamedTuple):
    """What a link says: which template, until when (epoch)."""

    organization_id: int
    template_id: int
    expires: int


def answers_url(settings: Settings, organization_id: int, invite_id: int, user_id: int) -> str | None:
    """The address of the page of an invite's answers, for one of the organization's people; None without a secret."""
    made = sign(settings, ANSWERS, ANSWERS_SECONDS, org=organization_id, invite=invite_id, user=user_id)
    return made and f"{settings.public_url}/forms/answers/{made[0]}"


def preview_url(settings: Settings, organization_id: int, template_id: int) -> tuple[str, int]:
    """(address, when it ends as epoch) of the preview of a template."""
    made = sign(settings, PREVIEWS, PREVIEWS_SECONDS, org=organization_id, template=template_id)
    if made is None:
        raise Problem("unavailable", "There is no JWT_SECRET with which the link could be signed.")
    signed, expires = made
    return f"{settings.public_url}/forms/preview/{signed}", expires


def read_answers(settings: Settings, signed: str) -> AnswerLink:
    """The AnswerLink of a signed text; 410 once its time is over, 404 for every text that we have not signed."""
    return AnswerLink(*read(settings, ANSWERS, signed, ("org", "invite", "user")))


def read_preview(settings: Settings, signed: str) -> PreviewLink:
    """The PreviewLink of a signed text; 410 and 404 as for answers."""
    return PreviewLink(*read(settings, PREVIEWS, signed, ("org", "template")))


def sign(settings: Settings, purpose: bytes, seconds: int, **ids: int) -> tuple[str, int] | None:
    """(signed text, its end as epoch) for a purpose (bytes) and the ids that it is about; None without a secret."""
    if not settings.jwt_secret:
        return None
    expires, key_id = int(time.time()) + seconds, settings.jwt_key_id
    key = _keys(settings, purpose)[key_id]
    return jwt.encode({**ids, "exp": expires}, key, algorithm=ALGORITHM, headers={"kid": key_id}), expires


def read(settings: Settings, purpose: bytes, signed: str, names: Iterable[str]) -> list[int]:
    """The ids of these names, and when they end; 410 once that is over, 404 for every text that we have not signed."""
    claimed = [*names, "exp"]
    try:
        key = _keys(settings, purpose)[jwt.get_unverified_header(signed)["kid"]]
        claims = jwt.decode(signed, key, algorithms=[ALGORITHM], options={"require": claimed})
        values = [claims[name] for name in claimed]
    except jwt.ExpiredSignatureError:
        raise Problem("link_expired") from None
    except (jwt.InvalidTokenError, ValueError, KeyError, TypeError, OverflowError, RecursionError):
        # PyJWT lets its own reading of odd JSON fail in any of these ways.
        raise Problem("not_found") from None
    if not all(type(value) is int and 0 < value < _MAX_ID for value in values):
        raise Problem("not_found")
    return values


def _keys(settings: Settings, purpose: bytes) -> dict[str, bytes]:
    """{key id: key} of the secrets; with RS256 the retired keys are public ones, with which anybody could sign."""
    secrets = {settings.jwt_key_id: settings.jwt_secret} if settings.jwt_secret else {}
    if settings.jwt_algorithm == "HS256":
        secrets = dict(pair.split(":", 1) for pair in settings.jwt_retired_keys.split()) | secrets
    return {id: hmac.digest(secret.encode(), purpose, hashlib.sha256) for id, secret in secrets.items()}
