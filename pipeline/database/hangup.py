"""SIGHUP, by which an operator asks a running service to read the files of `sql/` anew.

The parent gets it and passes it on to its processes. One that comes before there is anything to do anew is nothing
but noise, and must end nobody.
"""

import contextlib
import signal
import threading


def ignore():
    """Let SIGHUP do nothing yet. (SIG_IGN would throw one away that is `held`.)"""
    signal.signal(signal.SIGHUP, lambda _number, _frame: None)


@contextlib.contextmanager
def held():
    """A process that is started in the block gets SIGHUP when it has called `on_hangup`: till then it would end."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGHUP})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def on_hangup(act):
    """Run act() in a thread of its own at each SIGHUP, also at one that was held."""
    signal.signal(
        signal.SIGHUP, lambda _number, _frame: threading.Thread(target=act, name="hangup", daemon=True).start()
    )
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGHUP})
