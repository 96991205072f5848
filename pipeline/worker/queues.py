"""The queues of the worker, each with its own processes. `webhooks` carries deliveries, others events."""

from typing import NamedTuple

from pipeline.database import Row, queries
from pipeline.process.settings import Settings

MAIL, DOCUMENTS, CONVERSIONS, WEBHOOKS = "mail", "documents", "conversions", "webhooks"
QUEUES = (MAIL, DOCUMENTS, CONVERSIONS, WEBHOOKS)
# Concurrent messages of a process.
MESSAGES = 32


class Queue(NamedTuple):
    """A queue; a process runs `places` tasks at once."""

    name: str
    places: int

    @property
    def share(self) -> int:
        """The most active tasks of one organization."""
        return max(1, self.places // (4 if self.name == WEBHOOKS else 2))

    @property
    def length(self) -> int:
        """The most tasks in Redis; others wait in the outbox."""
        return 2 * self.places

    @property
    def connections(self) -> int:
        """The connections of a process; an event may open a second transaction."""
        return 2 + self.places // 4 if self.name == WEBHOOKS else 2 * self.places + 1

    def lease(self, limit: int, seconds: float) -> list[Row]:
        """Lease due work: rows (organization_id, id, request_id)."""
        if self.name == WEBHOOKS:
            return queries.webhook_lease(limit=limit, each=self.share, seconds=seconds)
        return queries.outbox_lease(queue=self.name, limit=limit, each=self.share, seconds=seconds)

    @property
    def key(self) -> str:
        return f"pipeline.{self.name}"


def queue_of(settings: Settings, name: str) -> Queue:
    rendered = dict.fromkeys((DOCUMENTS, CONVERSIONS), settings.document_processes)
    return Queue(name, {**rendered, WEBHOOKS: MESSAGES}.get(name, settings.worker_threads))
