"""SIGHUP reloads the files of `sql/`."""

import contextlib
import signal
import threading
from collections.abc import Callable, Iterator


def ignore() -> None:
    """Ignore SIGHUP for now. (SIG_IGN would discard a `held` signal.)"""
    signal.signal(signal.SIGHUP, lambda _number, _frame: None)


@contextlib.contextmanager
def blocked_hangup() -> Iterator[None]:
    """Block SIGHUP in processes started here, until `on_hangup`."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGHUP})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def on_hangup(act: Callable[[], object]) -> None:
    """Run act() in its own thread at each SIGHUP."""
    signal.signal(
        signal.SIGHUP, lambda _number, _frame: threading.Thread(target=act, name="hangup", daemon=True).start()
    )
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGHUP})
