"""Effects: what the worker does about an event of the outbox.

A resource's `tasks.py` registers a handler for an event by its name:

    @effect("invite_email")
    def send_invite(event: Event) -> None: ...

    @send_invite.gives_up
    def show_failure(event: Event, error: str) -> None: ...

The handler runs inside the transaction that closes the event's row: what it writes through `queries` and the closing
stand or fall together. Raising rolls it back, and the event comes again later; raising Refused gives it up at once.
"""

import contextlib
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from pipeline.database.connections import Connection, Database
from pipeline.database.queries import dumps, queries
from pipeline.settings import Settings

# An event that still fails this long after it was to be delivered first is given up.
GIVE_UP_AFTER = timedelta(hours=24)
FIRST_DELAY, LONGEST_DELAY = 1.0, 3600.0
# The reason shown to people when an event was given up by an error without a message for them.
UNEXPECTED = "Something unexpected went wrong; the service's log says what."

# The Effects of all events, by their names.
handlers: dict[str, "Effect"] = {}


class Refused(Exception):
    """The effect can never succeed, and trying again is pointless; the message is shown to people."""


class UnderWay(Exception):
    """Another process is about the same, or was until a moment ago: nothing has failed, and the event comes again."""


class UnknownEvent(LookupError):
    """No handler is registered for an event, for instance because a newer release has raised it."""


def emit(event: str, key: str | int, payload: dict[str, Any]) -> None:
    """Tell the worker of an event, with the ids it needs: delivered once this transaction has committed.

    `key` keeps it single: the same event with the same key is an error.
    """
    queries.outbox_insert(event=event, key=f"{event}:{key}", payload=dumps(payload).decode())


def emit_once(event: str, key: str | int, payload: dict[str, Any]) -> None:
    """The same for what may be asked for again: an event that was raised under the key before is not raised again."""
    queries.outbox_insert_once(event=event, key=f"{event}:{key}", payload=dumps(payload).decode())


@dataclass(frozen=True)
class Event:
    """One row of the outbox, as its handler sees it.

    begins_at: from when on it was to be delivered. attempts: how often it has failed before. last_try: when the
    handler fails now, the event is given up, else it comes again after `retry_in` seconds. settings: the Settings of
    the worker. database: the pool of the jobs login.
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
        """A second transaction in the event's organization, committed at the end of the `with` block.

        For what must be on disk before an outside effect. Queries inside the block run on it, and do not see what
        the handler has written outside of it.
        """
        return organization(self.database, self.organization_id)


# What a handler is, and what it does when its event is given up, for the words that people are told.
Deed = Callable[[Event], object]
GivingUp = Callable[[Event, str], object]


class Effect:
    """A handler with its optional way of giving up."""

    def __init__(self, handler: Deed) -> None:
        self.handler = handler
        self.given_up: GivingUp | None = None

    def __call__(self, event: Event) -> object:
        return self.handler(event)

    def gives_up(self, function: GivingUp) -> GivingUp:
        """Register `function(event, error)`, called by the transaction that gives up.

        `error` may be shown to people: the message of a Refused, else UNEXPECTED.
        """
        self.given_up = function
        return function


def effect(event: str) -> Callable[[Deed], Effect]:
    """Register the decorated function as the handler of the event of this name."""

    def register(handler: Deed) -> Effect:
        if event in handlers:
            raise ValueError(f"The event {event} has a handler already.")
        handlers[event] = Effect(handler)
        return handlers[event]

    return register


def handler_of(event: str) -> Effect:
    """The Effect registered for an event's name; raises UnknownEvent."""
    try:
        return handlers[event]
    except KeyError:
        raise UnknownEvent(f"No handler is registered for the event {event}.") from None


@contextlib.contextmanager
def organization(database: Database, organization_id: int) -> Iterator[Connection]:
    """A transaction of the jobs login in one organization; commits at the end, rolls back on an exception."""
    with database.of(organization_id).transaction() as connection:
        queries.organization_enter(organization_id=organization_id)
        yield connection


def backoff(attempts: int, chance: Callable[[], float] = random.random) -> float:
    """Seconds until the next try after `attempts` failed ones (1 or more): doubled each time, up to an hour.

    Between half of it and all of it, by `chance()` in [0, 1), so that what failed together does not return together.
    """
    delay = min(FIRST_DELAY * 2 ** min(attempts - 1, 30), LONGEST_DELAY)
    return delay * (1 + chance()) / 2
