"""Claims of events whose handlers wait for somebody outside, and so hold no transaction."""

import contextlib
import threading
from collections.abc import Iterator

import psycopg
import structlog

from pipeline.database import queries
from pipeline.database.effects import OutboxEvent

# A claim ends this long after its worker's death.
CLAIM_SECONDS, RENEW_SECONDS = 5.0, 1.0

log = structlog.get_logger("pipeline.worker")


def claim(event_id: int) -> None:
    """Reserve an event for this worker."""
    queries.outbox_claim(id=event_id, seconds=CLAIM_SECONDS)


@contextlib.contextmanager
def kept(event: OutboxEvent) -> Iterator[None]:
    """Renews the claim of an event during the block, in short transactions."""
    ended = threading.Event()
    thread = threading.Thread(target=_renew, args=(event, ended), name="claim", daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def _renew(event: OutboxEvent, ended: threading.Event) -> None:
    while not ended.wait(RENEW_SECONDS):
        try:
            with event.separate():
                claim(event.id)
        except psycopg.Error as error:
            log.warning("claim not renewed", outbox_id=event.id, error=str(error))
