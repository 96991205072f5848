"""The core that the threads of a web process share.

They also share the interpreter's lock, so one of them computes at a time. On several cores they hand lock and data
from cache to cache, which costs as much again as the work itself (docs/performance.md). So the threads that serve stay
on one core. The main thread, which does not serve, keeps all, and so tells which those are. Where the system cannot
bind threads nothing of this happens.
"""

import contextlib
import itertools
import os
import random
from collections.abc import Iterator

CAN_BIND = hasattr(os, "sched_setaffinity")


def number() -> int:
    """How many cores this process may use; the machine may have more."""
    return len(os.sched_getaffinity(0)) if CAN_BIND else os.cpu_count() or 1


def in_turn(bind: bool = True) -> Iterator[int | None]:
    """A core for each process, again and again; for each None where none is to be, or can be, bound.

    The first is any of them, since another service of the machine may have bound processes, too.
    """
    if not (bind and CAN_BIND):
        return itertools.repeat(None)
    cores = sorted(os.sched_getaffinity(0))
    first = random.randrange(len(cores))
    return itertools.cycle(cores[first:] + cores[:first])


def stay(core: int | None) -> None:
    """Keep the calling thread on a core, if there is one for it."""
    if core is not None:
        _use({core})


@contextlib.contextmanager
def everywhere() -> Iterator[None]:
    """Let the calling thread use every core to the end of the `with` block: for long work without the lock."""
    if not CAN_BIND:
        yield
        return
    own = os.sched_getaffinity(0)
    _use(os.sched_getaffinity(os.getpid()))
    try:
        yield
    finally:
        _use(own)


def _use(cores: set[int]) -> None:
    # A core may have been taken from this process since it was told of; the kernel then chooses among the others.
    with contextlib.suppress(OSError):
        os.sched_setaffinity(0, cores)
