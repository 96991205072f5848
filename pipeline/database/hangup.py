"""SIGHUP: an operator asks a running service to reload the files of `sql/`.

The parent passes it to its processes. A signal before a handler exists must not end a process.
"""

import contextlib
import signal
import threading
from collections.abc import Callable, Iterator


def ignore() -> None:
    """Ignore SIGHUP for now. (SIG_IGN would discard a signal that is `held`.)"""
    signal.signal(signal.SIGHUP, lambda _number, _frame: None)


@contextlib.contextmanager
def held() -> Iterator[None]:
    """Block SIGHUP for processes started in the block, until they call `on_hangup`; else it would end them."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGHUP})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def on_hangup(act: Callable[[], object]) -> None:
    """Run act() in its own thread at each SIGHUP, also for a held one."""
    signal.signal(
        signal.SIGHUP, lambda _number, _frame: threading.Thread(target=act, name="hangup", daemon=True).start()
    )
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGHUP})
