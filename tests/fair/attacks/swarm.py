"""Many nearly idle connections from one thread: the connections of slow or silent clients."""

import contextlib
import errno
import socket
import time

from tests.fair.http import HOST

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

    def tick(self):
        """Do what can be done now; whether the connection still stands."""
        if self.state == SYN_SENT:
            return True
        try:
            self._send()
            return self.state == ESTABLISHED if self.deaf else self._read()
        except OSError as error:
            self.status = self.status or errno.errorcode.get(error.errno, "broken")
            return False

    @property
    def state(self):
        return self.socket.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 1)[0]

    def _send(self):
        self.left = self.left or self.drip
        if self.left:
            with contextlib.suppress(BlockingIOError):
                self.left = self.left[self.socket.send(self.left) :]

    def _read(self):
        with contextlib.suppress(BlockingIOError):
            came = self.socket.recv(65_536)
            if came.startswith(b"HTTP/1.1 "):
                self.status = came[9:12].decode()
            return bool(came)
        return True

    def close(self):
        self.socket.close()


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
                one.close()
                lines[index] = line(index)
        time.sleep(max(0.0, TICK - (time.monotonic() - began)))
    for one in lines:
        field.count("kept" if one.state == ESTABLISHED else "waits for its connection")
