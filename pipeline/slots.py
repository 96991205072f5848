"""Slots: how much heavy work a process does at once, in all and for each organization.

Who finds none free is told so at once (429 `busy`): nobody waits on a thread that others need. Slots are counted in
memory, since what they protect, the threads and connections of this process, is its own too. Such a count costs
nothing, is never wrong, needs no Redis and no lease, and ends with its process.
"""

import contextlib
import threading
from collections import Counter

from pipeline.problems import Problem

DOCUMENT, IMPORT, EXPORT, UPLOAD, SEARCH = "document", "import", "export", "upload", "search"
RETRY_SECONDS = 2


class Slots:
    """The slots of one process.

    at_once: how much heavy work it does at once; an organization has half of it, rounded up. Searches are short: they
    may take all of that. Of each other kind an organization has one. documents: how many are rendered at once.
    """

    def __init__(self, at_once, documents):
        self.at_once, self.each = at_once, (at_once + 1) // 2
        self.documents = documents
        self.lock, self.taken = threading.Lock(), Counter()

    @contextlib.contextmanager
    def slot(self, kind, organization_id):
        """Hold a slot for a kind of work of an organization; raises the 429 when there is none."""
        with self.lock:
            if not self._free(kind, organization_id):
                raise busy()
            self.taken[kind, organization_id] += 1
        try:
            yield
        finally:
            with self.lock:
                self.taken[kind, organization_id] -= 1
                self.taken += Counter()  # forgets who has none

    def _free(self, kind, organization_id):
        own = sum(count for (_, other), count in self.taken.items() if other == organization_id)
        documents = sum(count for (other, _), count in self.taken.items() if other == DOCUMENT)
        return (
            self.taken.total() < self.at_once
            and own < self.each
            and (kind == SEARCH or not self.taken[kind, organization_id])
            and (kind != DOCUMENT or documents < self.documents)
        )


def hold(request, kind):
    """Hold a slot of the caller's organization to the end of the request, however it ends; raises the 429.

    Returns the ExitStack that gives it back; a response that goes on working while it is sent takes it over
    (`pop_all`).
    """
    held = contextlib.ExitStack()
    held.enter_context(request.registry.slots.slot(kind, request.caller.organization_id))
    request.add_finished_callback(lambda _request: held.close())
    return held


def busy(detail="Your organization's other work is still under way. Try again in a moment."):
    """The 429 for work that cannot be done beside what is under way."""
    return Problem("busy", detail, headers={"Retry-After": str(RETRY_SECONDS)})


def includeme(config):
    """Set up the slots of this process: `registry.slots`."""
    settings = config.registry.pipeline
    config.registry.slots = Slots(settings.heavy_at_once, settings.document_processes)
