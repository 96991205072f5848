"""The sending of one answer: at once what the socket takes, and the rest from memory and disk when it takes more."""

import fcntl
import select
import socket
import struct
import termios
import time

import structlog

from pipeline.server.answer import Gone
from pipeline.server.spool import Budget, Outgoing

log = structlog.get_logger(__name__)


class Delivery:
    """Brings the answer of an application to the client of a connection; `rest` is what is still to be sent.

    owner: who answers for the disk (see spool.py). patience: seconds for which the thread may wait for the client.
    """

    def __init__(self, socket: socket.socket, peer: str, budget: Budget, owner: str | None, patience: float) -> None:
        self.socket, self.peer, self.patience = socket, peer, patience
        self.rest, self.sent = Outgoing(budget, owner), 0

    def write(self, data: bytes | memoryview) -> None:
        """Take a piece of the answer while the application makes it; raises Gone."""
        data = memoryview(data)
        try:
            if self.rest:
                self.flush()
            if not self.rest:
                size = self._send(data)
                self.sent += size
                data = data[size:]
            if data and not self.rest.put(data):
                self._wait(data)
        except OSError as error:
            tell(error, self.peer)
            raise Gone from None

    def flush(self) -> bool:
        """Send what the socket takes; whether nothing is left. Raises OSError."""
        self.sent += self.rest.send(self.socket)
        return not self.rest

    def taken(self) -> int:
        """The bytes that have reached the client's system: the others are still in ours."""
        waiting = struct.unpack("i", fcntl.ioctl(self.socket.fileno(), termios.TIOCOUTQ, b"\0\0\0\0"))[0]
        return self.sent - waiting

    def cut(self) -> None:
        """Tell that the rest is given up."""
        log.warning("answer cut", client=self.peer, sent=self.sent)

    def close(self) -> None:
        """Forget the rest."""
        self.rest.close()

    def _send(self, data: bytes | memoryview) -> int:
        try:
            return self.socket.send(data)
        except BlockingIOError:
            return 0

    def _wait(self, data: bytes | memoryview) -> None:
        """Wait until memory or disk has room for a piece, but in the whole answer for no longer than `patience`."""
        ready, began = select.poll(), time.monotonic()
        ready.register(self.socket, select.POLLOUT)
        while not self.rest.put(data):
            left = self.patience - (time.monotonic() - began)
            if left <= 0 or not ready.poll(left * 1000):
                self.cut()
                raise Gone
            self.flush()
        self.patience -= time.monotonic() - began


def tell(error: OSError, client: str) -> None:
    """Log an OSError that is not the client's doing, as a full disk."""
    if not isinstance(error, (ConnectionError, TimeoutError)):
        log.warning("connection lost", client=client, reason=str(error))
