"""How often something was asked for lately, counted in Redis over all processes; rate limits rest on it.

A window begins with a client's first request and ends a fixed time later; until then its quota counts down. One Lua
script counts and tells how long the window still lasts: one round trip, and exact however many requests arrive at
once. While Redis is away each process counts by itself, and a thread of its own looks for Redis, so that no
request waits for it.

Who asks again and again is counted ahead where the quota is large: a process takes a few requests from it at once, and
asks Redis again when they have come. What is taken is counted, so all processes together let no more through.
"""

import threading
import time
from dataclasses import dataclass

import redis
import structlog
from redis.backoff import NoBackoff
from redis.maint_notifications import MaintNotificationsConfig
from redis.retry import Retry

from pipeline.telemetry.metrics import limits_alone

# What a request waits for Redis at most, once; then Redis counts as away.
PATIENCE = 0.1
# How often Redis is looked for while it is away.
PROBE_SECONDS = 0.5
# A process that counts by itself forgets ended windows when it holds this many.
CROWDED = 10_000
PREFIX = "pipeline:limit"
# So many requests are counted ahead at most, and at most this part of what is left of the quota: its end is counted one
# by one, and what one process has taken and another one lacks is little.
AHEAD, PART = 16, 64

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


class OwnCounts:
    """Counts of this process alone."""

    def __init__(self) -> None:
        self.windows: dict[str, tuple[int, float]] = {}
        self.lock, self.crowd = threading.Lock(), CROWDED

    def count(self, key: str, window: int, step: int = 1) -> tuple[int, float]:
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


@dataclass(slots=True)
class Taken:
    """What a process has taken of a key's quota until `end` (monotonic milliseconds), the end of the window.

    count: how many requests Redis has let through; left: those of them that this process has taken and that have not
    come yet; come: those that came here; asked: whether a thread is about to take more.
    """

    end: float
    count: int = 0
    left: int = 0
    come: int = 0
    asked: bool = False


class Counts:
    """Counts in Redis, or in this process while Redis is away (or not configured: an empty URL)."""

    def __init__(self, url: str) -> None:
        self.own, self.away = OwnCounts(), True
        self.taken: dict[str, Taken] = {}
        self.redis: redis.Redis | None = None
        self.lock, self.closed, self.thread = threading.Lock(), threading.Event(), threading.local()
        if url:
            # What a restart of Redis has cut is opened anew at once; after a timeout it is not tried again.
            again = Retry(NoBackoff(), 1, supported_errors=(redis.ConnectionError,))
            # Maintenance notifications would keep a connection open after its thread has ended.
            quiet = MaintNotificationsConfig(enabled=False)
            self.redis = redis.Redis.from_url(
                url,
                socket_timeout=PATIENCE,
                socket_connect_timeout=PATIENCE,
                retry=again,
                maint_notifications_config=quiet,
            )
            self.script, self.pool = self.redis.register_script(COUNT), self.redis.connection_pool
            self.away = False

    def count(self, key: str, window: int, step: int = 1) -> tuple[int, float]:
        """(count with this request, milliseconds until the window of `window` milliseconds ends); -1 takes it back."""
        if not self.away:
            try:
                return self._count_there(key, window, step)
            except redis.RedisError as error:
                self._leave(error)
        if self.redis is not None:
            limits_alone.inc()
        return self.own.count(key, window, step)

    def count_ahead(self, key: str, window: int, quota: int) -> tuple[int, float]:
        """As `count`, of a key with a large quota; what this process has counted ahead is not in the count.

        Each time twice as many are counted ahead, so that who asks now and then has nothing taken.
        """
        now = time.monotonic() * 1000
        with self.lock:
            taken = self._taken(key, window, now)
            taken.come += 1
            if taken.left:
                taken.left -= 1
                return taken.count - taken.left, taken.end - now
            ahead = 0 if taken.asked else max(0, min(AHEAD, taken.come - 1, (quota - taken.count) // PART))
            taken.asked = taken.asked or ahead > 0
        count, milliseconds = self.count(key, window, 1 + ahead)
        granted = ahead - max(0, count - quota)
        with self.lock:
            # Never later: an answer that belongs to the next window gives nothing to this one.
            taken.end = min(taken.end, now + milliseconds)
            taken.count = min(max(taken.count, count), quota)
            taken.left += max(0, granted)
            taken.asked = taken.asked and not ahead
        return (count if granted < 0 else min(count, quota) - granted), milliseconds

    def _taken(self, key: str, window: int, now: float) -> Taken:
        """The Taken of a key's present window; a process that knows too many of them begins anew."""
        taken = self.taken.get(key)
        if taken is None or taken.end <= now:
            if len(self.taken) >= CROWDED:
                self.taken.clear()
            taken = self.taken[key] = Taken(now + window)
        return taken

    def _count_there(self, key: str, window: int, step: int) -> tuple[int, int]:
        try:
            return self._ask(key, window, step)
        except redis.ConnectionError:
            return self._ask(key, window, step)  # what a restart of Redis has cut is opened anew at once

    def _ask(self, key: str, window: int, step: int) -> tuple[int, int]:
        """The script's answer over a connection of this thread's own: half the cost of the client's pool.

        The pool must not know it: it would keep the connections of threads that the web server has ended.
        """
        connection = getattr(self.thread, "connection", None)
        if connection is None:
            connection = self.thread.connection = self.pool.connection_class(**self.pool.connection_kwargs)
        try:
            connection.send_command("EVALSHA", self.script.sha, 1, key, window, step)
            count, left = connection.read_response()
        except redis.exceptions.NoScriptError:
            connection.send_command("EVAL", COUNT, 1, key, window, step)
            count, left = connection.read_response()
        return count, left

    def _leave(self, error: redis.RedisError) -> None:
        """Count alone from now on, until a thread has found Redis again."""
        with self.lock:
            if self.away:
                return
            self.away = True
        log.warning("rate limits without redis", error=type(error).__name__)
        threading.Thread(target=self._look_for_redis, name="redis-probe", daemon=True).start()

    def _look_for_redis(self) -> None:
        while not self.closed.wait(PROBE_SECONDS):
            try:
                self.script([f"{PREFIX}:probe"], [1000, 1])
            except redis.RedisError:
                continue
            self.away = False
            log.info("rate limits with redis again")
            return

    def close(self) -> None:
        """Close the connections."""
        self.closed.set()
        if self.redis is not None:
            self.redis.close()
