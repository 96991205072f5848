"""One web process: `python -m pipeline.server MODULE:FUNCTION LISTENER STOP THREADS [CORE]`; started by processes.py.

The function gives (WSGI application, Bounds), and perhaps whose turn a request takes (see Server). LISTENER and STOP
are file descriptors. CORE is where the threads stay.
"""

import gc
import importlib
import os
import signal
import socket
import sys

from pipeline.loading import uncollected
from pipeline.server.server import Server

# A thread that computes hands over after so long to one that has read something. Beside three that compute, twenty
# reads took 0.44 s with Python's own 5 ms, and 0.07 s so.
SWITCH_SECONDS = 0.0005


def main(factory: str, listener: str, stop: str, threads: str, core: str = "") -> None:
    """Serve until STOP is at its end, or SIGTERM."""
    sys.setswitchinterval(SWITCH_SECONDS)
    # Ctrl-C reaches the parent, too, which then ends this process in order.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    asked, ask = os.pipe()
    signal.signal(signal.SIGTERM, lambda _number, _frame: os.write(ask, b"."))
    module, _, function = factory.partition(":")
    # What is here then stays. A collection that looks at all of it again stops every thread: one of a hundred
    # milliseconds fell into the making of each long contract.
    with uncollected():
        application, *rules = getattr(importlib.import_module(module), function)()
        gc.collect()
    place = int(core) if core else None
    Server(application, socket.socket(fileno=int(listener)), int(threads), *rules, core=place).run((int(stop), asked))


if __name__ == "__main__":
    main(*sys.argv[1:])
