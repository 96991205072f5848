"""A web server of the benchmark: `python -m bench.served PORT THREADS [PROCESSES]` serves what `bench.targets` names.

With PROCESSES as production does, from so many that a parent starts; without it from this one.
"""

import contextlib
import os
import signal
import sys

from bench.targets import make
from pipeline.cli.listening import listen
from pipeline.server.bounds import Bounds
from pipeline.server.processes import Processes
from pipeline.server.server import Server

# Every request comes from one address.
BOUNDS = Bounds(connections_per_address=0)


def main(port, threads, processes=None):
    """Serve until SIGTERM."""
    listener = listen("127.0.0.1", port)
    if processes:
        signal.signal(signal.SIGTERM, lambda _number, _frame: sys.exit())
        with contextlib.closing(listener):
            Processes("bench.served:application", listener, processes, threads).serve()
    asked, ask = os.pipe()
    signal.signal(signal.SIGTERM, lambda _number, _frame: os.write(ask, b"."))
    Server(make(), listener, threads, BOUNDS).run([asked])


def application():
    """The application of one of several processes, and the Bounds of its server."""
    return make(), BOUNDS


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
