"""What waits for a slow client lies in memory while it is little, and then on disk; the disk is shared out."""

import tempfile
import threading
from collections import Counter
from queue import SimpleQueue
from typing import IO

import structlog

# Of one body, and of one answer.
MEMORY = 64 * 1024
# No address may have more than this part of the disk, so that others can still up- and download.
SHARE = 4
# So many files wait to be closed; whoever drops another one waits for it, or the process would run out of them.
MOST_DROPPED = 128

log = structlog.get_logger(__name__)


def temporary_file() -> IO[bytes]:
    """A file on disk without a name; whoever takes it closes it."""
    return tempfile.TemporaryFile()


class Budget:
    """Bytes on disk that the connections of a process may have together, and each owner of them (None: no bound).

    Files are closed by a thread of its own. That gives the disk back, for which the system may have to wait: when a
    thousand clients hung up at the same time, all the threads that serve did so for a third of a second.
    """

    def __init__(self, total: int) -> None:
        self.total, self.used = total, 0
        self.by_owner: Counter[str | None] = Counter()
        self._lock = threading.Lock()
        self._dropped: SimpleQueue[tuple[str | None, IO[bytes], int]] = SimpleQueue()
        threading.Thread(target=self._close_dropped, daemon=True).start()

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

    def drop(self, owner: str | None, file: IO[bytes], size: int) -> None:
        """Have a file closed soon, mostly by another thread, and its bytes given back then."""
        if self._dropped.qsize() < MOST_DROPPED:
            self._dropped.put((owner, file, size))
        else:
            self._close(owner, file, size)

    def _close_dropped(self) -> None:
        while True:
            self._close(*self._dropped.get())

    def _close(self, owner: str | None, file: IO[bytes], size: int) -> None:
        try:
            file.close()
        except Exception as error:
            log.error("crash", exc_info=error)
        self.give(owner, size)
