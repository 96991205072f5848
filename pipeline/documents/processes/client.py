"""The client of the renderer process, and their protocol."""

import contextlib
import os
import signal
import socket
import struct
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

from pipeline.documents.document import TooComplex, TooSlow

ROOT = Path(__file__).resolve().parents[3]
# Nothing is collected until the renderer is ready (see _warm_up in renderer.py).
MAIN = (
    "import gc, sys; gc.disable(); sys.path.insert(0, sys.argv[1]);"
    " from pipeline.documents.processes.renderer import main; main(sys.argv[2:])"
)
# Variables that libraries need; the child gets no setting or secret.
KEPT = ("LD_LIBRARY_PATH", "FONTCONFIG_FILE", "FONTCONFIG_PATH")
START_SECONDS = 30.0
GRACE_SECONDS = 5.0
CHUNK = 1024 * 1024
DONE, REFUSED, CRASHED = b"+", b"-", b"!"
STATUS = struct.Struct("!i")
NO_MEMORY = 12  # exit status after a MemoryError (ENOMEM's number)
# Language, and whether the document is a signed copy.
HEAD = struct.Struct("35s?")


# The room of a signed copy: signatures one letter wide, and their certificate.
MORE_SECONDS, MORE_MEMORY_MIB, MORE_OUTPUT_MIB, MORE_PAGES = 10, 256, 8, 200


class RenderLimits(NamedTuple):
    """The limits of a document and of the pool; `seconds` is processor time."""

    seconds: int = 20
    memory_mib: int = 1024
    output_mib: int = 32
    pages: int = 300
    processes: int = 2
    queue_seconds: int = 10

    def of(self, signed: bool) -> "RenderLimits":
        """Wider ones for a signed copy."""
        if not signed:
            return self
        return self._replace(
            seconds=2 * self.seconds + MORE_SECONDS,
            memory_mib=self.memory_mib + MORE_MEMORY_MIB,
            output_mib=self.output_mib + MORE_OUTPUT_MIB,
            pages=2 * self.pages + MORE_PAGES,
        )

    @property
    def patience(self) -> float:
        """The wall-clock limit in seconds."""
        return self.seconds * 2

    @property
    def too_large(self) -> str:
        """The error message for a file above `output_mib`."""
        return f"The document's file is larger than {self.output_mib} MiB."


class RendererDied(Exception):
    """A process ended without a response."""


class Renderer:
    """A renderer process and its control socket."""

    def __init__(self, limits: RenderLimits) -> None:
        self.limits = limits
        self.control, theirs = socket.socketpair()
        environment = {name: os.environ[name] for name in KEPT if name in os.environ}
        with theirs, contextlib.ExitStack() as undo:
            undo.callback(self.control.close)
            # A new session, so that Ctrl-C does not interrupt pending documents.
            self.process = subprocess.Popen(
                [sys.executable, "-I", "-c", MAIN, str(ROOT), str(theirs.fileno()), *map(str, limits)],
                pass_fds=(theirs.fileno(),),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                cwd="/",
                env={"LC_ALL": "C.UTF-8"} | environment,
                start_new_session=True,
            )
            undo.pop_all()
        self.deadline = time.monotonic() + START_SECONDS
        self.lost = False

    def ask(self, request: bytes, language: str, signed: bool) -> bytes:
        """Renders a packed document; raises RendererDied, TooComplex or Unavailable.

        `language` is a BCP 47 tag, read before the fork.
        """
        limits = self.limits.of(signed)
        until = max(self.deadline, time.monotonic()) + limits.patience + GRACE_SECONDS
        data = status = b""
        try:
            ours, theirs = socket.socketpair()
            end, their_end = socket.socketpair()
            with ours, end:
                with theirs, their_end:
                    socket.send_fds(
                        self.control, [HEAD.pack(language.encode(), signed)], [theirs.fileno(), their_end.fileno()]
                    )
                ours.settimeout(_seconds_left(until))
                ours.sendall(request)
                ours.shutdown(socket.SHUT_WR)
                data = _receive(ours, until, limits)
                end.settimeout(_seconds_left(until))
                status = end.recv(STATUS.size)
        except TimeoutError:
            self.process.kill()
        except OSError:
            pass
        self.deadline = 0.0
        if not status:
            self.lost = True
            raise RendererDied
        (ended,) = STATUS.unpack(status)
        return _result_of(data, ended, limits)

    def alive(self) -> bool:
        """Whether the process runs and has not failed."""
        return not self.lost and self.process.poll() is None

    def stop(self) -> None:
        """Ends the process and its children."""
        self.control.close()
        try:
            self.process.wait(GRACE_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def forget(self) -> None:
        """Detaches from the parent's process after a fork."""
        self.control.close()
        self.process.returncode = 0


def _result_of(data: bytes, status: int, limits: RenderLimits) -> bytes:
    """The file, or the error of the exit status; a negative status is a signal."""
    if -status == signal.SIGXCPU:
        raise TooComplex(f"Rendering takes more than {limits.seconds} seconds.")
    if -status == signal.SIGALRM:
        raise TooSlow(f"The machine is too busy: the document was not rendered within {limits.patience} seconds.")
    if status == NO_MEMORY or -status in _OUT_OF_MEMORY:
        raise TooComplex(f"Rendering needs more than {limits.memory_mib} MiB of memory.")
    if status or not data:
        raise RendererDied
    answer, payload = data[:1], data[1:]
    if answer == REFUSED:
        raise TooComplex(payload.decode())
    if answer == CRASHED:
        raise RuntimeError(f"The renderer failed.\n{payload.decode()}")
    return payload


# A C library without memory ends the process by one of these.
_OUT_OF_MEMORY = (signal.SIGABRT, signal.SIGTRAP, signal.SIGBUS, signal.SIGSEGV)


def _receive(sock: socket.socket, until: float, limits: RenderLimits) -> bytes:
    parts: list[bytes] = []
    size = 0
    while True:
        sock.settimeout(_seconds_left(until))
        part = sock.recv(CHUNK)
        if not part:
            return b"".join(parts)
        parts.append(part)
        size += len(part)
        if size > limits.output_mib * 1024 * 1024 + CHUNK:
            raise TooComplex(limits.too_large)


def _seconds_left(until: float) -> float:
    left = until - time.monotonic()
    if left <= 0:
        raise TimeoutError
    return left
