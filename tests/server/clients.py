"""Raw clients, and their server."""

import contextlib
import json
import select
import socket

import psutil

from tests.waiting import SECONDS

REFRESH = b"POST /api/auth/refresh HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
HEALTH = b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"
LAST_CHUNK = b"\r\n0\r\n\r\n"


class Served:
    """A running server: `process`, `port`, `connect()`, `log()`."""

    def __init__(self, process, port, log):
        self.process, self.port, self._log = process, port, log

    def connect(self, sent=b"", room=None):
        """A Client that has sent these bytes; `room`: the size of its receiving buffer."""
        return Client(self.port, sent, room=room)

    @contextlib.contextmanager
    def attacked_by(self, number, sent, room=None):
        """So many of these."""
        with contextlib.ExitStack() as stack:
            yield [stack.enter_context(self.connect(sent, room)) for _ in range(number)]

    def serves(self):
        """Whether a request that asks for nothing is answered."""
        with self.connect(HEALTH) as client:
            return client.answer().startswith(b"HTTP/1.1 200")

    def log(self):
        return self._log.read_text()

    def web_processes(self):
        """The psutil.Process objects that serve: one, or none for a moment."""
        return psutil.Process(self.process.pid).children()

    def web_process(self):
        """The one that serves: a child, or the process itself where it has none."""
        return (self.web_processes() or [psutil.Process(self.process.pid)])[0]


class Client:
    """A connection of which the test says when it speaks and when it listens."""

    def __init__(self, port, sent=b"", address="127.0.0.1", room=None):
        self.socket = socket.socket()
        if room:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, room)
        self.socket.settimeout(SECONDS)
        self.socket.bind((address, 0))
        self.socket.connect(("127.0.0.1", port))
        self.received = b""
        self.send(sent)

    def __enter__(self):
        return self

    def __exit__(self, *_error):
        self.socket.close()

    def send(self, data):
        """Send bytes; whether the server still takes them."""
        with contextlib.suppress(ConnectionError):
            self.socket.sendall(data)
            return True
        return False

    def answer(self):
        """The next answer with a Content-Length."""
        while b"\r\n\r\n" not in self.received:
            self.received += self._more()
        head, _, self.received = self.received.partition(b"\r\n\r\n")
        lines = head.lower().split(b"\r\n")
        size = next((int(line[15:]) for line in lines if line.startswith(b"content-length:")), 0)
        body = bytearray(self.received)
        while len(body) < size:
            body += self._more()
        self.received = bytes(body[size:])
        return head + b"\r\n\r\n" + body[:size]

    def rest(self):
        """Everything until the server closes."""
        received, self.received = bytearray(self.received), b""
        with contextlib.suppress(ConnectionError):
            while data := self.socket.recv(262_144):
                received += data
        return bytes(received)

    def ending(self):
        """The last bytes of a chunked answer that is read to its end, or to where the server closes."""
        last, self.received = self.received, b""
        while not last.endswith(LAST_CHUNK) and (data := self.socket.recv(262_144)):
            last = (last + data)[-20:]
        return last

    def _more(self):
        data = self.socket.recv(262_144)
        assert data, f"closed after {self.received[:200]!r}"
        return data


def problem(answer):
    head, _, body = answer.partition(b"\r\n\r\n")
    assert b"application/problem+json" in head
    assert json.loads(body)["request_id"].encode() in head
    return int(head.split()[1]), json.loads(body)["code"]


def get(path, api, version="1.1"):
    authorization = api.headers["Authorization"]
    return f"GET {path} HTTP/{version}\r\nHost: x\r\nAuthorization: {authorization}\r\n\r\n".encode()


def answered(clients):
    """Those of the clients that have something to read: an answer, or the end."""
    ready = select.select([client.socket for client in clients], [], [], 0)[0]
    return [client for client in clients if client.socket in ready]
