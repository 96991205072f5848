"""A receiver of webhooks on loopback, which can be slow, refuse, redirect or stop."""

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import NamedTuple

from development.ports import free_port


class Received(NamedTuple):
    """A message: path, headers in lower case, and body (bytes)."""

    path: str
    headers: dict
    body: bytes


class Receiver:
    """An HTTP server in a thread. `received` are the messages; `answer(handler, number)` replaces the response."""

    def __init__(self, context=None):
        self.received, self.answer, self.context, self.lock = [], None, context, threading.Lock()
        self.port = free_port()
        self.start()

    def start(self):
        """Serve, on the same port as before."""
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            timeout = 30

            def do_POST(self):
                receiver.take(self)

            def log_message(self, *_arguments):
                pass

        class Server(ThreadingHTTPServer):
            daemon_threads, block_on_close = True, False

            def handle_error(self, *_arguments):
                pass  # who has sent the message is gone

        self.server = Server(("127.0.0.1", self.port), Handler)
        if self.context:
            self.server.socket = self.context.wrap_socket(self.server.socket, server_side=True)
        self.thread = threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True)
        self.thread.start()

    def take(self, handler):
        length = int(handler.headers["Content-Length"])
        body = handler.rfile.read(length)
        if len(body) < length:  # the sender was killed in the middle: no receiver takes that for a message
            return
        headers = {name.lower(): value for name, value in handler.headers.items()}
        with self.lock:
            self.received.append(Received(handler.path, headers, body))
            number = len(self.received)
        if self.answer:
            self.answer(handler, number)
        else:
            respond(handler, 204)

    def stop(self):
        """Refuse connections until `start()`."""
        self.server.shutdown()
        self.server.server_close()
        self.thread.join(5)

    @property
    def url(self):
        return f"http{'s' if self.context else ''}://127.0.0.1:{self.port}/hook"


def respond(handler, code, body=b"", **headers):
    handler.send_response(code)
    for name, value in {"Content-Length": len(body), **headers}.items():
        handler.send_header(name, str(value))
    handler.end_headers()
    handler.wfile.write(body)
