"""Slots limit an organization's concurrent work in one process.

*Heavy* work needs a slot. An organization with *slow* requests gets half of the threads. Further requests fail with
429 `busy`.
"""

import contextlib
import math
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack

from pyramid.config import Configurator

from pipeline.http.core.request import Request
from pipeline.validation.errors import Problem

DOCUMENT, IMPORT, EXPORT, UPLOAD, SEARCH = "document", "import", "export", "upload", "search"
BATCH = "batch"
TEXT, DOWNLOAD, LOOK_UP, PAGE = "text", "download", "look-up", "page"
CHECK = "check"
# Owns the slot of `/verify`.
NOBODY = -1
# Short work may use all slots of its organization.
SHORT = (SEARCH, PAGE)
RETRY_SECONDS = 2
# Above this a request is slow.
SLOW_SECONDS = 0.05
# Large files sent at once to an organization.
MOST_SENT = 4
# The time constant of the average slowness.
MEMORY_SECONDS = 2.0


class Slots:
    """The slots of one process.

    at_once: all; an organization gets half, and one per kind that is not SHORT.
    documents: rendered at once.
    """

    def __init__(self, at_once: int, documents: int) -> None:
        self.at_once, self.each = at_once, (at_once + 1) // 2
        self.documents = documents
        self.lock = threading.Lock()
        self.taken: Counter[tuple[str, int]] = Counter()
        self.sent: Counter[int] = Counter()

    def check_free(self, kind: str, organization_id: int) -> None:
        """Raise 429 when no slot is free."""
        with self.lock:
            self._check(kind, organization_id)

    @contextlib.contextmanager
    def slot(self, kind: str, organization_id: int) -> Iterator[None]:
        """Hold a slot; raises 429 without a free one."""
        with self.lock:
            self._check(kind, organization_id)
            self.taken[kind, organization_id] += 1
        try:
            yield
        finally:
            with self.lock:
                self.taken[kind, organization_id] -= 1
                self.taken += Counter()  # drops zeros

    @contextlib.contextmanager
    def sending(self, organization_id: int) -> Iterator[None]:
        """Count a large file while it is sent; raises 429."""
        with self.lock:
            if self.sent[organization_id] >= MOST_SENT:
                raise busy("Your organization's other downloads are still under way. Try again when they are done.")
            self.sent[organization_id] += 1
        try:
            yield
        finally:
            with self.lock:
                self.sent[organization_id] -= 1
                self.sent += Counter()

    def _check(self, kind: str, organization_id: int) -> None:
        """Raise 429 when no slot is free; needs the lock."""
        own = sum(count for (_, other), count in self.taken.items() if other == organization_id)
        documents = sum(count for (other, _), count in self.taken.items() if other == DOCUMENT)
        free = (
            self.taken.total() < self.at_once
            and own < self.each
            and (kind in SHORT or not self.taken[kind, organization_id])
            and (kind != DOCUMENT or documents < self.documents)
        )
        if not free:
            raise busy()


class Shares:
    """Running requests by organization, and their slowness."""

    def __init__(self, threads: int, clock: Callable[[], float] = time.monotonic) -> None:
        self.most, self.clock = max(1, threads // 2), clock
        # As if a quarter of the threads ran slow requests.
        self.bearable = threads / 4 * MEMORY_SECONDS
        self.lock = threading.Lock()
        self.running: Counter[int] = Counter()
        self.slow: dict[int, tuple[float, float]] = {}

    def enter(self, organization_id: int) -> float:
        """Count a request in; returns the time, raises 429."""
        with self.lock:
            many = self.running[organization_id] >= self.most
            if many and self._slowness(organization_id) > self.bearable:
                raise busy("Your organization's requests take long at the moment. Send fewer at once.")
            self.running[organization_id] += 1
        return self.clock()

    def leave(self, organization_id: int, entered: float, counts: bool = True) -> None:
        """Count a request out; `counts` includes its slowness."""
        with self.lock:
            self.running[organization_id] -= 1
            if not self.running[organization_id]:
                del self.running[organization_id]
            slow = self.clock() - entered - SLOW_SECONDS
            if counts and slow > 0:
                self.slow[organization_id] = self._slowness(organization_id) + slow, self.clock()

    def _slowness(self, organization_id: int) -> float:
        seconds, then = self.slow.get(organization_id, (0.0, 0.0))
        left = seconds * math.exp((then - self.clock()) / MEMORY_SECONDS)
        if left < SLOW_SECONDS:
            self.slow.pop(organization_id, None)
        return left


def slots_of(request: Request) -> Slots:
    slots: Slots = request.registry.slots
    return slots


def share(request: Request, organization_id: int, heavy: str | None = None) -> None:
    """Count the request in its organization's share; 429 beyond it or without a slot for heavy work."""
    if request.shared:
        return
    if heavy:
        slots_of(request).check_free(heavy, organization_id)
    shares: Shares = request.registry.shares
    entered = shares.enter(organization_id)
    request.shared = True
    request.add_finished_callback(lambda _request: shares.leave(organization_id, entered, request.slot is None))


def hold(request: Request, kind: str, organization_id: int | None = None) -> None:
    """Hold a slot until the request ends; raises 429. A streamed response holds it further (`pop_all`)."""
    if request.slot is not None:
        return
    slot = contextlib.ExitStack()
    slot.enter_context(slots_of(request).slot(kind, organization_id or request.caller.organization_id))
    request.slot = slot
    request.add_finished_callback(lambda _request: slot.close())


def hold_download(request: Request, organization_id: int | None = None) -> ExitStack:
    """Hold a slot and count the download; the result ends the count."""
    hold(request, DOWNLOAD, organization_id)
    sent = contextlib.ExitStack()
    sent.enter_context(slots_of(request).sending(organization_id or request.caller.organization_id))
    return sent


def busy(detail: str = "Your organization's other work is still under way. Try again in a moment.") -> Problem:
    """The 429 beyond an organization's slots."""
    return Problem("busy", detail, headers={"Retry-After": str(RETRY_SECONDS)})


def includeme(config: Configurator) -> None:
    settings = config.registry.pipeline
    config.registry.slots = Slots(settings.heavy_requests, settings.document_processes)
    config.registry.shares = Shares(settings.web_threads)
