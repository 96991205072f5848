"""Argon2id hashes with parameters of the OWASP Password Storage Cheat Sheet: one pass, 46 MiB, one lane.

More lanes would occupy all cores with one login (RFC 9106, section 4).
"""

import contextlib
import threading
from collections.abc import Iterator

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from pyramid.config import Configurator

from pipeline.http.cores import everywhere
from pipeline.http.slots import busy

_hasher = PasswordHasher(time_cost=1, memory_cost=46 * 1024, parallelism=1)
# Checked for an unknown address, so that it takes as long.
_NOBODY = _hasher.hash("no account has this password")
_turns = threading.BoundedSemaphore()


def includeme(config: Configurator) -> None:
    """Configures the limit of concurrent hashes."""
    configure(config.registry.pipeline.web_threads)


def configure(threads: int) -> None:
    """Lets a quarter of the threads hash at once."""
    global _turns
    _turns = threading.BoundedSemaphore(max(1, threads // 4))


@contextlib.contextmanager
def turn() -> Iterator[None]:
    """Holds one of the hash slots; raises 429 without a free one."""
    turns = _turns
    if not turns.acquire(blocking=False):
        raise busy("Too many passwords are being checked. Try again in a moment.")
    try:
        with everywhere():
            yield
    finally:
        turns.release()


def hash_password(password: str) -> str:
    """The hash in PHC format; raises 429."""
    with turn():
        return _hasher.hash(password)


def matches(password: str, password_hash: str | None) -> bool:
    """Whether the password has this hash; None takes as long and is False. Raises 429."""
    try:
        with turn():
            return _hasher.verify(password_hash or _NOBODY, password) and password_hash is not None
    except (VerificationError, InvalidHashError):
        return False
