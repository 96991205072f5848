"""Authentication by access token or API key.

Limits precede any query, so each process caches the owners of API keys; the database decides on their validity.
"""

import re
import time
from typing import NamedTuple

import psycopg
import structlog
from pyramid.config import Configurator
from pyramid.registry import Registry

from pipeline.database import Database, queries
from pipeline.http.fairness import limits, slots
from pipeline.http.request import Request
from pipeline.http.security import Claims, Identity, secret_hash
from pipeline.validation.errors import Problem

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


class KnownKeys:
    """A cache of key owners and of the minutes of use."""

    def __init__(self) -> None:
        self.owners: dict[str, Owner] = {}
        self.minutes: dict[Owner, int] = {}

    def remember(self, hashed: str, owner: Owner) -> None:
        if len(self.owners) >= MOST_KEYS:
            self.owners, self.minutes = {}, {}
        self.owners[hashed] = owner

    def is_new_minute(self, owner: Owner) -> bool:
        """Whether this is the key's first use of this minute in this process."""
        minute = int(time.time() // 60)
        known, self.minutes[owner] = self.minutes.get(owner), minute
        return known != minute


class Key(NamedTuple):
    """An API key's hash, and its owner if cached."""

    hashed: str
    owner: Owner | None


Credentials = Claims | Key


def credentials(registry: Registry, authorization: str | None) -> Credentials:
    """The Credentials of an Authorization header; raises 401."""
    scheme, _, token = (authorization or "").partition(" ")
    token = token.strip()
    if scheme.lower() != "bearer" or not token:
        raise Problem("unauthenticated")
    if not token.startswith(KEY_PREFIX):
        return registry.tokens.read(token)
    if not _KEY.fullmatch(token):
        raise Problem("unauthenticated", "The token is not a valid API key.")
    hashed = secret_hash(token)
    known: KnownKeys = registry.known_keys
    return Key(hashed, known.owners.get(hashed))


def count(request: Request, given: Credentials, heavy: str | None) -> None:
    """Count the request for its caller and organization, an unknown key for its network address; raises 429."""
    if isinstance(given, Claims):
        _count(request, given.organization_id, heavy, limits.USER, given.user_id)
    elif given.owner is None:
        limits.count_request(request, limits.UNKNOWN_KEY)
    else:
        _count(request, given.owner[0], heavy, limits.KEY, given.owner[1])


def database_of(app: Database, given: Credentials) -> Database:
    """The pool of the organization's server; raises psycopg.OperationalError if it does not know who has signed out."""
    if isinstance(given, Claims):
        app.check_lag(given.organization_id)
        return app.of(given.organization_id)
    return app.of(given.owner[0]) if given.owner else app.holding(KEY, given.hashed)


def identify(request: Request, given: Credentials, heavy: str | None) -> None:
    """Set `request.caller`; raises 401."""
    caller = request.caller = _person(given) if isinstance(given, Claims) else _program(request, given, heavy)
    who = {"key_id": caller.key_id} if caller.user_id is None else {"user_id": caller.user_id}
    structlog.contextvars.bind_contextvars(organization_id=caller.organization_id, **who)


def known_organization(registry: Registry, authorization: str | None) -> int | None:
    """The organization of a valid access token, or of a cached API key; without a query."""
    try:
        given = credentials(registry, authorization)
    except Problem:
        return None
    if isinstance(given, Claims):
        return given.organization_id
    return given.owner and given.owner[0]


def _person(claims: Claims) -> Identity:
    seat = queries.authenticate(
        user_id=claims.user_id, organization_id=claims.organization_id, session_id=claims.session_id
    )
    if seat is None:
        raise Problem("unauthenticated")
    return Identity(seat["user_id"], seat["organization_id"], seat["role"], claims.session_id)


def _program(request: Request, key: Key, heavy: str | None) -> Identity:
    known: KnownKeys = request.registry.known_keys
    owner = key.owner
    found = queries.authenticate_key(key_hash=key.hashed)
    if found is None:
        raise Problem("unauthenticated", "The API key does not exist.")
    if owner is None:
        limits.uncount_request(request, limits.UNKNOWN_KEY)
        owner = found["organization_id"], found["key_id"]
        known.remember(key.hashed, owner)
        _count(request, owner[0], heavy, limits.KEY, owner[1])
    if not found["good"]:
        raise Problem("unauthenticated", "The API key is revoked or has expired.")
    if known.is_new_minute(owner):
        request.add_finished_callback(lambda request: _note_use(request.registry.app, owner))
    scopes = frozenset(found["scopes"])
    return Identity(None, found["organization_id"], found["role"], key_id=found["key_id"], scopes=scopes)


def _count(request: Request, organization_id: int, heavy: str | None, bucket: limits.Bucket, who: int) -> None:
    limits.count_request(request, bucket, who)
    slots.share(request, organization_id, heavy)


def _note_use(database: Database, owner: Owner) -> None:
    organization_id, key_id = owner
    try:
        with database.of(organization_id).transaction():
            queries.api_key_used(organization_id=organization_id, key_id=key_id)
    except psycopg.Error as error:
        log.warning("use of a key not noted", key_id=key_id, error=type(error).__name__)


def includeme(config: Configurator) -> None:
    config.registry.known_keys = KnownKeys()
