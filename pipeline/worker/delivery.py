"""Delivers an event: its effect and completion commit together, unless the effect is outside of the database."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import psycopg
import structlog

from pipeline.database import Connection, Database, Row, effects, queries
from pipeline.database.effects import OutboxEvent, Refused, UnderWay
from pipeline.database.execution import chaos_point
from pipeline.process import metrics, tracing
from pipeline.process.metrics import series, timed
from pipeline.process.settings import Settings
from pipeline.worker import claims

ERROR_LENGTH = 2000
DELIVERED, POSTPONED, GIVEN_UP = "delivered", "postponed", "given_up"

log = structlog.get_logger("pipeline.worker")


def deliver(database: Database, settings: Settings, organization_id: int, outbox_id: int) -> bool:
    """Run an event's handler; True if it completes the event.

    Ignores an event that is done, not due, locked or claimed. psycopg.OperationalError is raised and counts no attempt.
    The lock assigns no transaction id, so it does not delay the change feed. An effect outside is claimed, and handled
    without a transaction.
    """
    with effects.organization(database, organization_id) as connection:
        row = queries.outbox_take(id=outbox_id) if queries.outbox_hold(id=outbox_id) else None
        if row is None:
            return False
        traceparent = row.pop("traceparent")
        event = _event(row, database, settings, organization_id)
        is_outside = effects.is_outside(event.event)
        if is_outside:
            claims.claim(event.id)
        else:
            outcome = _observed(event, traceparent, lambda: _work(connection, event))
    if is_outside:
        outcome = _observed(event, traceparent, lambda: _work_outside(event))
    if outcome == DELIVERED:
        series(metrics.ages, event.event).observe((datetime.now(UTC) - event.begins_at).total_seconds())
    return outcome != POSTPONED


def _observed(event: OutboxEvent, traceparent: str | None, work: Callable[[], str]) -> str:
    """The outcome of `work`, in the logs, traces and metrics of the event."""
    # Else an outer event's `request_id` is logged.
    context = {name: getattr(event, name) for name in ("organization_id", "event", "key", "request_id")}
    with structlog.contextvars.bound_contextvars(**context, attempt=event.attempts + 1):
        attributes = {"pipeline.request_id": event.request_id, "pipeline.organization_id": event.organization_id}
        with (
            tracing.span(f"deliver {event.event}", tracing.CONSUMER, traceparent, **attributes),
            timed(metrics.deliveries, event.event) as outcome,
        ):
            outcome[0] = work()
        chaos_point("before_done")
    return outcome[0]


def _event(row: Row, database: Database, settings: Settings, organization_id: int) -> OutboxEvent:
    age, request_id = row.pop("age"), row.pop("request_id")
    wait = timedelta(seconds=effects.backoff(row["attempts"] + 1))
    return OutboxEvent(
        organization_id=organization_id,
        settings=settings,
        database=database,
        request_id=request_id,
        last_try=age + wait >= effects.GIVE_UP_AFTER,
        retry_in=wait.total_seconds(),
        **row,
    )


def _work(connection: Connection, event: OutboxEvent) -> str:
    try:
        with connection.transaction():
            effects.handler_of(event.event)(event)
            queries.outbox_done(id=event.id, error=None)
    except Exception as error:
        return _failed(connection, event, error)
    log.info("delivered")
    return DELIVERED


def _work_outside(event: OutboxEvent) -> str:
    failure: Exception | None = None
    with claims.kept(event):
        try:
            effects.handler_of(event.event)(event)
        except psycopg.OperationalError:
            # The claim ends by itself.
            raise
        except Exception as error:
            failure = error
    with event.separate() as connection:
        if failure is not None:
            return _failed(connection, event, failure)
        queries.outbox_done(id=event.id, error=None)
    log.info("delivered")
    return DELIVERED


def _failed(connection: Connection, event: OutboxEvent, error: Exception) -> str:
    if event.last_try or isinstance(error, Refused):
        return _give_up(connection, event, error)
    retry_in = round(event.retry_in, 1)
    if isinstance(error, UnderWay):
        log.info("delivery postponed", reason=str(error), retry_in=retry_in)
    else:
        # One traceback: an outage would fill the log.
        traceback = error if event.attempts == 0 else None
        log.warning("delivery failed", error=_text(error), retry_in=retry_in, exc_info=traceback)
    queries.outbox_postpone(id=event.id, error=_text(error), seconds=event.retry_in)
    return POSTPONED


def _give_up(connection: Connection, event: OutboxEvent, error: Exception) -> str:
    try:
        with connection.transaction():
            handler = effects.handlers.get(event.event)
            if handler and handler.given_up:
                handler.given_up(event, _text(error) if isinstance(error, Refused) else effects.UNEXPECTED)
            queries.outbox_done(id=event.id, error=_text(error))
    except Exception as failure:
        # Keep the event until `gives_up` succeeds.
        log.exception("giving up failed", exc_info=failure)
        queries.outbox_postpone(id=event.id, error=_text(failure), seconds=effects.LONGEST_DELAY)
        return POSTPONED
    log.error("delivery given up", exc_info=error)
    return GIVEN_UP


def _text(error: Exception) -> str:
    text = str(error) if isinstance(error, Refused) else f"{type(error).__name__}: {error}"
    return text.replace("\x00", "")[:ERROR_LENGTH]
