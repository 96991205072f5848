"""Slots: how much work a process does at once for one organization, so that the others find threads and connections.

*Heavy* work, which is known beforehand (documents, long contract texts, imports, exports, uploads, large downloads,
searches, large pages of forms, looking up a webhook's host), needs a slot, in all and for each organization. Any other
request may turn out *slow*: it waits for a lock, or reads far down a list. An organization whose requests are slow for
long has no more than half of the threads until they are quick again.

Who may not go on is told so at once (429 `busy`): nobody waits on a thread that others need. All is counted in memory,
since what it protects, the threads and connections of this process, is its own too. Such a count costs nothing, is
never wrong, needs no Redis and no lease, and ends with its process.
"""

import contextlib
import math
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack

from pyramid.config import Configurator

from pipeline.errors import Problem
from pipeline.http.request import Request

DOCUMENT, IMPORT, EXPORT, UPLOAD, SEARCH = "document", "import", "export", "upload", "search"
TEXT, DOWNLOAD, LOOK_UP, PAGE = "text", "download", "look-up", "page"
# Work of less than a second: an organization may use all of its slots for it.
SHORT = (SEARCH, PAGE)
RETRY_SECONDS = 2
# What a request without a slot takes beyond this counts as slow.
SLOW_SECONDS = 0.05
# So many large files of one organization may wait for their readers in a process at the same time.
MOST_SENT = 4
# Over about so many seconds slowness is averaged.
MEMORY_SECONDS = 2.0


class Slots:
    """The slots of one process.

    at_once: how much heavy work it does at once; an organization has half of it, rounded up. Work of a SHORT kind may
    take all of that. Of each other kind an organization has one. documents: how many are rendered at once.
    """

    def __init__(self, at_once: int, documents: int) -> None:
        self.at_once, self.each = at_once, (at_once + 1) // 2
        self.documents = documents
        self.lock = threading.Lock()
        self.taken: Counter[tuple[str, int]] = Counter()
        self.sent: Counter[int] = Counter()

    def look(self, kind: str, organization_id: int) -> None:
        """Raise the 429 where an organization would get no slot for a kind of work."""
        with self.lock:
            self._check(kind, organization_id)

    @contextlib.contextmanager
    def slot(self, kind: str, organization_id: int) -> Iterator[None]:
        """Hold a slot for a kind of work of an organization; raises the 429 when there is none."""
        with self.lock:
            self._check(kind, organization_id)
            self.taken[kind, organization_id] += 1
        try:
            yield
        finally:
            with self.lock:
                self.taken[kind, organization_id] -= 1
                self.taken += Counter()  # forgets who has none

    @contextlib.contextmanager
    def sending(self, organization_id: int) -> Iterator[None]:
        """Count a large file of an organization that is being sent; raises the 429 for one too many."""
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
        """Raise the 429 unless there is a slot; the caller has the lock."""
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
    """The requests that are under way in one process, by organization, and how slow the last ones were."""

    def __init__(self, threads: int, clock: Callable[[], float] = time.monotonic) -> None:
        self.most, self.clock = max(1, threads // 2), clock
        # As if a quarter of the threads did nothing but slow requests.
        self.bearable = threads / 4 * MEMORY_SECONDS
        self.lock = threading.Lock()
        self.running: Counter[int] = Counter()
        self.slow: dict[int, tuple[float, float]] = {}

    def enter(self, organization_id: int) -> float:
        """Count a request in, and return the moment; raises the 429 for one too many of a slow organization."""
        with self.lock:
            many = self.running[organization_id] >= self.most
            if many and self._slowness(organization_id) > self.bearable:
                raise busy("Your organization's requests take long at the moment. Send fewer at once.")
            self.running[organization_id] += 1
        return self.clock()

    def leave(self, organization_id: int, entered: float, counts: bool = True) -> None:
        """Count a request out; `counts` says whether its slowness does."""
        with self.lock:
            self.running[organization_id] -= 1
            if not self.running[organization_id]:
                del self.running[organization_id]
            slow = self.clock() - entered - SLOW_SECONDS
            if counts and slow > 0:
                self.slow[organization_id] = self._slowness(organization_id) + slow, self.clock()

    def _slowness(self, organization_id: int) -> float:
        """Slow seconds of the last while, older ones less; what has faded is forgotten."""
        seconds, then = self.slow.get(organization_id, (0.0, 0.0))
        left = seconds * math.exp((then - self.clock()) / MEMORY_SECONDS)
        if left < SLOW_SECONDS:
            self.slow.pop(organization_id, None)
        return left


def share(request: Request, organization_id: int) -> None:
    """Count a request to an organization's share until it is over (once); raises the 429.

    Heavy work that would find no slot is refused here, too, before the database is asked who calls: a crowd that asks
    for it again and again costs little. The slot itself is taken by `hold`, once it is known that the caller may.
    """
    if request.shared:
        return
    if request.heavy:
        request.registry.slots.look(request.heavy, organization_id)
    shares = request.registry.shares
    entered = shares.enter(organization_id)
    request.shared = True
    request.add_finished_callback(lambda _request: shares.leave(organization_id, entered, request.slot is None))


def hold(request: Request, kind: str, organization_id: int | None = None) -> None:
    """Hold a slot of the caller's organization, or of a form's, to the end of the request; raises the 429.

    `request.slot` gives it back; a response that goes on working while it is sent takes it over (`pop_all`). A request
    that is performed again has its slot already.
    """
    if request.slot is not None:
        return
    slot = contextlib.ExitStack()
    slot.enter_context(request.registry.slots.slot(kind, organization_id or request.caller.organization_id))
    request.slot = slot
    request.add_finished_callback(lambda _request: slot.close())


def hold_download(request: Request, organization_id: int | None = None) -> ExitStack:
    """Hold the slot under which a large file is read, the caller's or that of a link's organization.

    Returns what counts it until its reader has it.
    """
    hold(request, DOWNLOAD, organization_id)
    sent = contextlib.ExitStack()
    sent.enter_context(request.registry.slots.sending(organization_id or request.caller.organization_id))
    return sent


def busy(detail: str = "Your organization's other work is still under way. Try again in a moment.") -> Problem:
    """The 429 for work beyond the organization's slots."""
    return Problem("busy", detail, headers={"Retry-After": str(RETRY_SECONDS)})


def includeme(config: Configurator) -> None:
    """Set up what is counted in this process: `registry.slots` and `registry.shares`."""
    settings = config.registry.pipeline
    config.registry.slots = Slots(settings.heavy_requests, settings.document_processes)
    config.registry.shares = Shares(settings.web_threads)
