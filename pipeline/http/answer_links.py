"""Signed links with which a rep reads the answers of one interview from an email, without a login.

A link names the organization, the invite and the rep, and works for 14 days. It is signed with a key that is made from
the secret of the access tokens and is another one, so neither can pass for the other; a retired secret still reads.
An installation whose access tokens come from elsewhere has no such secret and makes no links.
"""

import hashlib
import hmac
import time
from typing import NamedTuple

import jwt

from pipeline.errors import Problem

DAYS = 14
ALGORITHM = "HS256"
_CLAIMS = ["org", "invite", "user", "exp"]
_MAX_ID = 2**63


class AnswerLink(NamedTuple):
    """What a link says: whose answers, who reads them, until when (epoch)."""

    organization_id: int
    invite_id: int
    user_id: int
    expires: int


def answers_url(settings, organization_id, invite_id, user_id):
    """The address of the page of an invite's answers, for one of the organization's people; None without a secret."""
    if not settings.jwt_secret:
        return None
    claims = {"org": organization_id, "invite": invite_id, "user": user_id, "exp": int(time.time()) + DAYS * 86_400}
    key_id = settings.jwt_key_id
    signed = jwt.encode(claims, _keys(settings)[key_id], algorithm=ALGORITHM, headers={"kid": key_id})
    return f"{settings.public_url}/forms/answers/{signed}"


def read_link(settings, signed):
    """The AnswerLink of a signed text; 410 once its time is over, 404 for every text that we have not signed."""
    try:
        key = _keys(settings)[jwt.get_unverified_header(signed).get("kid")]
        claims = jwt.decode(signed, key, algorithms=[ALGORITHM], options={"require": _CLAIMS})
        link = AnswerLink(*(claims[name] for name in _CLAIMS))
    except jwt.ExpiredSignatureError:
        raise Problem("link_expired") from None
    except (jwt.InvalidTokenError, ValueError, KeyError, TypeError, OverflowError, RecursionError):
        # PyJWT lets its own reading of odd JSON fail in any of these ways.
        raise Problem("not_found") from None
    if not all(type(value) is int and 0 < value < _MAX_ID for value in link):
        raise Problem("not_found")
    return link


def _keys(settings):
    """{key id: key} of the secrets; with RS256 the retired keys are public ones, with which anybody could sign."""
    secrets = {settings.jwt_key_id: settings.jwt_secret} if settings.jwt_secret else {}
    if settings.jwt_algorithm == "HS256":
        secrets = dict(pair.split(":", 1) for pair in settings.jwt_retired_keys.split()) | secrets
    return {id: hmac.digest(secret.encode(), b"links to answers", hashlib.sha256) for id, secret in secrets.items()}
