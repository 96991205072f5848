"""Events in the outbox, their results, and the jobs login."""

import json
import time
import uuid

import psycopg
import pytest

from development.redis import EmbeddedRedis
from pipeline.worker.delivery import deliver
from tests.worker import handlers


class Outbox:
    """The events of one organization, and the rows that their handlers wrote."""

    def __init__(self, organization_id, owner):
        self.organization_id, self.owner = organization_id, owner

    def add(self, event="test_effect", age="0 seconds", request_id=None, **payload):
        """An event raised `age` ago; returns its id."""
        return self.owner.execute(
            """insert into app.outbox (organization_id, event, key, payload, begins_at, request_id)
               values (%s, %s, %s, %s, now() - cast(%s as interval), %s) returning id""",
            (self.organization_id, event, uuid.uuid4().hex, json.dumps(payload), age, request_id),
        ).fetchone()[0]

    def state(self, id):
        """(attempts, error, whether it is done, seconds until it is due)."""
        return self.owner.execute(
            """select attempts, error, done_at is not null, extract(epoch from due_at - now())::float
               from app.outbox where id = %s""",
            (id,),
        ).fetchone()

    def key(self, id):
        return self.owner.execute("select key from app.outbox where id = %s", (id,)).fetchone()[0]

    def open(self):
        statement = "select count(*) from app.outbox where organization_id = %s and done_at is null"
        return self.owner.execute(statement, (self.organization_id,)).fetchone()[0]

    def subjects(self):
        """What the handlers have written."""
        rows = self.owner.execute("select subject from app.emails where organization_id = %s", (self.organization_id,))
        return [subject for (subject,) in rows]

    def effects(self):
        return len(self.subjects())


@pytest.fixture
def outbox(organization, owner):
    return Outbox(organization.id, owner)


@pytest.fixture
def delivering(jobs, settings, outbox):
    """delivering(id): what the worker's task does; returns whether it closed the event."""
    handlers.calls.clear()
    return lambda id: deliver(jobs, settings, outbox.organization_id, id)


@pytest.fixture(scope="session")
def redis(tmp_path_factory):
    """A server of these tests' own, which may be stopped."""
    with EmbeddedRedis(tmp_path_factory.mktemp("redis"), durable=False) as server:
        yield server


@pytest.fixture
def events(own_server):
    """The Outbox of a fresh organization on a server whose other events are gone."""
    with psycopg.connect(own_server.url(), autocommit=True) as connection:
        connection.execute("truncate app.outbox")
        yield fresh(connection)


@pytest.fixture
def others(events):
    """The same for another organization."""
    return fresh(events.owner)


def fresh(connection):
    name = f"org-{time.monotonic_ns()}"
    statement = "insert into app.organizations (name, slug) values (%s, %s) returning id"
    return Outbox(connection.execute(statement, (name, name)).fetchone()[0], connection)
