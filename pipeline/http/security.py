"""Access tokens, roles, and Pyramid's security policy.

pyramid_jwt's directive accepts tokens without `exp` or issuer, so only its policy class is used.
"""

import functools
import hashlib
import re
import time
import uuid
from typing import NamedTuple

import jwt
from pyramid.config import Configurator
from pyramid.request import Request
from pyramid.security import NO_PERMISSION_REQUIRED
from pyramid_jwt.policy import JWTAuthenticationPolicy

from pipeline.http.scopes import KEY, PERSON, lacking
from pipeline.process.settings import Settings
from pipeline.validation import MAX_ID
from pipeline.validation.errors import Problem

PUBLIC = NO_PERMISSION_REQUIRED
MEMBER = "member"
ADMIN = "admin"
_CLAIMS = ["sub", "org", "sid", "iat", "exp", "iss", "aud", "jti"]


def secret_hash(secret: str) -> str:
    """The stored form of a random secret, its SHA-256 in hexadecimal digits; 256 random bits need no slow hash."""
    return hashlib.sha256(secret.encode()).hexdigest()


class Identity(NamedTuple):
    """The caller, with a role (`member` or `admin`) in the organization.

    user_id: None for a program.
    session_id: None outside of requests.
    key_id, scopes: None for a person.
    """

    user_id: int | None
    organization_id: int
    role: str
    session_id: int | None = None
    key_id: int | None = None
    scopes: frozenset[str] | None = None


class Claims(NamedTuple):
    """An access token's claims; `expires` in epoch seconds."""

    user_id: int
    organization_id: int
    session_id: int
    expires: int


class Tokens(JWTAuthenticationPolicy):
    """Access tokens of one installation.

    `kid` selects a key. `JWT_RETIRED_KEYS` (`id:secret id:secret`) keeps rotated keys until their tokens expire.
    """

    def __init__(self, settings: Settings) -> None:
        super().__init__(
            private_key=settings.jwt_secret,
            public_key=settings.jwt_public_key or settings.jwt_secret,
            algorithm=settings.jwt_algorithm,
            expiration=settings.access_token_minutes * 60,
            default_claims={"iss": settings.jwt_issuer},
            audience=settings.jwt_audience,
            auth_type="Bearer",
        )
        self.issuer = settings.jwt_issuer
        self.key_id = settings.jwt_key_id
        self.refresh_days, self.session_days = settings.refresh_token_days, settings.session_days
        retired = dict(pair.split(":", 1) for pair in settings.jwt_retired_keys.split())
        self.keys = {**retired, self.key_id: self.public_key}
        self.verified = functools.lru_cache(maxsize=10_000)(self._verify)

    @property
    def expires_in(self) -> int:
        """The lifetime of an access token in seconds."""
        return int(self.expiration.total_seconds())

    def create_token(self, user_id: int, organization_id: int, session_id: int) -> str:
        now = int(time.time())
        claims = {
            **self.default_claims,
            "sub": str(user_id),
            "org": organization_id,
            "sid": session_id,
            "iat": now,
            "exp": now + self.expires_in,
            "jti": uuid.uuid4().hex,
            "aud": self.audience,
        }
        return jwt.encode(claims, self.private_key, algorithm=self.algorithm, headers={"kid": self.key_id})

    def read(self, token: str) -> Claims:
        """The Claims of a token; raises 401."""
        try:
            claims = self.verified(token)
        except (jwt.InvalidTokenError, ValueError, KeyError, TypeError, OverflowError, RecursionError):
            # PyJWT raises any of these for odd JSON.
            raise Problem("unauthenticated") from None
        if claims.expires <= time.time():
            raise Problem("unauthenticated", "The access token has expired.")
        return claims

    def _verify(self, token: str) -> Claims:
        key_id = jwt.get_unverified_header(token).get("kid", self.key_id)
        claims = jwt.decode(
            token,
            self.keys[key_id],
            algorithms=[self.algorithm],
            audience=self.audience,
            issuer=self.issuer,
            options={"require": _CLAIMS},
        )
        # Tokens of other issuers are limited too.
        issued, expires = claims["iat"], claims["exp"]
        if type(issued) is not int or type(expires) is not int or expires - issued > self.expires_in:
            raise ValueError
        if not re.fullmatch("[1-9][0-9]{0,18}", claims["sub"], re.ASCII):
            raise ValueError
        ids = int(claims["sub"]), claims["org"], claims["sid"]
        if not all(type(id) is int and 0 < id <= MAX_ID for id in ids):
            raise ValueError
        return Claims(*ids, expires)


def refusal(caller: Identity, role: str, scopes: tuple[str, ...]) -> Problem | None:
    """A 403 unless the caller has the role and, as a program, the scopes."""
    if scopes == (KEY,):
        return Problem("key_required") if caller.key_id is None else None
    if caller.scopes is not None and (missing := lacking(caller.scopes, scopes)):
        if missing == [PERSON]:
            return Problem("person_required")
        return Problem("insufficient_scope", f"The key lacks {' and '.join(missing)}.", required=" ".join(missing))
    if role == ADMIN and caller.role != ADMIN:
        return Problem("forbidden", "The endpoint requires the admin role.")
    return None


class SecurityPolicy:
    """Refuses each view without a contract (steps.py) that is not declared as public."""

    def permits(self, request: Request, context: object, permission: str) -> bool:
        return False


def includeme(config: Configurator) -> None:
    config.registry.tokens = Tokens(config.registry.pipeline)
    config.set_security_policy(SecurityPolicy())
    config.set_default_permission(ADMIN)
