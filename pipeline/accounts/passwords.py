"""Argon2id with parameters of the OWASP Password Storage Cheat Sheet; one lane for one core."""

import contextlib
import threading
from collections.abc import Iterator

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from pyramid.config import Configurator

from pipeline.http.fairness.slots import busy
from pipeline.process.cores import use_all_cores

_hasher = PasswordHasher(time_cost=1, memory_cost=46 * 1024, parallelism=1)
# Hides by equal time that an address is unknown.
_NOBODY = _hasher.hash("no account has this password")
_turns = threading.BoundedSemaphore()


def includeme(config: Configurator) -> None:
    """Sets the limit of concurrent hashes."""
    configure(config.registry.pipeline.web_threads)


def configure(threads: int) -> None:
    """Lets a quarter of the threads hash at once."""
    global _turns
    _turns = threading.BoundedSemaphore(max(1, threads // 4))


@contextlib.contextmanager
def hash_slot() -> Iterator[None]:
    """Holds a hash slot; raises 429."""
    turns = _turns
    if not turns.acquire(blocking=False):
        raise busy("Too many passwords are being checked. Try again in a moment.")
    try:
        with use_all_cores():
            yield
    finally:
        turns.release()


def hash_password(password: str) -> str:
    """The hash in PHC format; raises 429."""
    with hash_slot():
        return _hasher.hash(password)


def matches(password: str, password_hash: str | None) -> bool:
    """Whether the password has this hash; takes as long for None. Raises 429."""
    try:
        with hash_slot():
            return _hasher.verify(password_hash or _NOBODY, password) and password_hash is not None
    except (VerificationError, InvalidHashError):
        return False
