"""waitress's request parsing, strict where RFC 9112 allows a proxy another reading."""

import re
from typing import Any

from waitress.adjustments import Adjustments
from waitress.parser import HTTPRequestParser, ParsingError, TransferEncodingNotImplemented
from waitress.receiver import ChunkedReceiver
from waitress.utilities import BadRequest, Error

# Above the limit of an upload, 25 MiB.
LARGEST_BODY = 32 * 1024 * 1024
LONGEST_LINE, LONGEST_TRAILER = 1024, 8192
# Limits the frames of tiny chunks, since each costs time.
LARGEST_FRAMES = 16 * 1024
_START = re.compile(
    rb"[!#$%&'*+.^_`|~0-9A-Za-z-]{1,40} "
    rb"(?:/[!\"$-~]*|(?i:https?)://(?:\[[0-9A-Fa-f:.]+\](?::[0-9]*)?|[0-9A-Za-z._:-]+)(?:[/?][!\"$-~]*)?)"
    rb" HTTP/1\.[01]"
)
# Repeated, these are ambiguous.
_ONCE = re.compile(
    rb"\r\n(host|content-length|content-type|transfer-encoding|authorization|idempotency-key):", re.IGNORECASE
)
_CHUNKED = re.compile(rb"\r\ntransfer-encoding:[ \t]*chunked[ \t]*\r\n", re.IGNORECASE)
_FOLDED = re.compile(rb"\r\n[ \t]")
_SIZE = re.compile(rb"[0-9A-Fa-f]{1,8}[ \t]*(;[\t -~]*)?\r\n")


class Parser(HTTPRequestParser):
    """Reads one request."""

    # Logged when the head is unreadable.
    path = command = ""
    # The reason of our own refusal.
    detail: str | None = None
    # Bytes that follow this request.
    rest = b""
    error: Error | None
    body_rcv: Any

    def __init__(self, adj: Adjustments) -> None:
        super().__init__(adj)
        self.headers: dict[str, str] = {}

    def received(self, data: bytes) -> int:
        """Read bytes; returns the number read: all once the request is complete. Bytes after it become `rest`."""
        taken: int = super().received(data)
        if self.error:
            # No 100 Continue for a refused request.
            self.expect_continue = False
        if not self.completed:
            return taken
        self.rest = data[taken:]
        return len(data)

    def parse_header(self, header_plus: bytes) -> None:
        """Read the head; raises ParsingError."""
        try:
            super().parse_header(header_plus)
        except (ValueError, TransferEncodingNotImplemented):
            raise ParsingError("The request cannot be read.") from None
        self.detail = self._obstacle(header_plus)
        if self.detail:
            raise ParsingError(self.detail)
        self.path = self.path or "/"
        if self.chunked:
            self.body_rcv = Chunks(self.body_rcv.getbuf())
        if self.body_rcv is None:
            # Waitress would wait for a body and take the next request for it.
            self.expect_continue = False

    def _obstacle(self, head: bytes) -> str | None:
        names = [name.lower() for name in _ONCE.findall(head)]
        twice = next((name.decode().title() for name in names if names.count(name) > 1), None)
        if twice:
            return f"The request has the field {twice} twice."
        if not _START.fullmatch(head.partition(b"\r\n")[0]):
            return "The request line is not one of HTTP/1.1."
        if _FOLDED.search(head):
            return "A header field goes on in the next line."
        if self.version == "1.1" and b"host" not in names:
            return "The request has no field Host."
        if b"transfer-encoding" in names and (
            self.version == "1.0" or b"content-length" in names or not _CHUNKED.search(head)
        ):
            return "The body must come with a Content-Length, or in chunks over HTTP/1.1."
        return None


class Chunks(ChunkedReceiver):
    """Reads a chunked body, without waitress' bare line feeds and unlimited chunks."""

    error: Error | None
    frames = 0

    def received(self, data: bytes) -> int:
        """Read bytes; returns the number that belong to the body."""
        taken = 0
        while taken < len(data) and not self.completed and not self.error:
            if self.chunk_remainder:
                taken += super().received(data[taken : taken + self.chunk_remainder])
                continue
            piece = self._frame(data, taken)
            if self._is_bad(piece):
                self.error = BadRequest("The chunks cannot be read.")
            else:
                self.frames += len(piece)
                taken += super().received(piece)
        return taken

    def _frame(self, data: bytes, start: int) -> bytes:
        if self.validate_chunk_end:
            return data[start : start + 2 - len(self.chunk_end)]
        if self.all_chunks_received:
            return data[start:]
        return data[start : data.find(b"\n", start) + 1 or None]

    def _is_bad(self, piece: bytes) -> bool:
        if self.frames > LARGEST_FRAMES + len(self) // 16:
            return True
        if self.validate_chunk_end:
            return False  # waitress checks it
        if self.all_chunks_received:
            return len(self.trailer) > LONGEST_TRAILER
        line = self.control_line + piece
        return len(line) > LONGEST_LINE or (line.endswith(b"\n") and not _SIZE.fullmatch(line))
