"""Slots limit an organization's concurrent work in one process.

*Heavy* work needs a slot. An organization with *slow* requests gets half of the threads. Further requests fail with
429 `busy`.
"""

import contextlib
import math
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from contextlib import ExitStack

from pyramid.config import Configurator

from pipeline.http.request import Request, Share
from pipeline.validation.errors import Problem

DOCUMENT, CONVERSION, IMPORT, EXPORT, UPLOAD, SEARCH = "document", "conversion", "import", "export", "upload", "search"
BATCH = "batch"
TEXT, DOWNLOAD, LOOK_UP, PAGE = "text", "download", "look-up", "page"
# Short work may use all slots of its organization.
SHORT = (SEARCH, PAGE)
RETRY_SECONDS = 2
# Each takes a renderer, or a converter.
RENDERED = (DOCUMENT, CONVERSION)
# Above this a request is slow.
SLOW_SECONDS = 0.05
# Large files sent at once to an organization.
MOST_SENT = 4
# The time constant of the average slowness.
MEMORY_SECONDS = 2.0


class Slots:
    """The slots of one process.

    at_once: all; an organization gets half, and one per kind that is not SHORT.
    documents: rendered at once, and converted at once.
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
        alike = sum(count for (other, _), count in self.taken.items() if other == kind)
        free = (
            self.taken.total() < self.at_once
            and own < self.each
            and (kind in SHORT or not self.taken[kind, organization_id])
            and (kind not in RENDERED or alike < self.documents)
        )
        if not free:
            raise busy()


class Shares:
    """Running requests and their slowness, by owner: an organization's id, its negative for strangers on its pages."""

    def __init__(self, threads: int, clock: Callable[[], float] = time.monotonic) -> None:
        self.most, self.clock = max(1, threads // 2), clock
        # One thread is left to the others.
        self.all = max(1, threads - 1)
        # As if a quarter of the threads ran slow requests.
        self.bearable = threads / 4 * MEMORY_SECONDS
        self.left = threading.Condition()
        self.running: defaultdict[int, list[Share]] = defaultdict(list)
        self.slow: dict[int, tuple[float, float]] = {}

    def enter(self, owner: int) -> Share:
        """Count a request in; raises 429. Beyond all threads but one it waits while the others may be quick."""
        with self.left:
            many = len(self.running[owner]) >= self.most
            if many and self._slowness(owner) > self.bearable:
                raise _too_slow()
            # Strangers leave a thread to the people, too.
            places = self.all if owner > 0 else max(1, self.all - 1)
            if len(self._together(owner)) >= places and not self._gets_less(owner, places):
                raise _too_slow()
            share = Share(self.clock())
            self.running[owner].append(share)
        return share

    def _together(self, owner: int) -> list[Share]:
        """The running requests of an organization's people and strangers, oldest first."""
        return sorted([*self.running[owner], *self.running[-owner]], key=lambda share: share.entered)

    def _gets_less(self, owner: int, places: int) -> bool:
        """Whether a place is free before half of the threads run slow requests; people beside strangers wait longer."""
        beside_strangers = owner > 0 and len(self.running[owner]) < self.most
        since = self.clock() if beside_strangers else self._together(owner)[self.most - 1].entered
        patience = since + SLOW_SECONDS - self.clock()
        return self.left.wait_for(lambda: len(self._together(owner)) < places, max(0.0, patience))

    def leave(self, owner: int, share: Share) -> None:
        """Count a request out, and its slowness."""
        with self.left:
            self.running[owner].remove(share)
            if not self.running[owner]:
                del self.running[owner]
            slow = self._slow_seconds(share)
            if slow:
                self.slow[owner] = self._past(owner) + slow, self.clock()
            self.left.notify_all()

    def _slowness(self, owner: int) -> float:
        """Of the requests that have ended and of those that run."""
        return self._past(owner) + sum(map(self._slow_seconds, self.running[owner]))

    def _slow_seconds(self, share: Share) -> float:
        return max(0.0, self.clock() - share.entered - SLOW_SECONDS) if share.counts else 0.0

    def _past(self, owner: int) -> float:
        seconds, then = self.slow.get(owner, (0.0, 0.0))
        left = seconds * math.exp((then - self.clock()) / MEMORY_SECONDS)
        if left < SLOW_SECONDS:
            self.slow.pop(owner, None)
        return left


def slots_of(request: Request) -> Slots:
    slots: Slots = request.registry.slots
    return slots


def share(request: Request, organization_id: int, heavy: str | None = None, strangers: bool = False) -> None:
    """Count the request for its organization or its `strangers`; 429 beyond the share, or without a `heavy` slot."""
    if request.shared is not None:
        return
    if heavy:
        slots_of(request).check_free(heavy, organization_id)
    shares: Shares = request.registry.shares
    owner = -organization_id if strangers else organization_id
    share = request.shared = shares.enter(owner)
    share.counts = request.slot is None
    request.add_finished_callback(lambda _request: shares.leave(owner, share))


def hold(request: Request, kind: str, organization_id: int | None = None) -> None:
    """Hold a slot until the request ends; raises 429. A streamed response holds it further (`pop_all`)."""
    if request.slot is not None:
        return
    slot = contextlib.ExitStack()
    slot.enter_context(slots_of(request).slot(kind, organization_id or request.caller.organization_id))
    request.slot = slot
    if request.shared is not None:
        request.shared.counts = False
    request.add_finished_callback(lambda _request: slot.close())


def hold_download(request: Request, organization_id: int | None = None) -> ExitStack:
    """Hold a slot and count the download; the result ends the count."""
    hold(request, DOWNLOAD, organization_id)
    sent = contextlib.ExitStack()
    sent.enter_context(slots_of(request).sending(organization_id or request.caller.organization_id))
    return sent


def _too_slow() -> Problem:
    return busy("Your organization's requests take long at the moment. Send fewer at once.")


def busy(detail: str = "Your organization's other work is still under way. Try again in a moment.") -> Problem:
    """The 429 beyond an organization's slots."""
    return Problem("busy", detail, headers={"Retry-After": str(RETRY_SECONDS)})


def includeme(config: Configurator) -> None:
    settings = config.registry.pipeline
    config.registry.slots = Slots(settings.heavy_requests, settings.document_processes)
    config.registry.shares = Shares(settings.web_threads)
