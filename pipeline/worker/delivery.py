"""Deliver one event of the outbox: its effect and its closing commit together, or neither does."""

from datetime import UTC, datetime, timedelta

import structlog

from pipeline.database import Connection, Database, Row, effects, queries
from pipeline.database.chaos import chaos_point
from pipeline.database.effects import Event, Refused, UnderWay
from pipeline.settings import Settings
from pipeline.telemetry import metrics, tracing
from pipeline.telemetry.metrics import series, timed

ERROR_LENGTH = 2000
# What becomes of a try.
DELIVERED, POSTPONED, GIVEN_UP = "delivered", "postponed", "given_up"

log = structlog.get_logger("pipeline.worker")


def deliver(database: Database, settings: Settings, organization_id: int, outbox_id: int) -> bool:
    """Run the handler of an event; True when the event is closed by this call.

    Until the handler writes, the transaction has no id, and so holds back no reader of the change feed while it waits.

    An event that is done, not due yet or in other hands is left alone, so a task may be repeated at will. What the
    handler raises is stored with the event and postpones it. A database that cannot be reached raises
    psycopg.OperationalError and costs no try: the event comes back when its lease runs out.
    """
    with effects.organization(database, organization_id) as connection:
        row = queries.outbox_take(id=outbox_id) if queries.outbox_hold(id=outbox_id) else None
        if row is None:
            return False
        traceparent = row.pop("traceparent")
        event = _event(row, database, settings, organization_id)
        # `request_id` is bound even when it is None: else the id of an event around this one would be logged.
        context = {name: getattr(event, name) for name in ("organization_id", "event", "key", "request_id")}
        with structlog.contextvars.bound_contextvars(**context, attempt=event.attempts + 1):
            told = {"pipeline.request_id": event.request_id, "pipeline.organization_id": organization_id}
            with (
                tracing.span(f"deliver {event.event}", tracing.CONSUMER, traceparent, **told),
                timed(metrics.deliveries, event.event) as outcome,
            ):
                outcome[0] = _work(connection, event)
            chaos_point("before_done")
    if outcome[0] == DELIVERED:
        series(metrics.ages, event.event).observe((datetime.now(UTC) - event.begins_at).total_seconds())
    return outcome[0] != POSTPONED


def _event(row: Row, database: Database, settings: Settings, organization_id: int) -> Event:
    age, request_id = row.pop("age"), row.pop("request_id")
    wait = timedelta(seconds=effects.backoff(row["attempts"] + 1))
    return Event(
        organization_id=organization_id,
        settings=settings,
        database=database,
        request_id=request_id,
        last_try=age + wait >= effects.GIVE_UP_AFTER,
        retry_in=wait.total_seconds(),
        **row,
    )


def _work(connection: Connection, event: Event) -> str:
    """Try the handler under a savepoint, so that the event stays held whatever becomes of it; the outcome."""
    try:
        with connection.transaction():
            effects.handler_of(event.event)(event)
            queries.outbox_done(id=event.id, error=None)
    except Exception as error:
        return _failed(connection, event, error)
    log.info("delivered")
    return DELIVERED


def _failed(connection: Connection, event: Event, error: Exception) -> str:
    if event.last_try or isinstance(error, Refused):
        return _give_up(connection, event, error)
    retry_in = round(event.retry_in, 1)
    if isinstance(error, UnderWay):
        log.info("delivery postponed", reason=str(error), retry_in=retry_in)
    else:
        # The traceback once: an outage of hours would fill the log with it.
        traceback = error if event.attempts == 0 else None
        log.warning("delivery failed", error=_text(error), retry_in=retry_in, exc_info=traceback)
    queries.outbox_postpone(id=event.id, error=_text(error), seconds=event.retry_in)
    return POSTPONED


def _give_up(connection: Connection, event: Event, error: Exception) -> str:
    try:
        with connection.transaction():
            handler = effects.handlers.get(event.event)
            if handler and handler.given_up:
                handler.given_up(event, _text(error) if isinstance(error, Refused) else effects.UNEXPECTED)
            queries.outbox_done(id=event.id, error=_text(error))
    except Exception as failure:
        # The record would never show the failure: keep the event until its `gives_up` succeeds.
        log.exception("giving up failed", exc_info=failure)
        queries.outbox_postpone(id=event.id, error=_text(failure), seconds=effects.LONGEST_DELAY)
        return POSTPONED
    log.error("delivery given up", exc_info=error)
    return GIVEN_UP


def _text(error: Exception) -> str:
    text = str(error) if isinstance(error, Refused) else f"{type(error).__name__}: {error}"
    return text.replace("\x00", "")[:ERROR_LENGTH]
