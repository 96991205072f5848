"""CPU affinity of a web process: threads of one interpreter lock share a core (docs/performance.md)."""

import contextlib
import itertools
import os
import random
from collections.abc import Iterator

CAN_BIND = hasattr(os, "sched_setaffinity")


def number() -> int:
    return len(os.sched_getaffinity(0)) if CAN_BIND else os.cpu_count() or 1


def cycle_cores(bind: bool = True) -> Iterator[int | None]:
    """A core for each process; None if unbound."""
    if not (bind and CAN_BIND):
        return itertools.repeat(None)
    cores = sorted(os.sched_getaffinity(0))
    first = random.randrange(len(cores))
    return itertools.cycle(cores[first:] + cores[:first])


def bind_thread(core: int | None) -> None:
    if core is not None:
        _use({core})


@contextlib.contextmanager
def use_all_cores() -> Iterator[None]:
    """Let the calling thread use every core."""
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
    # The core may be gone; the kernel then chooses another.
    with contextlib.suppress(OSError):
        os.sched_setaffinity(0, cores)
