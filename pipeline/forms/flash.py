"""The refused input of a step, for the page after the redirect. Redis keeps it for a minute, until it is read."""

import secrets
from collections.abc import Sequence
from typing import NamedTuple

import redis

from pipeline.database import dumps, loads
from pipeline.forms.reading import Typed
from pipeline.forms.visit import stored_under
from pipeline.http.request import Request
from pipeline.validation import Violation

NAME, PREFIX, SECONDS, LARGEST = "_flash", "pipeline:flash", 60, 64 * 1024


class Later(NamedTuple):
    """The address typed for a link to continue."""

    email: str = ""
    wrong: bool = False


class Refusal(NamedTuple):
    """`typed`: input of the step; `later`: a refused request for a link."""

    typed: Typed = Typed({}, {}, [])
    violations: Sequence[Violation] = ()
    later: Later | None = None


NOTHING = Refusal()


def keep(request: Request, refusal: Refusal) -> str | None:
    """Stores a Refusal and returns its name; None without Redis, or if it is too large."""
    # Of saved answers only the keys matter.
    typed = [dict.fromkeys(refusal.typed.patch), refusal.typed.refused]
    body = dumps([typed, [list(violation) for violation in refusal.violations], refusal.later and list(refusal.later)])
    limits = request.registry.limits
    if limits.redis is None or limits.away or len(body) > LARGEST:
        return None
    name = secrets.token_urlsafe(18)
    try:
        limits.redis.set(_key(request, name), body, ex=SECONDS)
    except redis.RedisError:
        return None
    return name


def take(request: Request) -> Refusal:
    """Returns and deletes the Refusal that the query names, if any."""
    name, limits = request.GET.get(NAME), request.registry.limits
    if name is None or request.method != "GET" or limits.redis is None or limits.away:
        return NOTHING
    try:
        body = limits.redis.getdel(_key(request, name[:99]))
    except redis.RedisError:
        return NOTHING
    if body is None:
        return NOTHING
    (patch, refused), violations, later = loads(body)
    found = [Violation(*violation) for violation in violations]
    return Refusal(Typed(patch, refused, []), found, Later(*later) if later else None)


def _key(request: Request, name: str) -> str:
    return f"{PREFIX}:{stored_under(request.path)}:{name}"
