"""Password hashes: argon2id in one lane, with parameters of the OWASP Password Storage Cheat Sheet.

Of its equally strong sets this is the one with the most memory, 46 MiB in one pass. More lanes would make it no harder
to guess and put one login on all cores at once; RFC 9106 (section 4) leaves them to who serves.
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
# Checked when there is no account, so that an unknown address takes as long as a wrong password.
_NOBODY = _hasher.hash("no account has this password")
_turns = threading.BoundedSemaphore()


def includeme(config: Configurator) -> None:
    """Bound the hashes of the process by the application's threads."""
    configure(config.registry.pipeline.web_threads)


def configure(threads: int) -> None:
    """Let a quarter of the threads hash at once at most, so that guessing passwords does not keep all of them busy."""
    global _turns
    _turns = threading.BoundedSemaphore(max(1, threads // 4))


@contextlib.contextmanager
def turn() -> Iterator[None]:
    """Room for one more hash, to the end of the `with` block; raises the 429 when there is none."""
    turns = _turns
    if not turns.acquire(blocking=False):
        raise busy("Too many passwords are being checked. Try again in a moment.")
    try:
        with everywhere():
            yield
    finally:
        turns.release()


def hash_password(password: str) -> str:
    """The argon2id hash (PHC format) of a password; raises the 429 when too many are made at once."""
    with turn():
        return _hasher.hash(password)


def matches(password: str, password_hash: str | None) -> bool:
    """Whether the password has this hash; None as hash takes the same time and is never true. Raises the 429, too."""
    try:
        with turn():
            return _hasher.verify(password_hash or _NOBODY, password) and password_hash is not None
    except (VerificationError, InvalidHashError):
        return False
