"""Run by tests: `python servers.py PORT [alone]` serves the application as `pipeline serve` does in production.

With `alone` this process serves itself, so that to kill it is to kill the service. Either waits for a Redis which has
the cores to share with other tests.
"""

import os
import signal
import sys
from contextlib import closing, suppress

from pipeline.cli import logs
from pipeline.cli.serving.listening import bound_socket
from pipeline.cli.serving.processes import Processes, signalled
from pipeline.cli.serving.processes import serve as run
from pipeline.process.loading import without_garbage_collection
from pipeline.process.settings import load
from tests.waiting import SECONDS


def server(listener, threads, core=None):
    """The server of one process, by the settings of the environment; its parent does not import the application."""
    from pipeline.cli.serving.web import server_of
    from pipeline.http.fairness import counts
    from pipeline.http.server import serving
    from pipeline.http.server.application import make_app

    counts.PATIENCE = SECONDS
    serving.IDLE_SECONDS = int(os.environ.get("IDLE_SECONDS", serving.IDLE_SECONDS))
    serving.LOOK_SECONDS = min(serving.IDLE_SECONDS, serving.LOOK_SECONDS)
    logs.configure(development=False)
    return server_of(make_app(load({}, os.environ)), listener, threads, core)


def serve(port, alone=""):
    """Serve on 127.0.0.1 until this process is ended."""
    threads = load({}, os.environ).web_threads
    with closing(bound_socket("127.0.0.1", int(port))) as listener, suppress(KeyboardInterrupt):
        if alone:
            with without_garbage_collection():
                own = server(listener, threads)
            run(own, [signalled(signal.SIGTERM)])
        else:
            signal.signal(signal.SIGTERM, signal.default_int_handler)
            Processes("tests.http.servers:server", listener, 1, threads).serve()


if __name__ == "__main__":
    serve(*sys.argv[1:])
