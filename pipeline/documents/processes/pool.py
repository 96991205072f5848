"""The renderer of this process and its concurrency limit."""

import atexit
import contextlib
import os
import threading

import structlog

from pipeline.documents.document import (
    CLOSING,
    COPY,
    KINDS,
    PDF,
    REDLINE,
    Document,
    TooComplex,
    Unavailable,
    check,
    language_tag,
    pack,
)
from pipeline.documents.processes.client import Renderer, RendererDied, RenderLimits
from pipeline.documents.processes.converted import completed
from pipeline.documents.processes.converter import Converter
from pipeline.process.metrics import renders, timed
from pipeline.process.tracing import span

log = structlog.get_logger(__name__)


class _Pool:
    def __init__(self, limits: RenderLimits) -> None:
        self.limits = limits
        self.turns = threading.BoundedSemaphore(limits.processes)
        self.converter = Converter(limits)
        self.lock = threading.Lock()
        self.renderer: Renderer | None = None

    def current(self) -> Renderer:
        """The running Renderer, started if necessary; raises RendererDied."""
        with self.lock:
            if self.renderer is None or not self.renderer.alive():
                self._end()
                try:
                    self.renderer = Renderer(self.limits)
                except OSError as error:  # no process or socket available
                    raise RendererDied from error
            return self.renderer

    def close(self) -> None:
        """Stops the renderer."""
        with self.lock:
            self._end()

    def _end(self) -> None:
        if self.renderer is not None:
            self.renderer.stop()
            self.renderer = None


_pool = _Pool(RenderLimits())


def configure(**bounds: int) -> None:
    """Sets the fields of Limits; a change stops the renderer."""
    global _pool
    limits = RenderLimits(**bounds)
    if limits != _pool.limits:
        _pool, former = _Pool(limits), _pool
        former.close()


def limits() -> RenderLimits:
    return _pool.limits


def render(kind: str, document: Document) -> bytes:
    """Renders a Document as `pdf`, `docx`, `redline` or `copy` in a separate process.

    Raises TooComplex, Unavailable after two attempts, ValueError for an invalid logo.
    """
    if kind not in (*KINDS, REDLINE, COPY):
        raise ValueError(f"No such kind of document: {kind}")
    check(document)
    with span(f"render {kind}"), timed(renders, kind) as outcome:
        try:
            return _convert(document, _pool) if document.files and kind == PDF else _render(kind, document, _pool)
        except (TooComplex, Unavailable) as error:
            outcome[0] = "refused" if isinstance(error, TooComplex) else "unavailable"
            raise


def _convert(document: Document, pool: _Pool) -> bytes:
    """The PDF of an author's filled Word file, and the closing pages after it."""
    closing = document.closing
    made = pool.converter.convert(_render(PDF, document, pool), closing is not None)
    return completed(made, document.title, (_render(CLOSING, document, pool), closing.language) if closing else None)


def _render(kind: str, document: Document, pool: _Pool) -> bytes:
    request = pack(kind, document)
    # Web requests never exceed the semaphore; the worker's threads can wait here.
    if not pool.turns.acquire(timeout=pool.limits.queue_seconds):
        raise Unavailable("Too many documents are being rendered.")
    try:
        for _attempt in range(2):
            with contextlib.suppress(RendererDied):
                return pool.current().ask(request, language_tag(document.language), document.closing is not None)
    finally:
        pool.turns.release()
    log.warning("renderer_gone", kind=kind)
    raise Unavailable("The renderer ended without an answer.")


def stop() -> None:
    """Stops the renderer; the next document starts another."""
    _pool.close()


def _after_fork() -> None:
    global _pool
    if _pool.renderer is not None:
        _pool.renderer.forget()
    _pool = _Pool(_pool.limits)


os.register_at_fork(after_in_child=_after_fork)
atexit.register(stop)
