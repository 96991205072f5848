"""One answer of the application: WSGI in, HTTP/1.1 out."""

import time
from collections.abc import Callable, Iterable
from email.utils import formatdate
from functools import lru_cache
from types import TracebackType
from typing import IO
from wsgiref.types import WSGIApplication, WSGIEnvironment
from wsgiref.util import FileWrapper

import structlog

from pipeline.errors import Problem
from pipeline.server.delivery import Delivery, Gone
from pipeline.server.spool import MEMORY

# Their answers have no body, whatever the application gives.
BODILESS = ("204", "304")

# As sys.exc_info() gives it.
ExcInfo = tuple[type[BaseException], BaseException, TracebackType] | tuple[None, None, None]

log = structlog.get_logger(__name__)


class Answer:
    """The answer to a request, which a Delivery brings to the client.

    keep_alive: whether the connection is to go on; false afterwards when the answer's end is its end.
    """

    def __init__(self, environ: WSGIEnvironment, keep_alive: bool, delivery: Delivery) -> None:
        self.head_only = environ["REQUEST_METHOD"] == "HEAD"
        self.modern = environ["SERVER_PROTOCOL"] == "HTTP/1.1"
        self.keep_alive, self.delivery, self.send = keep_alive, delivery, delivery.write
        self.status = ""
        self.headers: list[tuple[str, str]] = []
        self.begun = self.chunked = self.bodiless = False
        self.left: int | None = None

    def start(
        self, status: str, headers: list[tuple[str, str]], error: ExcInfo | None = None
    ) -> Callable[[bytes], None]:
        """WSGI's start_response."""
        try:
            if self.begun and error and error[1]:
                raise error[1]
            if self.status and not error:
                raise RuntimeError("start_response was called twice.")
        finally:
            error = None
        self.status, self.headers = status, headers
        return self.write

    def write(self, data: bytes) -> None:
        """Send a piece of the body, the head before it."""
        if not self.begun:
            self.send(self._begin() + self._framed(data))
        elif data:
            piece = self._framed(data)
            if piece:
                self.send(piece)

    def finish(self) -> None:
        """Send what is missing when the application has given everything. Raises ValueError if that was too little."""
        if not self.begun:
            if not self.status:
                raise RuntimeError("start_response was not called.")
            if self._length() is None and self._may_have_body():
                self.headers = [*self.headers, ("Content-Length", "0")]
            self.write(b"")
        if self.left:
            raise ValueError("The application gave less than it said.")
        if self.chunked:
            self.send(b"0\r\n\r\n")

    def leave_file(self, file: IO[bytes]) -> bool:
        """Whether a large file follows the head as it is, which is then sent without holding a thread."""
        size = self._length()
        if not size or size <= MEMORY or not self._may_have_body() or not _is_on_disk(file):
            return False
        head, self.left = self._begin(), 0
        if not self.delivery.put_file(head, file, size):
            self.begun = False
            raise Problem("unavailable", "Too much is being downloaded at the same time.")
        return True

    def _length(self) -> int | None:
        return next((int(value) for name, value in self.headers if name.lower() == "content-length"), None)

    def _may_have_body(self) -> bool:
        return not self.head_only and not self.status.startswith(BODILESS)

    def _begin(self) -> bytes:
        self.begun, self.left = True, self._length()
        self.bodiless = not self._may_have_body()
        lines = [f"HTTP/1.1 {self.status}", *(f"{name}: {value}" for name, value in self.headers)]
        if self.bodiless:
            self.left = None
        elif self.left is None and self.modern:
            self.chunked = True
            lines.append("Transfer-Encoding: chunked")
        elif self.left is None:
            self.keep_alive = False
        if not self.keep_alive:
            lines.append("Connection: close")
        elif not self.modern:
            lines.append("Connection: keep-alive")
        lines += (_date(int(time.time())), "", "")
        return "\r\n".join(lines).encode("latin-1")

    def _framed(self, data: bytes) -> bytes:
        if self.bodiless or not data:
            return b""
        if self.chunked:
            return b"%x\r\n%b\r\n" % (len(data), data)
        if self.left is not None:
            data = data[: self.left]
            self.left -= len(data)
        return data


def _is_on_disk(file: IO[bytes]) -> bool:
    """Whether the system knows the file."""
    try:
        return file.fileno() >= 0
    except (AttributeError, OSError):
        return False


@lru_cache(maxsize=1)
def _date(second: int) -> str:
    return f"Date: {formatdate(second, usegmt=True)}"


def respond(application: WSGIApplication, environ: WSGIEnvironment, answer: Answer) -> None:
    """Run the application and send what it gives.

    Raises Problem when nothing was sent yet, and Gone when the answer cannot be completed.
    """
    pieces: Iterable[bytes] = ()
    try:
        pieces = application(environ, answer.start)
        if isinstance(pieces, FileWrapper) and answer.leave_file(pieces.filelike):
            pieces = ()  # it is closed when it is sent
        else:
            for piece in pieces:
                answer.write(piece)
            answer.finish()
    except Gone:
        raise
    except Exception as error:
        if not isinstance(error, Problem):
            log.error("crash", exc_info=error)
        if answer.begun:
            raise Gone from error
        raise error if isinstance(error, Problem) else Problem("internal_error") from error
    finally:
        close = getattr(pieces, "close", None)
        if close is not None:
            close()
