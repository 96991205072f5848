"""Authentication by access token or API key.

Limits precede any query, so each process caches the owners of API keys; the database decides on their validity.
"""

import re
import time
from collections.abc import Callable
from hashlib import sha256
from typing import Any

import psycopg
import structlog
from pyramid.config import Configurator
from pyramid.registry import Registry
from pyramid.response import Response
from pyramid.viewderivers import INGRESS

from pipeline.database import Database, queries
from pipeline.errors import Problem
from pipeline.http import limits, slots
from pipeline.http.request import Request
from pipeline.http.security import PUBLIC, Identity, Needed, bearer

# An API key's kind for `Database.holding`.
KEY = "api_key"
KEY_PREFIX = "pl_"
KEY_LENGTH = 43
# The cache is cleared at this size.
MOST_KEYS = 10_000
_KEY = re.compile(rf"{KEY_PREFIX}[0-9A-Za-z]{{{KEY_LENGTH}}}", re.ASCII)

# (organization id, key id).
Owner = tuple[int, int]

log = structlog.get_logger(__name__)


def key_hash(key: str) -> str:
    """The SHA-256 of a key, as hexadecimal digits."""
    return sha256(key.encode()).hexdigest()


class KnownKeys:
    """A cache of key owners and of the minutes of use."""

    def __init__(self) -> None:
        self.owners: dict[str, Owner] = {}
        self.minutes: dict[Owner, int] = {}

    def owner(self, hashed: str) -> Owner | None:
        """The key's owner, or None."""
        return self.owners.get(hashed)

    def remember(self, hashed: str, owner: Owner) -> None:
        """Cache a key's owner."""
        if len(self.owners) >= MOST_KEYS:
            self.owners, self.minutes = {}, {}
        self.owners[hashed] = owner

    def is_new_minute(self, owner: Owner) -> bool:
        """Whether this process sees the key's first use in this minute."""
        minute = int(time.time() // 60)
        known, self.minutes[owner] = self.minutes.get(owner), minute
        return known != minute


def authenticate(request: Request) -> None:
    """Set `request.caller` and begin its transaction; raises 401 or 429."""
    token = bearer(request.environ.get("HTTP_AUTHORIZATION"))
    find = _program if token.startswith(KEY_PREFIX) else _person
    caller = request.caller = find(request, token)
    who = {"key_id": caller.key_id} if caller.user_id is None else {"user_id": caller.user_id}
    structlog.contextvars.bind_contextvars(organization_id=caller.organization_id, **who)


def known_organization(registry: Registry, authorization: str | None) -> int | None:
    """The organization of a valid access token, or of an API key that this process knows; asks no database."""
    try:
        token = bearer(authorization)
        if not token.startswith(KEY_PREFIX):
            return int(registry.tokens.read(token).organization_id)
    except Problem:
        return None
    owner = registry.known_keys.owner(key_hash(token))
    return owner and owner[0]


def again(request: Request, permission: str | Needed, commit: bool) -> None:
    """End the transaction and begin another as the same caller."""
    request.transaction.end(commit)
    if permission != PUBLIC:
        authenticate(request)
        request.has_permission(permission)


def _person(request: Request, token: str) -> Identity:
    claims = request.registry.tokens.read(token)
    _count(request, limits.USER, claims.user_id, claims.organization_id)
    request.transaction.begin(request.registry.app.of(claims.organization_id))
    seat = queries.authenticate(
        user_id=claims.user_id, organization_id=claims.organization_id, session_id=claims.session_id
    )
    if seat is None:
        raise Problem("unauthenticated")
    return Identity(seat["user_id"], seat["organization_id"], seat["role"], claims.session_id)


def _program(request: Request, key: str) -> Identity:
    """The Identity of an API key; unknown keys are limited by network address."""
    if not _KEY.fullmatch(key):
        raise Problem("unauthenticated", "The token is not a valid API key.")
    known, hashed = request.registry.known_keys, key_hash(key)
    owner = known.owner(hashed)
    if owner is None:
        limits.spend(request, limits.UNKNOWN_KEY)
    else:
        _count(request, limits.KEY, owner[1], owner[0])
    app = request.registry.app
    request.transaction.begin(app.of(owner[0]) if owner else app.holding(KEY, hashed))
    found = queries.authenticate_key(key_hash=hashed)
    if found is None:
        raise Problem("unauthenticated", "The API key does not exist.")
    if owner is None:
        limits.forgive(request, limits.UNKNOWN_KEY)
        owner = found["organization_id"], found["key_id"]
        known.remember(hashed, owner)
        _count(request, limits.KEY, owner[1], owner[0])
    if not found["good"]:
        raise Problem("unauthenticated", "The API key is revoked or has expired.")
    if known.is_new_minute(owner):
        request.add_finished_callback(lambda request: _note_use(request.registry.app, owner))
    scopes = frozenset(found["scopes"])
    return Identity(None, found["organization_id"], found["role"], key_id=found["key_id"], scopes=scopes)


def _count(request: Request, bucket: limits.Bucket, who: int, organization_id: int) -> None:
    limits.spend(request, bucket, str(who))
    slots.share(request, organization_id)


def _note_use(database: Database, owner: Owner) -> None:
    organization_id, key_id = owner
    try:
        with database.of(organization_id).transaction():
            queries.api_key_used(organization_id=organization_id, key_id=key_id)
    except psycopg.Error as error:
        log.warning("use of a key not noted", key_id=key_id, error=type(error).__name__)


class Authenticating:
    """A view deriver that authenticates callers of non-public views."""

    options = ("heavy",)

    def __call__(self, view: Callable[[Any, Request], Response], info: Any) -> Callable[[Any, Request], Response]:
        """The view behind authentication."""
        if info.exception_only or info.options.get("permission") == PUBLIC:
            return view
        heavy = info.options.get("heavy")

        def authenticated(context: Any, request: Request) -> Response:
            request.heavy = heavy
            authenticate(request)
            return view(context, request)

        return authenticated


def includeme(config: Configurator) -> None:
    """Set `registry.known_keys` and the view deriver."""
    config.registry.known_keys = KnownKeys()
    config.add_view_deriver(Authenticating(), "authenticating", under=INGRESS, over="secured_view")
