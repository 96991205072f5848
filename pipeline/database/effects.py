"""Effects: handlers for events of the outbox, in the resources' `tasks.py`.

    @effect("invite_email")
    def send_invite(event: Event) -> None: ...

    @send_invite.gives_up
    def show_failure(event: Event, error: str) -> None: ...

An exception rolls the handler back and postpones the event; Refused gives it up.
"""

import contextlib
import random
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import psycopg

from pipeline.database.connections import Connection, Database
from pipeline.database.queries import dumps, queries
from pipeline.process.settings import Settings

GIVE_UP_AFTER = timedelta(hours=24)
FIRST_DELAY, LONGEST_DELAY = 1.0, 3600.0
# For people, when an exception has no message for them.
UNEXPECTED = "An unexpected error occurred; see the service's log."

handlers: dict[str, "Effect"] = {}


class Refused(Exception):
    """A permanent failure; people see its message."""


class UnderWay(Exception):
    """Another process works on it; the event is postponed."""


class UnknownEvent(LookupError):
    """No handler is registered; a newer release may have one."""


def emit(
    event: str, key: str | int, payload: dict[str, Any], once: bool = False, due_at: datetime | None = None
) -> None:
    """Raise an event, due after commit or at `due_at`. A second one with this `key` is an error, unless `once`."""
    made = {"event": event, "key": f"{event}:{key}", "payload": dumps(payload).decode()}
    queries.outbox_insert(**made, once=once or None, due_at=due_at)


@dataclass(frozen=True)
class OutboxEvent:
    """A row of the outbox.

    begins_at: its due time. attempts: earlier failures. last_try: a failure gives up, else retries after `retry_in`
    seconds.
    """

    organization_id: int
    id: int
    event: str
    key: str
    payload: dict[str, Any]
    attempts: int
    begins_at: datetime
    last_try: bool
    settings: Settings
    database: Database
    request_id: str | None = None
    retry_in: float = FIRST_DELAY

    def separate(self) -> contextlib.AbstractContextManager[Connection]:
        """A transaction of its own in the event's organization, committed after the block."""
        return organization(self.database, self.organization_id)


Deed = Callable[[OutboxEvent], object]
GivingUp = Callable[[OutboxEvent, str], object]


class Effect:
    """A handler and its optional `gives_up` function; `outside` as in `effect`."""

    def __init__(self, handler: Deed, outside: bool = False) -> None:
        self.handler, self.outside = handler, outside
        self.given_up: GivingUp | None = None

    def __call__(self, event: OutboxEvent) -> object:
        return self.handler(event)

    def gives_up(self, function: GivingUp) -> GivingUp:
        """Register `function(event, error)` for events given up; people may see `error`."""
        self.given_up = function
        return function


def effect(event: str, outside: bool = False) -> Callable[[Deed], Effect]:
    """Register a handler for an event.

    outside: it waits for a server of somebody else. It runs without a transaction and opens short ones by
    `event.separate()`. It may run twice at once, if its worker loses the claim.
    """

    def register(handler: Deed) -> Effect:
        if event in handlers:
            raise ValueError(f"The event {event} has a handler already.")
        handlers[event] = Effect(handler, outside)
        return handlers[event]

    return register


def handler_of(event: str) -> Effect:
    """The Effect of an event; raises UnknownEvent."""
    try:
        return handlers[event]
    except KeyError:
        raise UnknownEvent(f"No handler is registered for the event {event}.") from None


def is_outside(event: str) -> bool:
    """Whether the event's handler waits for somebody outside."""
    return event in handlers and handlers[event].outside


@contextlib.contextmanager
def organization(database: Database, organization_id: int) -> Iterator[Connection]:
    """A transaction of the jobs login in one organization."""
    begun = time.monotonic()
    with contextlib.ExitStack() as stack:
        while True:
            connection = stack.enter_context(database.home.of(organization_id).transaction())
            try:
                queries.organization_enter(organization_id=organization_id)
                break
            except psycopg.DatabaseError as error:
                stack.close()
                if not database.home.follows(error, begun):
                    raise
        yield connection


def backoff(attempts: int, chance: Callable[[], float] = random.random) -> float:
    """Seconds until the next try: doubled per failure, up to an hour; `chance()` in [0, 1) takes off up to half."""
    delay = min(FIRST_DELAY * 2 ** min(attempts - 1, 30), LONGEST_DELAY)
    return delay * (1 + chance()) / 2
