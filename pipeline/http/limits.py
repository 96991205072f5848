"""Rate limits: how often one client may ask, counted in Redis over all processes.

A window begins with a client's first request and ends a fixed time later; until then its quota counts down. One Lua
script counts and tells how long the window still lasts: one round trip, and exact however many requests arrive at
once. While Redis is away each process counts by itself, and a thread of its own looks for Redis, so that no
request waits for it.
"""

import hashlib
import math
import threading
import time
from typing import NamedTuple

import redis
import structlog
from redis.backoff import NoBackoff
from redis.maint_notifications import MaintNotificationsConfig
from redis.retry import Retry

from pipeline.errors import Problem
from pipeline.http.clients import client_address
from pipeline.settings import SettingsError

MINUTE, HOUR = 60, 3600
# What a request waits for Redis at most, once; then Redis counts as away.
PATIENCE = 0.1
# How often Redis is looked for while it is away.
PROBE_SECONDS = 0.5
# A process that counts by itself forgets ended windows when it holds this many.
CROWDED = 10_000
PREFIX = "pipeline:limit"
SPENT = "pipeline.spent"
CAPTURED = "pipeline.captured"

COUNT = """
if tonumber(ARGV[2]) < 0 and redis.call('exists', KEYS[1]) == 0 then
    return {0, tonumber(ARGV[1])}
end
local count = redis.call('incrby', KEYS[1], ARGV[2])
local left = redis.call('pttl', KEYS[1])
if left < 0 then
    redis.call('pexpire', KEYS[1], ARGV[1])
    left = tonumber(ARGV[1])
end
return {count, left}
"""

log = structlog.get_logger(__name__)


class Bucket(NamedTuple):
    """A limit: its name in headers, how many requests (`quota`) in how many seconds (`window`)."""

    name: str
    quota: int
    window: int


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
USER = Bucket("user", 1200, MINUTE)
KEY = Bucket("key", 1200, MINUTE)
# Of keys that never were: guessing is hopeless, but each try asks the database.
UNKNOWN_KEY = Bucket("unknown-key", 60, 10 * MINUTE)


class Spent(NamedTuple):
    """What a request has found in a bucket: requests left, whole seconds until the window ends."""

    bucket: Bucket
    quota: int
    remaining: int
    seconds: int


def spend(request, bucket, who=None):
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


def spend_capture(request, template_id, organization_id):
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


def give_back(request, bucket, who=None):
    """Take back what `spend` has counted: the request was none of those that the bucket is for."""
    _left, request.environ[SPENT][bucket.name] = _count(request, bucket, who or client_address(request), -1)


def forgive(request, bucket):
    """Take back what `spend` has counted to the client's address, and say nothing of it in the answer."""
    give_back(request, bucket)
    del request.environ[SPENT][bucket.name]


def _count(request, bucket, who, step=1):
    """(requests of `who` left in a bucket, negative for too many; the Spent of it) after a change of its count."""
    registry = request.registry
    quota = bucket.quota * registry.pipeline.rate_limit_factor
    key = f"{PREFIX}:{bucket.name}:{who}"
    count, milliseconds = registry.limits.count(key, bucket.window * 1000, step)
    seconds = max(1, math.ceil(milliseconds / 1000))
    return quota - count, Spent(bucket, quota, max(0, quota - count), seconds)


def _refused(code, spent):
    return Problem(code, f"Try again in {spent.seconds} seconds.", headers={"Retry-After": str(spent.seconds)})


def digest(text):
    """A stand-in for a personal word (an email address), which Redis need not know; upper and lower case are equal."""
    return hashlib.blake2b(text.strip().casefold().encode(), digest_size=16).hexdigest()


def headers(environ):
    """`RateLimit-Policy` and `RateLimit` (the IETF draft's structured fields) of an answer; none if none counted."""
    spent = environ.get(SPENT)
    if not spent:
        return {}
    policies = (f'"{item.bucket.name}";q={item.quota};w={item.bucket.window}' for item in spent.values())
    left = (f'"{item.bucket.name}";r={item.remaining};t={item.seconds}' for item in spent.values())
    return {"RateLimit-Policy": ", ".join(policies), "RateLimit": ", ".join(left)}


class OwnCounts:
    """Counts of this process alone."""

    def __init__(self):
        self.windows, self.lock, self.crowd = {}, threading.Lock(), CROWDED

    def count(self, key, window, step=1):
        """(count with this request, milliseconds until the window of `window` milliseconds ends); -1 takes it back."""
        now = time.monotonic() * 1000
        with self.lock:
            if len(self.windows) > self.crowd:
                self.windows = {name: item for name, item in self.windows.items() if item[1] > now}
                self.crowd = max(CROWDED, 2 * len(self.windows))
            count, end = self.windows.get(key, (0, 0))
            if end <= now:
                count, end = 0, now + window
            count = max(0, count + step)
            self.windows[key] = count, end
        return count, end - now


class Counts:
    """Counts in Redis, or in this process while Redis is away (or not configured: an empty URL)."""

    def __init__(self, url):
        self.own, self.redis, self.away = OwnCounts(), None, True
        self.lock, self.closed, self.thread = threading.Lock(), threading.Event(), threading.local()
        if url:
            # What a restart of Redis has cut is opened anew at once; after a timeout it is not tried again.
            again = Retry(NoBackoff(), 1, supported_errors=(redis.ConnectionError,))
            # Its notifications would tie a connection to a cycle that outlives the thread.
            quiet = MaintNotificationsConfig(enabled=False)
            self.redis = redis.Redis.from_url(
                url,
                socket_timeout=PATIENCE,
                socket_connect_timeout=PATIENCE,
                retry=again,
                maint_notifications_config=quiet,
            )
            self.script = self.redis.register_script(COUNT)
            self.away = False

    def count(self, key, window, step=1):
        """(count with this request, milliseconds until the window of `window` milliseconds ends); -1 takes it back."""
        if not self.away:
            try:
                return self._count_there(key, window, step)
            except redis.RedisError as error:
                self._leave(error)
        return self.own.count(key, window, step)

    def _count_there(self, *counted):
        try:
            return self._ask(*counted)
        except redis.ConnectionError:
            return self._ask(*counted)  # what a restart of Redis has cut is opened anew at once

    def _ask(self, key, window, step):
        """The script's answer over a connection of this thread's own: half the cost of the client's pool.

        The pool must not know it: it would keep the connections of threads that the web server has ended.
        """
        connection = getattr(self.thread, "connection", None)
        if connection is None:
            pool = self.redis.connection_pool
            connection = self.thread.connection = pool.connection_class(**pool.connection_kwargs)
        try:
            connection.send_command("EVALSHA", self.script.sha, 1, key, window, step)
            return connection.read_response()
        except redis.exceptions.NoScriptError:
            connection.send_command("EVAL", COUNT, 1, key, window, step)
            return connection.read_response()

    def _leave(self, error):
        """Count alone from now on, until a thread has found Redis again."""
        with self.lock:
            if self.away:
                return
            self.away = True
        log.warning("rate limits without redis", error=type(error).__name__)
        threading.Thread(target=self._look_for_redis, name="redis-probe", daemon=True).start()

    def _look_for_redis(self):
        while not self.closed.wait(PROBE_SECONDS):
            try:
                self.script([f"{PREFIX}:probe"], [1000, 1])
            except redis.RedisError:
                continue
            self.away = False
            log.info("rate limits with redis again")
            return

    def close(self):
        """Close the connections."""
        self.closed.set()
        if self.redis is not None:
            self.redis.close()


def includeme(config):
    """Set up the counting: `registry.limits`; raises SettingsError for a REDIS_URL that is none."""
    try:
        config.registry.limits = Counts(config.registry.pipeline.redis_url)
    except ValueError as error:
        raise SettingsError(f"Setting REDIS_URL is not the URL of a Redis server: {error}") from None
