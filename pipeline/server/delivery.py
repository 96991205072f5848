"""The sending of one answer: at once what the socket takes, and the rest from memory and disk when it takes more."""

import fcntl
import os
import select
import socket
import struct
import termios
import time
from collections import deque
from typing import IO

import structlog

from pipeline.server.spool import MEMORY, Budget, temporary_file

PIECE = 128 * 1024
# What one client is sent before it is another's turn.
TURN = 2 * 1024 * 1024

log = structlog.get_logger(__name__)


class Gone(Exception):
    """The client has hung up, or is cut off."""


class Delivery:
    """Brings the answer of an application to the client of a connection.

    What the socket does not take at once waits in `pieces`, and behind them in a file from `place` to `end`.
    owner: who answers for the disk (see spool.py). patience: seconds for which the thread may wait for the client.
    """

    def __init__(self, socket: socket.socket, peer: str, budget: Budget, owner: str | None, patience: float) -> None:
        self.socket, self.peer, self.budget, self.owner, self.patience = socket, peer, budget, owner, patience
        self.pieces: deque[memoryview] = deque()
        self.file: IO[bytes] | None = None
        self.sent = self.in_memory = self.on_disk = self.place = self.end = 0

    def write(self, data: bytes | memoryview) -> None:
        """Take a piece of the answer while the application makes it; raises Gone."""
        data = memoryview(data)
        try:
            if self.flush():
                data = data[self._send(data) :]
            if data and not self._put(data):
                self._wait(data)
        except OSError as error:
            tell(error, self.peer)
            raise Gone from None

    def put_file(self, head: bytes, file: IO[bytes], size: int) -> bool:
        """Take a head and, behind it, so many bytes of a binary file object that lies on disk; False without room.

        It is closed when it is sent.
        """
        if not self.budget.take(self.owner, size):
            return False
        self.on_disk += size
        self.pieces.append(memoryview(head))
        self.in_memory += len(head)
        self.file, self.place = file, file.tell()
        self.end = self.place + size
        return True

    def flush(self) -> bool:
        """Send what the socket takes, or enough for one turn; whether nothing is left. Raises OSError."""
        most = self.sent + TURN
        while self.pieces or self.place < self.end:
            piece = self.pieces[0] if self.pieces else self._from_file()
            if not piece:
                raise OSError("The file is shorter than it was.")
            sent = self._send(piece) if self.sent < most else 0
            if not sent:
                return False
            self._advance(piece, sent)
        return True

    def taken(self) -> int:
        """The bytes that have reached the client's system: the others are still in ours."""
        waiting = struct.unpack("i", fcntl.ioctl(self.socket.fileno(), termios.TIOCOUTQ, b"\0\0\0\0"))[0]
        return self.sent - waiting

    def cut(self) -> None:
        """Tell that the rest is given up."""
        log.warning("answer cut", client=self.peer, sent=self.sent)

    def close(self) -> None:
        """Forget the rest."""
        self.pieces.clear()
        if self.file is not None:
            self.budget.drop(self.owner, self.file, self.on_disk)
            self.file, self.place, self.end, self.on_disk = None, 0, 0, 0

    def _send(self, data: bytes | memoryview) -> int:
        try:
            sent = self.socket.send(data)
        except BlockingIOError:
            return 0
        self.sent += sent
        return sent

    def _put(self, data: memoryview) -> bool:
        """Keep bytes for later; False when there is no room for them."""
        if self.place == self.end and self.in_memory + len(data) <= MEMORY:
            self.pieces.append(data)
            self.in_memory += len(data)
            return True
        if self.file is None:
            self.file = temporary_file()
        if self.place == self.end:
            self.place = self.end = 0
            os.ftruncate(self.file.fileno(), 0)
            self._give_back()
        if not self.budget.take(self.owner, len(data)):
            return False
        self.on_disk += len(data)
        os.pwrite(self.file.fileno(), data, self.end)
        self.end += len(data)
        return True

    def _wait(self, data: memoryview) -> None:
        """Wait until memory or disk has room for a piece, but in the whole answer for no longer than `patience`."""
        ready, began = select.poll(), time.monotonic()
        ready.register(self.socket, select.POLLOUT)
        while not self._put(data):
            left = self.patience - (time.monotonic() - began)
            if left <= 0 or not ready.poll(left * 1000):
                self.cut()
                raise Gone
            self.flush()
        self.patience -= time.monotonic() - began

    def _from_file(self) -> bytes:
        size = min(PIECE, self.end - self.place)
        return os.pread(self.file.fileno(), size, self.place) if self.file is not None else b""

    def _advance(self, piece: bytes | memoryview, sent: int) -> None:
        if not self.pieces:
            self.place += sent
            return
        self.in_memory -= sent
        if sent == len(piece):
            self.pieces.popleft()
        else:
            self.pieces[0] = self.pieces[0][sent:]

    def _give_back(self) -> None:
        self.budget.give(self.owner, self.on_disk)
        self.on_disk = 0


def tell(error: OSError, client: str) -> None:
    """Log an OSError that is not the client's doing, as a full disk."""
    if not isinstance(error, (ConnectionError, TimeoutError)):
        log.warning("connection lost", client=client, reason=str(error))
