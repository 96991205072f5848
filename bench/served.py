"""A web server of the benchmark: `python -m bench.served PORT THREADS [PROCESSES]` serves a target of `bench.targets`.

With PROCESSES a parent starts that number of processes, as in production; without it this process serves.
"""

import contextlib
import signal
import sys

from bench.targets import make
from pipeline.cli.serving.listening import bound_socket
from pipeline.cli.serving.processes import Processes, serve, signalled
from pipeline.http.server.serving import WebServer


def main(port, threads, processes=None):
    """Serve until SIGTERM."""
    with contextlib.closing(bound_socket("127.0.0.1", port)) as listener:
        if processes:
            signal.signal(signal.SIGTERM, lambda _number, _frame: sys.exit())
            Processes("bench.served:server", listener, processes, threads).serve()
        serve(server(listener, threads), [signalled(signal.SIGTERM)])


def server(listener, threads, core=None):
    """The server of one process."""
    return WebServer(make(), listener, threads, core)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
