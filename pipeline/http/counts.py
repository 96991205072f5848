"""Request counts for rate limits, in Redis over all processes.

A window begins with its first request. Without Redis each process counts alone. For large quotas a process reserves
several requests at once.
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

# After one wait of this time Redis counts as away.
PATIENCE = 0.1
PROBE_SECONDS = 0.5
# Ended windows are removed above this number.
CROWDED = 10_000
PREFIX = "pipeline:limit"
# At most 16 requests and 1/64 of the rest are reserved, so a quota's end is counted one by one.
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
    """Counts of this process."""

    def __init__(self) -> None:
        self.windows: dict[str, tuple[int, float]] = {}
        self.lock, self.crowd = threading.Lock(), CROWDED

    def count(self, key: str, window: int, step: int = 1) -> tuple[int, float]:
        """(count with this request, milliseconds left) in a `window` of milliseconds; `step` -1 takes one back."""
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
    """Requests reserved until `end` (monotonic milliseconds).

    count: admitted by Redis.
    left: unused.
    come: requests in this process.
    asked: reserving.
    """

    end: float
    count: int = 0
    left: int = 0
    come: int = 0
    asked: bool = False


class Counts:
    """Counts in Redis, or in this process without it."""

    def __init__(self, url: str) -> None:
        self.own, self.away = OwnCounts(), True
        self.taken: dict[str, Taken] = {}
        self.redis: redis.Redis | None = None
        self.lock, self.closed, self.thread = threading.Lock(), threading.Event(), threading.local()
        if url:
            # Retry a connection cut by a restart, but no timeout.
            again = Retry(NoBackoff(), 1, supported_errors=(redis.ConnectionError,))
            # Notifications would keep connections of ended threads open.
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
        """As `OwnCounts.count`."""
        if not self.away:
            try:
                return self._count_there(key, window, step)
            except redis.RedisError as error:
                self._leave(error)
        if self.redis is not None:
            limits_alone.inc()
        return self.own.count(key, window, step)

    def count_ahead(self, key: str, window: int, quota: int) -> tuple[int, float]:
        """As `count`, for a large quota; excludes requests reserved here."""
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
            # Never extend the end: the reply may belong to the next window.
            taken.end = min(taken.end, now + milliseconds)
            taken.count = min(max(taken.count, count), quota)
            taken.left += max(0, granted)
            taken.asked = taken.asked and not ahead
        return (count if granted < 0 else min(count, quota) - granted), milliseconds

    def _taken(self, key: str, window: int, now: float) -> Taken:
        """The Taken of the present window; clears a full cache."""
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
            return self._ask(key, window, step)  # after a restart of Redis

    def _ask(self, key: str, window: int, step: int) -> tuple[int, int]:
        """The script's reply, over this thread's connection: the pool costs twice as much."""
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
