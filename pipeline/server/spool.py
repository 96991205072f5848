"""What waits for a slow client lies in memory while it is little, and then on disk; the disk is shared out."""

import contextlib
import os
import socket
import tempfile
import threading
from collections import Counter, deque
from typing import IO

# Of one body, and of one answer.
MEMORY = 64 * 1024
PIECE = 128 * 1024
# What one client is sent before it is another's turn.
TURN = 2 * 1024 * 1024
# No address may have more than this part of the disk, so that others can still up- and download.
SHARE = 4


def temporary_file() -> IO[bytes]:
    """A file on disk without a name; whoever takes it closes it."""
    with contextlib.ExitStack() as stack:
        file = stack.enter_context(tempfile.TemporaryFile())
        stack.pop_all()
    return file


class Budget:
    """Bytes on disk that the connections of a process may have together, and each owner of them (None: no bound)."""

    def __init__(self, total: int) -> None:
        self.total, self.used = total, 0
        self.by_owner: Counter[str | None] = Counter()
        self._lock = threading.Lock()

    def take(self, owner: str | None, size: int) -> bool:
        """Whether these bytes may be written; they then count until given back."""
        with self._lock:
            share = self.total if owner is None else self.total // SHARE
            if self.used + size > self.total or self.by_owner[owner] + size > share:
                return False
            self.used += size
            self.by_owner[owner] += size
            return True

    def give(self, owner: str | None, size: int) -> None:
        """The bytes are gone."""
        with self._lock:
            self.used -= size
            self.by_owner[owner] -= size
            if not self.by_owner[owner]:
                del self.by_owner[owner]


class Outgoing:
    """The bytes of an answer that are still to be sent, in their order."""

    def __init__(self, budget: Budget, owner: str | None) -> None:
        self.budget, self.owner = budget, owner
        self.pieces: deque[memoryview] = deque()
        self.in_memory = 0
        self.file: IO[bytes] | None = None
        self.place, self.end, self.on_disk = 0, 0, 0

    def __bool__(self) -> bool:
        return bool(self.pieces) or self.place < self.end

    def put(self, data: bytes | memoryview) -> bool:
        """Take bytes; False when there is no room for them."""
        if self.place == self.end and self.in_memory + len(data) <= MEMORY:
            self.pieces.append(memoryview(data))
            self.in_memory += len(data)
            return True
        if not self.budget.take(self.owner, len(data)):
            return False
        if self.file is None:
            self.file = temporary_file()
        if self.place == self.end:
            self.place = self.end = 0
            os.ftruncate(self.file.fileno(), 0)
            self._give_back()
        self.on_disk += len(data)
        os.pwrite(self.file.fileno(), data, self.end)
        self.end += len(data)
        return True

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

    def send(self, socket: socket.socket) -> int:
        """Send until the socket takes no more, or enough for one turn; how many bytes. Raises OSError."""
        total = 0
        try:
            while self and total < TURN:
                piece = self.pieces[0] if self.pieces else self._from_file()
                if not piece:
                    raise OSError("The file is shorter than it was.")
                sent = socket.send(piece)
                total += sent
                self._advance(piece, sent)
        except BlockingIOError:
            pass
        return total

    def close(self) -> None:
        """Forget the rest."""
        self.pieces.clear()
        if self.file is not None:
            self.file.close()
            self.file, self.place, self.end = None, 0, 0
            self._give_back()

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
