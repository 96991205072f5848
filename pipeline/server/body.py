"""The body of a request while it arrives: framed by its length or by chunks, kept in memory and then on disk."""

import io
import re
from collections.abc import Hashable, Iterator
from typing import IO

from pipeline.errors import Problem
from pipeline.server.head import Head
from pipeline.server.spool import MEMORY, Budget, temporary_file

# More than any endpoint takes; what is larger need not be kept to be refused. An upload is a multipart form.
LARGEST_UPLOAD = 32 * 1024 * 1024
LARGEST_OTHER = 2 * 1024 * 1024
_SIZE = re.compile(rb"([0-9A-Fa-f]{1,8})[ \t]*(;[\t -~]*)?\r\n")
_TRAILER = re.compile(rb"(.*?\r\n)??\r\n", re.DOTALL)
# The longest line between two chunks, and all the trailer fields: both are read and forgotten.
LONGEST_LINE, LONGEST_TRAILER = 1024, 8192
# Each chunk costs time: so much may come in tiny ones.
SMALL_CHUNKS = 256 * 1024


class Body:
    """Takes what arrives until it is `complete`; `received` bytes so far, framing included.

    `budget` and `owner` answer for the disk (see spool.py). group: whose pace it is read at, as soon as that counts.
    """

    def __init__(self, head: Head, budget: Budget, owner: str | None) -> None:
        upload = head.environ.get("CONTENT_TYPE", "").lower().startswith("multipart/form-data")
        self.most = LARGEST_UPLOAD if upload else LARGEST_OTHER
        self.left, self.chunked = head.length or 0, head.length is None
        if self.left > self.most:
            raise self._too_large()
        self.head, self.budget, self.owner = head, budget, owner
        self.group: Hashable = None
        self.memory = bytearray()
        self.file: IO[bytes] | None = None
        self.size = self.received = self.on_disk = 0
        self.complete = head.length == 0
        self._raw, self._chunks = bytearray(), self._unchunk() if self.chunked else iter(())

    def feed(self, data: bytes) -> bytes:
        """Take bytes; returns those behind the body's end. Raises 400, 413 or 503."""
        self.received += len(data)
        if self.complete:
            return data
        if not self.chunked:
            self._write(data[: self.left])
            rest = data[self.left :]
            self.left -= len(data) - len(rest)
            self.complete = not self.left
            return rest
        self._raw += data
        if self.received > 2 * self.size + SMALL_CHUNKS + len(self._raw):
            raise Problem("malformed_request", "The chunks are too small.")
        next(self._chunks, None)
        return bytes(self._raw) if self.complete else b""

    def open(self) -> IO[bytes]:
        """The complete body as a binary file object at its start."""
        if self.file is None:
            return io.BytesIO(self.memory)
        self.file.seek(0)
        return self.file

    def close(self) -> None:
        """Give the disk back."""
        if self.file is not None:
            self.budget.drop(self.owner, self.file, self.on_disk)
            self.file = None

    def _write(self, data: bytes) -> None:
        self.size += len(data)
        if self.size > self.most:
            raise self._too_large()
        if self.file is None and self.size <= MEMORY:
            self.memory += data
            return
        if self.file is None:
            self.file = temporary_file()
            data, self.memory = bytes(self.memory) + data, bytearray()
        if not self.budget.take(self.owner, len(data)):
            raise Problem("unavailable", "Too much is being uploaded at the same time.")
        self.on_disk += len(data)
        self.file.write(data)

    def _too_large(self) -> Problem:
        return Problem("body_too_large", f"The body may have at most {self.most} bytes.")

    def _unchunk(self) -> Iterator[None]:
        """Take chunk after chunk out of `_raw`, and pause where the next byte has not come yet."""
        while not self.complete:
            while not (line := _SIZE.match(self._raw)):
                if b"\n" in self._raw or len(self._raw) > LONGEST_LINE:
                    raise Problem("malformed_request", "A chunk's size cannot be read.")
                yield
            self.left = int(line[1], 16)
            del self._raw[: line.end()]
            yield from self._content() if self.left else self._trailer()

    def _content(self) -> Iterator[None]:
        while self.left:
            if not self._raw:
                yield
            piece = bytes(self._raw[: self.left])
            del self._raw[: len(piece)]
            self.left -= len(piece)
            self._write(piece)
        while len(self._raw) < 2:
            yield
        if self._raw[:2] != b"\r\n":
            raise Problem("malformed_request", "A chunk is longer than it says.")
        del self._raw[:2]

    def _trailer(self) -> Iterator[None]:
        while not (fields := _TRAILER.match(self._raw)):
            if len(self._raw) > LONGEST_TRAILER:
                raise Problem("malformed_request", "The chunks' trailer is too long.")
            yield
        del self._raw[: fields.end()]
        self.complete = True
