"""Creates deliveries: each webhook follows the record of change."""

import functools
import threading
from collections.abc import Callable

import psycopg
import structlog

from pipeline.changes.webhooks.events import RecordedChange, events_of, message, record_json, scope_of_event
from pipeline.changes.webhooks.sending import pause_webhook
from pipeline.database import Database, Row, dumps, loads, queries
from pipeline.database.effects import organization
from pipeline.http.scopes import lacking
from pipeline.process.settings import Settings

# Changes per transaction; open deliveries and their bytes per webhook. Later changes wait.
AT_ONCE, MOST_OPEN, MOST_BYTES = 50, 500, 16 * 1024 * 1024
LOOK_SECONDS, OUTAGE_SECONDS = 0.25, 0.5
OUTAGE = "outage"

log = structlog.get_logger("pipeline.webhooks")


class Following(threading.Thread):
    """A thread that creates deliveries until `stop()`."""

    def __init__(self, database: Database, settings: Settings) -> None:
        super().__init__(name="following", daemon=True)
        self.database, self.settings = database, settings
        self._stopping = threading.Event()
        self._away: str | None = None

    def run(self) -> None:
        """Follow changes; retries after errors."""
        while not self._stopping.is_set():
            try:
                made = follow_all(self.database, self.settings)
                self._away = None
                self._stopping.wait(0 if made else LOOK_SECONDS)
            except Exception as error:
                self._log_outage(error)
                self._stopping.wait(OUTAGE_SECONDS)

    def _log_outage(self, error: Exception) -> None:
        outage = isinstance(error, psycopg.OperationalError)
        reason = OUTAGE if outage else type(error).__name__
        if self._away != reason:
            trace = None if outage else error
            log.warning("following waits", server=self.database.address, error=str(error), exc_info=trace)
        self._away = reason

    def stop(self) -> None:
        self._stopping.set()
        self.join(5)


def follow_all(database: Database, settings: Settings) -> int:
    """Follow one webhook of each organization with new changes; returns their number."""
    behind: dict[int, list[int]] = {}
    with database.transaction():
        for row in queries.webhooks_behind():
            behind.setdefault(row["organization_id"], []).append(row["webhook_id"])
    # The first with room: an organization with many webhooks must not delay the others.
    return sum(
        next(filter(None, (_follow_one(database, settings, organization_id, id) for id in webhooks)), 0)
        for organization_id, webhooks in behind.items()
    )


def _follow_one(database: Database, settings: Settings, organization_id: int, webhook_id: int) -> int:
    try:
        with organization(database, organization_id):
            return follow(webhook_id, settings)
    except Exception as error:
        # Without SQLSTATE the database is away.
        if isinstance(error, psycopg.Error) and error.sqlstate is None:
            raise
        log.error("following failed", organization_id=organization_id, webhook_id=webhook_id, exc_info=error)
        return 0


def follow(webhook_id: int, settings: Settings) -> int:
    """Create deliveries of a webhook's next changes; returns their number."""
    place = queries.webhook_follow(webhook_id=webhook_id)
    if place is None:
        return 0
    if reason := _why_key_may_not(place):
        pause_webhook(webhook_id, reason)
        return 0
    room, bytes_left = MOST_OPEN - place["pending"], MOST_BYTES - place["bytes"]
    if room <= 0 or bytes_left <= 0:
        return 0
    after = {name: place[name] for name in ("after_transaction", "after_id", "since", "since_offset")}
    changes = [RecordedChange(**row) for row in queries.webhook_changes(**after, limit=min(room, AT_ONCE))]
    # Reads each record once.
    record, looked_at = functools.cache(functools.partial(record_json, settings=settings)), 0
    for change in changes:
        if bytes_left <= 0:
            break
        for event in _wanted(change, place["events"], record):
            bytes_left -= _deliver(webhook_id, event, change, record(change.type, change.record_id))
        looked_at += 1
    if looked_at:
        last = changes[looked_at - 1]
        queries.webhook_followed(webhook_id=webhook_id, after_transaction=last.transaction_id, after_id=last.id)
    return looked_at


def _why_key_may_not(place: Row) -> str | None:
    """The `paused_reason` if a key owns the webhook and may not read its records, or None."""
    if place["scopes"] is None:
        return None
    if place["revoked"]:
        return "key_revoked"
    if place["expired"]:
        return "key_expired"
    return "scope_missing" if lacking(place["scopes"], map(scope_of_event, place["events"])) else None


def _wanted(change: RecordedChange, wanted: list[str], record: Callable[[str, int], bytes | None]) -> list[str]:
    def read() -> Row | None:
        found = record(change.type, change.record_id)
        return None if found is None else loads(found)

    found = [] if change.earlier else events_of(change, read)
    return [event for event in found if event in wanted]


def _deliver(webhook_id: int, event: str, change: RecordedChange, record: bytes | None) -> int:
    changed = change.changed_names if event.endswith(".updated") else None
    body = message(event, change.at, record or dumps({"id": change.record_id}), changed)
    queries.webhook_delivery_insert(
        webhook_id=webhook_id,
        event=event,
        record_type=change.type,
        record_id=change.record_id,
        request_id=change.request_id,
        body=body,
    )
    return len(body)
