"""Rate limits: how often one client may ask. They are counted over all processes (counts.py)."""

import hashlib
import math
from typing import NamedTuple
from wsgiref.types import WSGIEnvironment

from pyramid.config import Configurator

from pipeline.errors import Problem
from pipeline.http.clients import client_address
from pipeline.http.counts import PREFIX, Counts
from pipeline.http.request import Request
from pipeline.settings import SettingsError
from pipeline.validation.emails import email_key

MINUTE, HOUR = 60, 3600
SPENT = "pipeline.spent"
CAPTURED = "pipeline.captured"


class Bucket(NamedTuple):
    """A limit: its name in headers, how many requests (`quota`) in how many seconds (`window`).

    ahead: whether a process may count a few requests before they come; such a count is not given back.
    """

    name: str
    quota: int
    window: int
    ahead: bool = False


PUBLIC_FORMS = Bucket("public-forms", 100, 10 * MINUTE)
# The hosted pages and what their own module saves: of one invite, and of one address, which a whole office may share.
FORM_INVITE = Bucket("form-invite", 300, 10 * MINUTE)
FORM_ADDRESS = Bucket("form-address", 2000, 10 * MINUTE)
PUBLIC_SUBMITS = Bucket("public-submits", 20, 10 * MINUTE)
LOGIN_CLIENT = Bucket("login-client", 30, 10 * MINUTE)
# Of failed logins: few for one address from one place, so that guessing is hopeless; many for one address from all
# places together, so that strangers cannot lock its owner out with a handful of requests.
LOGIN_FAILED = Bucket("login-failed", 10, 10 * MINUTE)
LOGIN_ADDRESS = Bucket("login-address", 100, 10 * MINUTE)
REFRESH = Bucket("refresh", 60, 10 * MINUTE)
LOGOUT = Bucket("logout", 60, 10 * MINUTE)
ACTIVATION = Bucket("activation", 60, 10 * MINUTE)
FORGOT = Bucket("forgot", 60, 10 * MINUTE)
RESET = Bucket("reset", 60, 10 * MINUTE)
# Who holds somebody's access token must not guess the password behind it.
PASSWORD = Bucket("password", 10, 10 * MINUTE)
# One organization sends one address no flood of emails, however it goes about it.
INVITATIONS = Bucket("invitations", 5, 24 * 60 * MINUTE)
USER = Bucket("user", 1200, MINUTE, ahead=True)
KEY = Bucket("key", 1200, MINUTE, ahead=True)
# Of keys that never were: guessing is hopeless, but each try asks the database.
UNKNOWN_KEY = Bucket("unknown-key", 60, 10 * MINUTE)


class Spent(NamedTuple):
    """What a request has found in a bucket: requests left, whole seconds until the window ends."""

    bucket: Bucket
    quota: int
    remaining: int
    seconds: int


def spend(request: Request, bucket: Bucket, who: str | None = None) -> None:
    """Count the request against a bucket; raises the 429 with Retry-After when nothing is left.

    `who` is whom the bucket belongs to: a user's id or an email address (as text), or left out for the client's
    network address. A second call in the same request is not counted.
    """
    spent = request.environ.setdefault(SPENT, {})
    if bucket.name in spent:
        return
    left, spent[bucket.name] = _count(request, bucket, who or client_address(request))
    if left < 0:
        raise _refused("rate_limited", spent[bucket.name])


def spend_capture(request: Request, template_id: int, organization_id: int) -> None:
    """Count a lead that is about to be captured; raises the 429 when its form, or its organization, takes no more.

    For what would be stored alone: what is refused for another reason, or thrown away, takes nothing from others. A
    form beyond its own quota takes nothing from its organization's either. No header tells a stranger what is left. A
    second call in the same request is not counted.
    """
    if CAPTURED in request.environ:
        return
    request.environ[CAPTURED] = True
    settings = request.registry.pipeline
    for bucket, who in (
        (Bucket("capture-form", settings.capture_quota_per_form, HOUR), template_id),
        (Bucket("capture-organization", settings.capture_quota_per_organization, HOUR), organization_id),
    ):
        left, spent = _count(request, bucket, who)
        if left < 0:
            raise _refused("capture_quota", spent)


def give_back(request: Request, bucket: Bucket, who: str | None = None) -> None:
    """Take back what `spend` has counted: the request was none of those that the bucket is for."""
    _left, request.environ[SPENT][bucket.name] = _count(request, bucket, who or client_address(request), -1)


def forgive(request: Request, bucket: Bucket) -> None:
    """Take back what `spend` has counted to the client's address, and say nothing of it in the answer."""
    give_back(request, bucket)
    del request.environ[SPENT][bucket.name]


def _count(request: Request, bucket: Bucket, who: str | int, step: int = 1) -> tuple[int, Spent]:
    """(requests of `who` left in a bucket, negative for too many; the Spent of it) after a change of its count."""
    registry = request.registry
    quota = bucket.quota * registry.pipeline.rate_limit_factor
    key = f"{PREFIX}:{bucket.name}:{who}"
    if bucket.ahead:
        count, milliseconds = registry.limits.count_ahead(key, bucket.window * 1000, quota)
    else:
        count, milliseconds = registry.limits.count(key, bucket.window * 1000, step)
    seconds = max(1, math.ceil(milliseconds / 1000))
    return quota - count, Spent(bucket, quota, max(0, quota - count), seconds)


def _refused(code: str, spent: Spent) -> Problem:
    return Problem(code, f"Try again in {spent.seconds} seconds.", headers={"Retry-After": str(spent.seconds)})


def digest(text: str) -> str:
    """A stand-in for a personal word (an email address), which Redis need not know: that of its `email_key`."""
    return hashlib.blake2b(email_key(text).encode(), digest_size=16).hexdigest()


def headers(environ: WSGIEnvironment) -> dict[str, str]:
    """`RateLimit-Policy` and `RateLimit` (the IETF draft's structured fields) of an answer; none if none counted."""
    spent = environ.get(SPENT)
    if not spent:
        return {}
    policies = (f'"{item.bucket.name}";q={item.quota};w={item.bucket.window}' for item in spent.values())
    left = (f'"{item.bucket.name}";r={item.remaining};t={item.seconds}' for item in spent.values())
    return {"RateLimit-Policy": ", ".join(policies), "RateLimit": ", ".join(left)}


def includeme(config: Configurator) -> None:
    """Set up the counting: `registry.limits`; raises SettingsError for a REDIS_URL that is none."""
    try:
        config.registry.limits = Counts(config.registry.pipeline.redis_url)
    except ValueError as error:
        raise SettingsError(f"Setting REDIS_URL is not the URL of a Redis server: {error}") from None
