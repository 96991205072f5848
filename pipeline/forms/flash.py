"""The refused input of a step, for the page after the redirect. Redis keeps it for a minute, until it is read."""

import secrets
from collections.abc import Sequence
from typing import Any, NamedTuple

import redis

from pipeline.database import dumps, loads
from pipeline.forms.reading import Typed
from pipeline.forms.visit import stored_under
from pipeline.http.core.request import Request
from pipeline.validation import Violation

NAME, PREFIX, SECONDS, LARGEST = "_flash", "pipeline:flash", 60, 64 * 1024


class LinkRequest(NamedTuple):
    """The address typed for a link to continue."""

    email: str = ""
    wrong: bool = False


class Refusal(NamedTuple):
    """`typed`: input of the step; `later`: a refused request for a link."""

    typed: Typed = Typed({}, {}, [])
    violations: Sequence[Violation] = ()
    later: LinkRequest | None = None


NOTHING = Refusal()


def store(request: Request, refusal: Refusal) -> str | None:
    """Stores a Refusal and returns its name; None without Redis, or if it is too large."""
    # Of saved answers only the keys matter.
    typed = [dict.fromkeys(refusal.typed.patch), refusal.typed.refused]
    body = dumps([typed, [list(violation) for violation in refusal.violations], refusal.later and list(refusal.later)])
    name = secrets.token_urlsafe(18)
    return name if len(body) <= LARGEST and put(request, name, body, SECONDS) else None


def pop(request: Request) -> Refusal:
    """Returns and deletes the Refusal that the query names, if any."""
    name = request.GET.get(NAME)
    if name is None or request.method != "GET":
        return NOTHING
    body = find(request, name[:99], delete=True)
    if body is None:
        return NOTHING
    (patch, refused), violations, later = loads(body)
    found = [Violation(*violation) for violation in violations]
    return Refusal(Typed(patch, refused, []), found, LinkRequest(*later) if later else None)


def put(request: Request, name: str, body: bytes, seconds: int) -> bool:
    """Stores a body for this path; False without Redis."""
    limits = request.registry.limits
    if limits.redis is None or limits.away:
        return False
    try:
        limits.redis.set(_key(request, name), body, ex=seconds)
    except redis.RedisError:
        return False
    return True


def find(request: Request, name: str, delete: bool = False) -> bytes | None:
    """Returns a stored body; None without Redis."""
    limits = request.registry.limits
    if limits.redis is None or limits.away:
        return None
    try:
        body: Any = (limits.redis.getdel if delete else limits.redis.get)(_key(request, name))
    except redis.RedisError:
        return None
    return body


def _key(request: Request, name: str) -> str:
    return f"{PREFIX}:{stored_under(request.path)}:{name}"
