"""Who calls, and what they may: access tokens, roles, and Pyramid's security policy.

Tokens are made and read with pyramid_jwt's policy class as a token library; its directive would bring the legacy
policies, which accept tokens without `exp` and check no issuer. Role and seat are never in the token: they are
read from the database on every request, in the statement that sets the row-level-security context. The same statement
asks whether the token's session goes on, so an access token dies with it. How a request comes by its caller stands in
http/authentication.py, what a key may be used for in scopes.py.
"""

import functools
import re
import time
import uuid
from typing import NamedTuple

import jwt
from pyramid.config import Configurator
from pyramid.request import Request
from pyramid.security import NO_PERMISSION_REQUIRED
from pyramid_jwt.policy import JWTAuthenticationPolicy

from pipeline.errors import Problem
from pipeline.http.scopes import PERSON, lacking
from pipeline.settings import Settings

PUBLIC = NO_PERMISSION_REQUIRED
MEMBER = "member"
ADMIN = "admin"
_CLAIMS = ["sub", "org", "sid", "iat", "exp", "iss", "aud", "jti"]
_MAX_ID = 2**63


class Identity(NamedTuple):
    """The caller: a person, or a program with a key, and the role (`member` or `admin`) in the current organization.

    user_id: None for a program, which is nobody's seat.
    session_id: a person's session; None where there is no request.
    key_id, scopes: a program's key, and what it may be used for; None for a person, who may do all of their role.
    """

    user_id: int | None
    organization_id: int
    role: str
    session_id: int | None = None
    key_id: int | None = None
    scopes: frozenset[str] | None = None


class Needed(NamedTuple):
    """The permission of an endpoint: the role that its caller needs, and the scopes if the caller is a program."""

    role: str
    scopes: tuple[str, ...]


class Claims(NamedTuple):
    """What an access token says: whose it is, in which organization, of which session, until when (epoch)."""

    user_id: int
    organization_id: int
    session_id: int
    expires: int


class Tokens(JWTAuthenticationPolicy):
    """Access tokens of one installation.

    The key is chosen by the token's `kid` among our own, and the algorithm is that of our key, never the
    token's word. Keys are rotated by a new `JWT_SECRET` and `JWT_KEY_ID`, with the old pair in
    `JWT_RETIRED_KEYS` (`id:secret id:secret`) until its tokens have run out.
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
        # How many days a refresh token is good, and a session lasts at most.
        self.refresh_days, self.session_days = settings.refresh_token_days, settings.session_days
        retired = dict(pair.split(":", 1) for pair in settings.jwt_retired_keys.split())
        self.keys = {**retired, self.key_id: self.public_key}
        self.verified = functools.lru_cache(maxsize=10_000)(self._verify)

    @property
    def expires_in(self) -> int:
        """Lifetime of an access token in seconds."""
        return int(self.expiration.total_seconds())

    def create_token(self, user_id: int, organization_id: int, session_id: int) -> str:
        """An access token of a session, for its user in an organization."""
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
        """The Claims of an access token; raises the 401 problem."""
        try:
            claims = self.verified(token)
        except (jwt.InvalidTokenError, ValueError, KeyError, TypeError, OverflowError, RecursionError):
            # PyJWT lets its own reading of odd JSON fail in any of these ways.
            raise Problem("unauthenticated") from None
        if claims.expires <= time.time():
            raise Problem("unauthenticated", "The access token has expired.")
        return claims

    def _verify(self, token: str) -> Claims:
        """The claims that matter; the result may be cached, since a signature does not change."""
        key_id = jwt.get_unverified_header(token).get("kid", self.key_id)
        claims = jwt.decode(
            token,
            self.keys[key_id],
            algorithms=[self.algorithm],
            audience=self.audience,
            issuer=self.issuer,
            options={"require": _CLAIMS},
        )
        # Whoever signs it, a token lives no longer than ours do.
        issued, expires = claims["iat"], claims["exp"]
        if type(issued) is not int or type(expires) is not int or expires - issued > self.expires_in:
            raise ValueError
        if not re.fullmatch("[1-9][0-9]{0,18}", claims["sub"], re.ASCII):
            raise ValueError
        ids = int(claims["sub"]), claims["org"], claims["sid"]
        if not all(type(id) is int and 0 < id < _MAX_ID for id in ids):
            raise ValueError
        return Claims(*ids, expires)


def bearer(authorization: str | None) -> str:
    """The token or key of an Authorization header; raises the 401 problem."""
    scheme, _, token = (authorization or "").partition(" ")
    token = token.strip()
    if scheme.lower() != "bearer" or not token:
        raise Problem("unauthenticated")
    return token


class SecurityPolicy:
    """Deny by default: a view without an access level cannot be registered (see `resource.py`).

    It only compares: who calls has been found out before (see `http/authentication.py`). That is all of a policy which
    Pyramid itself asks for.
    """

    def permits(self, request: Request, context: object, permission: Needed) -> bool:
        """Whether the caller has what is Needed; raises the 403 problem instead of a bare refusal."""
        caller, (role, scopes) = request.caller, permission
        if missing := lacking(caller.scopes, scopes):
            if missing == [PERSON]:
                raise Problem("person_required")
            raise Problem("insufficient_scope", f"The key lacks {' and '.join(missing)}.", required=" ".join(missing))
        if role == ADMIN and caller.role != ADMIN:
            raise Problem("forbidden", "This needs the Admin role.")
        return role in (MEMBER, ADMIN)


def includeme(config: Configurator) -> None:
    """Install the policy; `registry.tokens` makes and reads access tokens."""
    config.registry.tokens = Tokens(config.registry.pipeline)
    config.set_security_policy(SecurityPolicy())
    config.set_default_permission(Needed(ADMIN, (PERSON,)))
