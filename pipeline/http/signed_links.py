"""Links that open one page without a login, signed for one purpose and until a time.

The key of each purpose is made from the secret of the access tokens and is another one, so none can pass for another; a
retired secret still reads. An installation whose access tokens come from elsewhere has no such secret, and signs
nothing.
"""

import hashlib
import hmac
import time
from collections.abc import Iterable

import jwt

from pipeline.errors import Problem
from pipeline.settings import Settings

ALGORITHM = "HS256"
_MAX_ID = 2**63


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
