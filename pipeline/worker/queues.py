"""The queues of the worker: each is worked off by processes of its own, so that none can delay another.

Which queue an event goes through stands in the database, in the column `queue` of app.outbox: by its name. What has no
other queue goes through `mail`, as the periodic jobs do.
"""

from typing import NamedTuple

MAIL, DOCUMENTS = "mail", "documents"
QUEUES = (MAIL, DOCUMENTS)


class Queue(NamedTuple):
    """A queue: its name, and how many of its tasks a process does at once."""

    name: str
    places: int

    @property
    def share(self):
        """How many events of one organization are in hand at most, in all processes together: half of the places."""
        return max(1, self.places // 2)

    @property
    def length(self):
        """How many tasks may wait in Redis; what is due beyond waits in the outbox, where the turns are."""
        return 2 * self.places

    @property
    def key(self):
        """The queue's name in Redis."""
        return f"pipeline.{self.name}"


def queue_of(settings, name):
    """The Queue of this name as Settings have it."""
    return Queue(name, settings.document_processes if name == DOCUMENTS else settings.worker_threads)
