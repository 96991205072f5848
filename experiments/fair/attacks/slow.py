"""Slow and silent clients: connections that cost the attacker nothing, many nearly idle ones from one thread."""

import contextlib
import errno
import socket
import time

from experiments.fair.attacks.heavy import LARGEST
from experiments.fair.http import HOST
from tests.leads.csv_files import FORM, multipart

REFRESH = f"POST /api/auth/refresh HTTP/1.1\r\nHost: {HOST}\r\nContent-Type: application/json\r\nContent-Length: "
PIPELINED = 50
TICK = 0.25
# struct tcp_info begins with the connection's state.
ESTABLISHED, SYN_SENT = 1, 2
# The smallest that the kernel grants: a large answer stays with the server.
SMALL = 2048


class Line:
    """One connection, never waited for: sends `first`, then `drip` at each tick; reads unless it is `deaf`."""

    def __init__(self, port, source, first, drip=b"", deaf=False):
        self.left, self.drip, self.deaf, self.status = first, drip, deaf, None
        self.socket = socket.socket()
        self.socket.setblocking(False)
        if deaf:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, SMALL)
        self.socket.bind((source, 0))
        self.socket.connect_ex((HOST, port))

    @property
    def state(self):
        return self.socket.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 1)[0]

    def tick(self):
        """Do what can be done now; whether the connection still stands."""
        if self.state == SYN_SENT:
            return True
        try:
            with contextlib.suppress(BlockingIOError):
                self.left = self.left or self.drip
                self.left = self.left[self.socket.send(self.left) :] if self.left else b""
            return self.state == ESTABLISHED if self.deaf else self._read()
        except OSError as error:
            self.status = self.status or errno.errorcode.get(error.errno, "broken")
            return False

    def _read(self):
        with contextlib.suppress(BlockingIOError):
            came = self.socket.recv(65_536)
            if came.startswith(b"HTTP/1.1 "):
                self.status = came[9:12].decode()
            return bool(came)
        return True


def swarm(field, number, first, drip=b"", deaf=False):
    """Keep `number` connections up until the end; who is thrown out comes back at the next tick.

    `first(index)` is what a connection sends at once. Counts what the connections were told.
    """

    def line(index):
        return Line(field.port, field.source(index), first(index), drip, deaf)

    lines = [line(index) for index in range(number)]
    while field.going:
        began = time.monotonic()
        for index, one in enumerate(lines):
            if not one.tick():
                field.count(f"thrown out {one.status or ''}".strip())
                one.socket.close()
                lines[index] = line(index)
        time.sleep(max(0.0, TICK - (time.monotonic() - began)))
    for one in lines:
        field.count("kept" if one.state == ESTABLISHED else "waits for its connection")


def silent_bodies(field, number):
    """So many connections announce a body of 200 bytes and send one: nobody need be logged in."""
    swarm(field, number, lambda _index: f"{REFRESH}200\r\n\r\n{{".encode())


def idle(field):
    """1,100 connections that say nothing at all."""
    swarm(field, 1_100, lambda _index: b"")


def dribbled_headers(field):
    """1,000 connections whose headers arrive byte by byte."""
    swarm(field, 1_000, lambda _index: f"GET /healthz HTTP/1.1\r\nHost: {HOST}\r\nX-Slow: ".encode(), b"x")


def dribbled_bodies(field):
    """1,000 connections whose body arrives byte by byte."""
    swarm(field, 1_000, lambda _index: f"{REFRESH}1000000\r\n\r\n".encode(), b" ")


def unread(field, path):
    """1,000 connections that ask for something large and read none of it."""
    where = path.format(**field.spec)
    swarm(field, 1_000, lambda index: f"{head(field, index, 'GET', where)}\r\n".encode(), deaf=True)


def unread_pipelines(field):
    """1,000 connections that send fifty requests each in one go and read no answer."""
    request = f"GET /openapi.json HTTP/1.1\r\nHost: {HOST}\r\n\r\n".encode()
    swarm(field, 1_000, lambda _index: request * PIPELINED, deaf=True)


def silent_uploads(field):
    """Sixteen begin to upload a signed copy and say no more."""
    path, begun = f"{field.contract('signed', 0)}/executed", multipart(b"%PDF-1.7\n", filename="signed.pdf")[:-60]
    form = f"Content-Type: {FORM}\r\nContent-Length: {LARGEST}\r\n\r\n"
    swarm(field, 16, lambda index: f"{head(field, index, 'POST', path)}{form}".encode() + begun)


def head(field, index, method, path):
    """The beginning of a request of one of the attacker's people."""
    token = field.spec["tokens"][index % len(field.spec["tokens"])]
    return f"{method} {path} HTTP/1.1\r\nHost: {HOST}\r\nAuthorization: Bearer {token}\r\n"
