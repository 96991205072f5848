"""Rate limits, counted over all processes (counts.py)."""

import hashlib
import math
from datetime import UTC, datetime, timedelta
from typing import NamedTuple
from wsgiref.types import WSGIEnvironment

from pyramid.config import Configurator

from pipeline.http.clients import client_address
from pipeline.http.fairness.counts import PREFIX, Counts
from pipeline.http.request import Request
from pipeline.process.settings import SettingsError
from pipeline.validation.emails import email_key
from pipeline.validation.errors import Problem

MINUTE, HOUR = 60, 3600
# Visitors who begin a public form, for each lead of the capture quotas.
DRAFTS_PER_LEAD = 5
# The same for MiB of files.
FILE_MIB_PER_LEAD = 2
SPENT = "pipeline.spent"
CAPTURED = "pipeline.captured"


class Bucket(NamedTuple):
    """A limit: `quota` requests in `window` seconds."""

    name: str
    quota: int
    window: int


PUBLIC_FORMS = Bucket("public-forms", 100, 10 * MINUTE)
# Per invite, and per network address, which an office may share.
FORM_INVITE = Bucket("form-invite", 300, 10 * MINUTE)
FORM_ADDRESS = Bucket("form-address", 2000, 10 * MINUTE)
FORM_DRAFTS = Bucket("form-drafts", 50, 10 * MINUTE)
# Codes to a signer, for each link and address: others may still ask for theirs.
SIGNING_CODES = Bucket("signing-codes", 10, 24 * HOUR)
# Emailed links to continue a public form, per organization and email address.
LINKS = Bucket("links", 5, 24 * HOUR)
# Per organization. Further ones leave one after another, so that codes and invites do not wait behind them.
LINKS_AT_ONCE = Bucket("links-at-once", 5, MINUTE)
LINKS_A_SECOND = 1
# MiB of files of drafts.
FORM_FILES = Bucket("form-files", 100, 10 * MINUTE)
# Checks of signed files.
VERIFICATION = Bucket("verification", 30, 10 * MINUTE)
PUBLIC_SUBMITS = Bucket("public-submits", 20, 10 * MINUTE)
LOGIN_CLIENT = Bucket("login-client", 30, 10 * MINUTE)
# Few per client against guessing; many over all clients, so that strangers cannot lock out the owner.
LOGIN_FAILED = Bucket("login-failed", 10, 10 * MINUTE)
LOGIN_ADDRESS = Bucket("login-address", 100, 10 * MINUTE)
REFRESH = Bucket("refresh", 60, 10 * MINUTE)
LOGOUT = Bucket("logout", 60, 10 * MINUTE)
ACTIVATION = Bucket("activation", 60, 10 * MINUTE)
FORGOT = Bucket("forgot", 60, 10 * MINUTE)
BOUNCES = Bucket("bounces", 1200, MINUTE)
RESET = Bucket("reset", 60, 10 * MINUTE)
# Limits guessing with a stolen access token.
PASSWORD = Bucket("password", 10, 10 * MINUTE)
# Per organization and email address.
INVITATIONS = Bucket("invitations", 5, 24 * HOUR)
USER = Bucket("user", 1200, MINUTE)
KEY = Bucket("key", 1200, MINUTE)
# An unknown key costs a query.
UNKNOWN_KEY = Bucket("unknown-key", 60, 10 * MINUTE)


class BucketState(NamedTuple):
    """A bucket's remaining requests, and seconds of its window."""

    bucket: Bucket
    quota: int
    remaining: int
    seconds: int


def count_request(request: Request, bucket: Bucket, who: str | int | None = None) -> None:
    """Count the request, once per bucket; raises 429.

    who: the owner, by default the network address.
    """
    spent = request.environ.setdefault(SPENT, {})
    if bucket.name in spent:
        return
    left, spent[bucket.name] = _count(request, bucket, who or client_address(request))
    _check(left, spent[bucket.name])


def count_again(request: Request, times: int) -> None:
    """Count the request `times` more for its caller; raises 429."""
    caller = request.caller
    bucket, who = (USER, caller.user_id) if caller.key_id is None else (KEY, caller.key_id)
    left, spent = _count(request, bucket, who, times)
    request.environ[SPENT][bucket.name] = spent
    _check(left, spent)


def spend_capture(request: Request, template_id: int, organization_id: int) -> None:
    """Count a lead for its form and organization, once per request, before storing it; raises 429."""
    if CAPTURED in request.environ:
        return
    request.environ[CAPTURED] = True
    _spend_quotas(request, "capture", 1, template_id, organization_id)


def spend_draft(request: Request, template_id: int, organization_id: int) -> None:
    """Count a new draft for its address, form and organization; raises 429."""
    count_request(request, FORM_DRAFTS)
    _spend_quotas(request, "draft", DRAFTS_PER_LEAD, template_id, organization_id)


def spend_file(request: Request, size: int, template_id: int, organization_id: int) -> None:
    """Count a file's MiB for a draft's address, form and organization; raises 429."""
    size_mib = math.ceil(size / (1024 * 1024))
    _check(*_count(request, FORM_FILES, client_address(request), size_mib))
    _spend_quotas(request, "file", FILE_MIB_PER_LEAD, template_id, organization_id, size_mib)


def spend_link(request: Request, email: str, organization_id: int) -> datetime | None:
    """Count a link that a stranger has emailed, for its address and organization; raises 429.

    When the email may leave; None for now.
    """
    daily = Bucket("link-organization", request.registry.pipeline.mail_quota_per_day, 24 * HOUR)
    _check(*_count(request, LINKS, f"{organization_id}:{digest(email)}"))
    _check(*_count(request, daily, organization_id), "mail_quota")
    left, _spent = _count(request, LINKS_AT_ONCE, organization_id)
    return datetime.now(UTC) + timedelta(seconds=-left / LINKS_A_SECOND) if left < 0 else None


def _spend_quotas(
    request: Request, kind: str, times: int, template_id: int, organization_id: int, amount: int = 1
) -> None:
    settings = request.registry.pipeline
    for bucket, who in (
        (Bucket(f"{kind}-form", times * settings.capture_quota_per_form, HOUR), template_id),
        (Bucket(f"{kind}-organization", times * settings.capture_quota_per_organization, HOUR), organization_id),
    ):
        _check(*_count(request, bucket, who, amount), "capture_quota")


def give_back(request: Request, bucket: Bucket, who: str | None = None) -> None:
    """Take back the count of `count_request`."""
    _left, request.environ[SPENT][bucket.name] = _count(request, bucket, who or client_address(request), -1)


def uncount_request(request: Request, bucket: Bucket) -> None:
    """Take back the count and its headers."""
    give_back(request, bucket)
    del request.environ[SPENT][bucket.name]


def _count(request: Request, bucket: Bucket, who: str | int | None, step: int = 1) -> tuple[int, BucketState]:
    """(requests left, perhaps negative; BucketState)."""
    registry = request.registry
    counts: Counts = registry.limits
    quota = bucket.quota * registry.pipeline.rate_limit_factor
    key, window = f"{PREFIX}:{bucket.name}:{who}", bucket.window * 1000
    if bucket in (USER, KEY):
        count, milliseconds = counts.count_ahead(key, window, quota, step)
    else:
        count, milliseconds = counts.count(key, window, step)
    seconds = max(1, math.ceil(milliseconds / 1000))
    return quota - count, BucketState(bucket, quota, max(0, quota - count), seconds)


def _check(left: int, spent: BucketState, code: str = "rate_limited") -> None:
    if left < 0:
        raise Problem(code, f"Try again in {spent.seconds} seconds.", headers={"Retry-After": str(spent.seconds)})


def digest(text: str) -> str:
    """A hash of an email address."""
    return hashlib.blake2b(email_key(text).encode(), digest_size=16).hexdigest()


def headers(environ: WSGIEnvironment) -> dict[str, str]:
    """The `RateLimit-Policy` and `RateLimit` headers (IETF draft)."""
    spent = environ.get(SPENT)
    if not spent:
        return {}
    policies = (f'"{item.bucket.name}";q={item.quota};w={item.bucket.window}' for item in spent.values())
    left = (f'"{item.bucket.name}";r={item.remaining};t={item.seconds}' for item in spent.values())
    return {"RateLimit-Policy": ", ".join(policies), "RateLimit": ", ".join(left)}


def includeme(config: Configurator) -> None:
    """Set `registry.limits`; raises SettingsError for an invalid REDIS_URL."""
    try:
        config.registry.limits = Counts(config.registry.pipeline.redis_url)
    except ValueError as error:
        raise SettingsError(f"Setting REDIS_URL is not the URL of a Redis server: {error}") from None
