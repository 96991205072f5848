"""Run by test_servers.py: `python servers.py waitress|granian PORT` serves the application as the command does."""

import os
import sys

from pipeline import make_app
from pipeline.cli.serve import LARGEST_BODY
from pipeline.settings import load


def application():
    """The application, by the settings of the environment."""
    return make_app(load({}, os.environ))


def serve(server, port):
    """Serve on 127.0.0.1 until the process is ended."""
    if server == "waitress":
        from waitress import create_server

        # Left on, waitress removes X-Forwarded-For before the application sees it.
        create_server(
            application(), host="127.0.0.1", port=port, threads=4, ident=None, max_request_body_size=LARGEST_BODY,
            clear_untrusted_proxy_headers=False,
        ).run()
    else:
        from granian import Granian
        from granian.constants import HTTPModes, Interfaces

        Granian(
            "tests.http.servers:application", factory=True, address="127.0.0.1", port=port, interface=Interfaces.WSGI,
            http=HTTPModes.http1, websockets=False, workers=1, blocking_threads=4,
            # Now and then a worker process of granian does not notice that it is asked to end; the command has 30.
            workers_kill_timeout=10,
        ).serve()


if __name__ == "__main__":
    serve(sys.argv[1], int(sys.argv[2]))
