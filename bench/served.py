"""A web process of the benchmark: `python -m bench.served PORT THREADS` serves what `bench.targets` names."""

import os
import signal
import sys

from bench.targets import make
from pipeline.cli.serve import listen
from pipeline.server.bounds import Bounds
from pipeline.server.server import Server


def main(port, threads):
    """Serve until SIGTERM."""
    asked, ask = os.pipe()
    signal.signal(signal.SIGTERM, lambda _number, _frame: os.write(ask, b"."))
    # Every request comes from one address.
    bounds = Bounds(connections_per_address=0)
    Server(make(), listen("127.0.0.1", port), threads, bounds).run([asked])


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
