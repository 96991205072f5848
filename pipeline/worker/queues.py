"""The queues of the worker: each is worked off by processes of its own, so that none can delay another.

Which queue an event goes through stands in the database, in the column `queue` of app.outbox: by its name. What has no
other queue goes through `mail`, as the periodic jobs do. Through `webhooks` go no events, but deliveries to webhooks.
"""

from typing import NamedTuple

from pipeline.database import Row, queries
from pipeline.settings import Settings

MAIL, DOCUMENTS, WEBHOOKS = "mail", "documents", "webhooks"
QUEUES = (MAIL, DOCUMENTS, WEBHOOKS)


class Queue(NamedTuple):
    """A queue: its name, and how many of its tasks a process does at once."""

    name: str
    places: int

    @property
    def share(self) -> int:
        """How many tasks of one organization are in hand at most, in all processes together: half of the places.

        Of messages to webhooks a quarter: a receiver may be silent for ten seconds, and waiting for it costs little.
        """
        return max(1, self.places // (4 if self.name == WEBHOOKS else 2))

    @property
    def length(self) -> int:
        """How many tasks may wait in Redis; what is due beyond waits in the outbox, where the turns are."""
        return 2 * self.places

    @property
    def connections(self) -> int:
        """How many connections to the database a process needs, beside the one that listens.

        An event may open a second transaction. A message to a webhook is sent while none is open.
        """
        return 2 + self.places // 4 if self.name == WEBHOOKS else 2 * self.places + 1

    def lease(self, limit: int, seconds: float) -> list[Row]:
        """Due work as rows (organization_id, id, request_id), `limit` at most, leased for so many seconds."""
        if self.name == WEBHOOKS:
            return queries.webhook_lease(limit=limit, each=self.share, seconds=seconds)
        return queries.outbox_lease(queue=self.name, limit=limit, each=self.share, seconds=seconds)

    @property
    def key(self) -> str:
        """The queue's name in Redis."""
        return f"pipeline.{self.name}"


def queue_of(settings: Settings, name: str) -> Queue:
    """The Queue of this name as Settings have it."""
    places = {DOCUMENTS: settings.document_processes, WEBHOOKS: settings.webhook_threads}
    return Queue(name, places.get(name, settings.worker_threads))
