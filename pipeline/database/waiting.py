"""Waiting for PostgreSQL and Redis: a process may be started before them, and need not be started again for them."""

import time
from collections.abc import Callable
from typing import TypeVar

import psycopg
import redis
import structlog

PAUSE_SECONDS = 1.0
TELL_SECONDS = 5.0
# What a server says that will not change by itself. libpq hands over no code while a connection is made, only the text;
# a server that speaks another language is waited for, and the log says what it says.
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
    """What `check()` answers as soon as the server of this name does; a log line each few seconds tells of the waiting.

    check: raises an error of psycopg's or redis' while the server is away. What is wrong (a password, a name) and not
    only away is raised at once, and everything after so many `seconds`; None waits for ever.
    """
    begun, told = time.monotonic(), None
    while True:
        try:
            found = check()
        except (psycopg.OperationalError, redis.ConnectionError, redis.TimeoutError) as error:
            now = time.monotonic()
            if is_refusal(error) or (seconds is not None and now - begun + PAUSE_SECONDS > seconds):
                raise
            if told is None or now - told >= TELL_SECONDS:
                told = now
                log.warning(f"waiting for {name}", waited=round(now - begun), reason=first_line(error))
            time.sleep(PAUSE_SECONDS)
        else:
            if told is not None:
                log.info(f"{name} is there", waited=round(time.monotonic() - begun))
            return found


def is_refusal(error: Exception) -> bool:
    """Whether the server is there, and refuses the connection for what stands in its URL."""
    return isinstance(error, redis.AuthenticationError) or (
        isinstance(error, psycopg.OperationalError) and any(words in str(error) for words in REFUSED)
    )


def until_redis(url: str) -> None:
    """Wait for the Redis server of a URL; raises redis.AuthenticationError for a wrong password."""
    with redis.Redis.from_url(url, socket_timeout=5, socket_connect_timeout=5) as client:
        until_there("Redis", client.ping)


def first_line(error: BaseException) -> str:
    """What an error says, without what its library adds below; its name where it says nothing."""
    return str(error).strip().split("\n", 1)[0] or type(error).__name__
