"""Waits for PostgreSQL and Redis."""

import time
from collections.abc import Callable
from typing import TypeVar

import psycopg
import redis
import structlog

PAUSE_SECONDS = 1.0
LOG_SECONDS = 5.0
# libpq has only text while it connects; with another language, the process waits.
REFUSED = (
    "authentication failed",
    "does not exist",
    "no password supplied",
    "no pg_hba.conf entry",
    "is not permitted",
    "does not support SSL",
    "certificate",
)

T = TypeVar("T")

log = structlog.get_logger(__name__)


def until_there(name: str, check: Callable[[], T], seconds: float | None = None) -> T:
    """The result of `check()` once the server answers.

    Raises a refusal at once, others after `seconds` (None: never).
    """
    begun, logged = time.monotonic(), None
    while True:
        try:
            found = check()
        except (psycopg.OperationalError, redis.ConnectionError, redis.TimeoutError) as error:
            now = time.monotonic()
            if is_refusal(error) or (seconds is not None and now - begun + PAUSE_SECONDS > seconds):
                raise
            if logged is None or now - logged >= LOG_SECONDS:
                logged = now
                log.warning(f"waiting for {name}", waited=round(now - begun), reason=first_line(error))
            time.sleep(PAUSE_SECONDS)
        else:
            if logged is not None:
                log.info(f"{name} is there", waited=round(time.monotonic() - begun))
            return found


def is_refusal(error: Exception) -> bool:
    """Whether the server refuses the login or database."""
    return isinstance(error, redis.AuthenticationError) or (
        isinstance(error, psycopg.OperationalError) and any(words in str(error) for words in REFUSED)
    )


def until_redis(url: str) -> None:
    """Wait for Redis; raises redis.AuthenticationError."""
    with redis.Redis.from_url(url, socket_timeout=5, socket_connect_timeout=5) as client:
        until_there("Redis", client.ping)


def first_line(error: BaseException) -> str:
    """An error's first line, or its class name."""
    return str(error).strip().split("\n", 1)[0] or type(error).__name__
