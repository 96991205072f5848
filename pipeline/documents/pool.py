"""The renderer of this process, and the turns to use it.

A service process keeps one renderer (renderer.py), started by its first document. It is a process with everything
loaded that forks for each document, so a document starts at once, has the limits to itself and leaves nothing behind.
"""

import atexit
import contextlib
import os
import threading

import structlog

from pipeline.documents.client import Gone, Limits, Renderer
from pipeline.documents.document import KINDS, REDLINE, Document, TooComplex, Unavailable, check, language_tag, pack
from pipeline.telemetry.metrics import renders, timed
from pipeline.telemetry.tracing import span

log = structlog.get_logger(__name__)


class _Pool:
    """The renderer of this process, and the turns to use it."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.turns = threading.BoundedSemaphore(limits.processes)
        self.lock = threading.Lock()
        self.renderer: Renderer | None = None

    def current(self) -> Renderer:
        """The running Renderer, started when there is none."""
        with self.lock:
            if self.renderer is None or not self.renderer.alive():
                self._end()
                try:
                    self.renderer = Renderer(self.limits)
                except OSError as error:  # no process or no socket to be had
                    raise Gone from error
            return self.renderer

    def close(self) -> None:
        """End the renderer."""
        with self.lock:
            self._end()

    def _end(self) -> None:
        if self.renderer is not None:
            self.renderer.stop()
            self.renderer = None


_pool = _Pool(Limits())


def configure(**bounds: int) -> None:
    """Take the fields of Limits; a renderer with other limits is ended."""
    global _pool
    limits = Limits(**bounds)
    if limits != _pool.limits:
        _pool, former = _Pool(limits), _pool
        former.close()


def limits() -> Limits:
    """The Limits in force."""
    return _pool.limits


def render(kind: str, document: Document) -> bytes:
    """The file of a Document, kind `pdf`, `docx` or `redline`, made in a process of its own within limits.

    Raises TooComplex when a limit is hit, Unavailable when no renderer could be had (after a second try),
    ValueError when the logo is neither PNG nor JPEG.
    """
    if kind not in (*KINDS, REDLINE):
        raise ValueError(f"No such kind of document: {kind}")
    check(document)
    with span(f"render {kind}"), timed(renders, kind) as outcome:
        try:
            return _render(kind, document, _pool)
        except (TooComplex, Unavailable) as error:
            outcome[0] = "refused" if isinstance(error, TooComplex) else "unavailable"
            raise


def _render(kind: str, document: Document, pool: _Pool) -> bytes:
    request = pack(kind, document)
    # A web process lets no more documents through than there are turns; the threads of a worker wait.
    if not pool.turns.acquire(timeout=pool.limits.queue_seconds):
        raise Unavailable("Too many documents are being rendered.")
    try:
        for _attempt in range(2):
            with contextlib.suppress(Gone):
                return pool.current().ask(request, language_tag(document.language))
    finally:
        pool.turns.release()
    log.warning("renderer_gone", kind=kind)
    raise Unavailable("The renderer ended without an answer.")


def stop() -> None:
    """End this process's renderer; the next document starts another."""
    _pool.close()


def _after_fork() -> None:
    global _pool
    if _pool.renderer is not None:
        _pool.renderer.forget()
    _pool = _Pool(_pool.limits)


os.register_at_fork(after_in_child=_after_fork)
atexit.register(stop)
