"""Run by tests: `python servers.py waitress|production PORT` serves the application as the command does.

Only that it waits for a Redis which has the cores to share with other tests.
"""

import os
import signal
import sys
from contextlib import closing, suppress

from pipeline.cli import logs
from pipeline.cli.listening import listen
from pipeline.loading import uncollected
from pipeline.settings import load
from tests.waiting import SECONDS


def application():
    """The application, by the settings of the environment."""
    # Of the two processes of the server of production one has it.
    from pipeline import make_app
    from pipeline.http import counts

    counts.PATIENCE = SECONDS
    return make_app(load({}, os.environ))


def in_production():
    """What the server of production takes."""
    from pipeline.cli.web import served

    logs.configure(development=False)
    return served(application())


def serve(server, port):
    """Serve on 127.0.0.1 until the process is ended."""
    threads = load({}, os.environ).web_threads
    if server == "waitress":
        from waitress import create_server

        from pipeline.cli.serve import LARGEST_BODY

        with uncollected():
            app = application()
        # Left on, waitress removes X-Forwarded-For before the application sees it.
        create_server(
            app,
            host="127.0.0.1",
            port=port,
            threads=threads,
            ident=None,
            max_request_body_size=LARGEST_BODY,
            clear_untrusted_proxy_headers=False,
        ).run()
    else:
        from pipeline.server.processes import Processes

        with closing(listen("127.0.0.1", port)) as listener, suppress(KeyboardInterrupt):
            signal.signal(signal.SIGTERM, signal.default_int_handler)
            Processes("tests.http.servers:in_production", listener, 1, threads).serve()


if __name__ == "__main__":
    serve(sys.argv[1], int(sys.argv[2]))
