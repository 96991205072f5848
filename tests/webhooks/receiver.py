"""A receiver of webhooks on loopback, which can be slow, refuse, redirect or stop; and a name server."""

import contextlib
import socket
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import NamedTuple

import dns.message
import dns.resolver
import dns.rrset

from development.ports import free_port


class Received(NamedTuple):
    """A message: path, headers in lower case, body (bytes) and time of arrival (time.monotonic)."""

    path: str
    headers: dict
    body: bytes
    at: float


class Receiver:
    """An HTTP server in a thread. `received` are the messages; `answer(handler, number)` replaces the response."""

    def __init__(self, host="127.0.0.1", context=None):
        self.received, self.answer, self.host, self.context = [], None, host, context
        self.working, self.most, self.lock = 0, 0, threading.Lock()
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

        self.server = Server((self.host, self.port), Handler)
        if self.context:
            self.server.socket = self.context.wrap_socket(self.server.socket, server_side=True)
        self.thread = threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True)
        self.thread.start()

    def take(self, handler):
        with self.lock:
            self.working += 1
            self.most = max(self.most, self.working)
        try:
            length = int(handler.headers["Content-Length"])
            body = handler.rfile.read(length)
            if len(body) < length:  # the sender was killed in the middle: no receiver takes that for a message
                return
            headers = {name.lower(): value for name, value in handler.headers.items()}
            with self.lock:
                self.received.append(Received(handler.path, headers, body, time.monotonic()))
                number = len(self.received)
            if self.answer:
                self.answer(handler, number)
            else:
                respond(handler, 204)
        finally:
            with self.lock:
                self.working -= 1

    def stop(self):
        """Refuse connections until `start()`."""
        self.server.shutdown()
        self.server.server_close()
        self.thread.join(5)

    @property
    def url(self):
        return f"http{'s' if self.context else ''}://{self.host}:{self.port}/hook"


def respond(handler, code, body=b"", **headers):
    """Answer a request."""
    handler.send_response(code)
    for name, value in {"Content-Length": len(body), **headers}.items():
        handler.send_header(name, str(value))
    handler.end_headers()
    handler.wfile.write(body)


class NameServer:
    """Resolves `names`: {host: [addresses of the first look-up, of the second, …]}; the last one repeats."""

    def __init__(self):
        self.names, self.asked = {}, []
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind(("127.0.0.1", 0))
        threading.Thread(target=self.serve, daemon=True).start()

    def resolver(self):
        """A dns.resolver.Resolver with this server."""
        made = dns.resolver.Resolver(configure=False)
        made.nameservers, made.port = ["127.0.0.1"], self.socket.getsockname()[1]
        return made

    def serve(self):
        with contextlib.suppress(OSError):
            while True:
                text, client = self.socket.recvfrom(4096)
                self.socket.sendto(self.response(dns.message.from_wire(text)).to_wire(), client)

    def response(self, query):
        question = query.question[0]
        host, kind = question.name.to_text(omit_final_dot=True), dns.rdatatype.to_text(question.rdtype)
        times = self.asked.count((host, kind))
        self.asked.append((host, kind))
        response = dns.message.make_response(query)
        answers = self.names.get(host, [[]])
        wanted = [a for a in answers[min(times, len(answers) - 1)] if (":" in a) == (kind == "AAAA")]
        if wanted:
            response.answer.append(dns.rrset.from_text(question.name, 0, "IN", kind, *wanted))
        elif host not in self.names:
            response.set_rcode(dns.rcode.NXDOMAIN)
        return response

    def close(self):
        self.socket.close()
