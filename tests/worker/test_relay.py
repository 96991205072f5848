"""The relay hands over what is due, once for each lease, and no more than the queue has room for."""

import psycopg
import pytest
from psycopg.rows import dict_row

from pipeline.worker import relay as relaying
from pipeline.worker.relay import Relay
from tests.worker.conftest import redis_client


class Relaying:
    """A relay that is run step by step; `published` are the ids that it has handed over."""

    def __init__(self, postgres, redis):
        self.published, self.failing = [], False
        self.relay = Relay(postgres.url("pipeline_jobs"), redis.url(), "relay-test", self.publish)
        self.connection = psycopg.connect(postgres.url("pipeline_jobs"), autocommit=True, row_factory=dict_row)

    def publish(self, organization_id, outbox_id, request_id):
        if self.failing:
            raise OSError("the queue is away")
        self.published.append(outbox_id)

    def step(self):
        """Whether there may be more."""
        return self.relay.relay(self.connection)


@pytest.fixture
def relay(postgres, redis):
    made = Relaying(postgres, redis)
    yield made
    made.connection.close()
    made.relay.redis.close()


def run_out(events):
    """Let every lease run out."""
    events.owner.execute("update app.outbox set leased_until = now() where leased_until is not null")


def test_due_events_are_handed_over(relay, events):
    ids = [events.add() for _ in range(3)]
    assert relay.step() is False
    assert sorted(relay.published) == ids


def test_an_event_is_not_handed_over_again_while_its_lease_lasts(relay, events):
    id = events.add()
    relay.step()
    relay.step()
    assert relay.published == [id]
    run_out(events)
    relay.step()
    assert relay.published == [id, id]


def test_two_relays_at_once_share_the_events(postgres, redis, relay, events):
    other = Relaying(postgres, redis)
    ids = [events.add() for _ in range(10)]
    with relay.connection.transaction():
        relay.step()
        other.step()
    assert (sorted(relay.published), other.published) == (ids, [])
    other.connection.close()
    other.relay.redis.close()


def test_an_event_that_is_being_delivered_is_not_handed_over(relay, events):
    events.add()
    with events.owner.transaction():
        events.owner.execute("select from app.outbox for update")
        relay.step()
    assert relay.published == []


@pytest.mark.parametrize("change", ["done_at = now()", "due_at = now() + interval '1 minute'"])
def test_what_is_done_or_not_due_is_not_handed_over(relay, events, change):
    events.add()
    events.owner.execute(f"update app.outbox set {change}")
    relay.step()
    assert relay.published == []


def test_a_backlog_waits_in_the_outbox_while_the_queue_is_full(relay, events, redis):
    ids = [events.add() for _ in range(relaying.QUEUE_LENGTH + 10)]
    with redis_client(redis) as client:
        client.rpush("relay-test", *["task"] * (relaying.QUEUE_LENGTH - 3))
        assert relay.step() is True
        assert sorted(relay.published) == ids[:3]
        client.rpush("relay-test", *["task"] * 3)
        assert relay.step() is True
        assert len(relay.published) == 3
        client.delete("relay-test")
    assert relay.step() is True
    assert relay.step() is False
    assert sorted(relay.published) == ids


def test_what_could_not_be_handed_over_is_due_again(relay, events):
    id = events.add()
    relay.failing = True
    with pytest.raises(OSError, match="the queue is away"):
        relay.step()
    relay.failing = False
    run_out(events)
    relay.step()
    assert relay.published == [id]


def test_nothing_is_leased_while_redis_is_away(relay, events, redis):
    events.add()
    redis.stop()
    try:
        with pytest.raises(relaying.OUTAGES):
            relay.step()
    finally:
        redis.start()
    assert events.owner.execute("select leased_until from app.outbox").fetchone() == (None,)


def test_the_jobs_login_reaches_no_other_table_without_an_organization(relay, events):
    events.add()
    assert relay.connection.execute("select count(*) from app.outbox").fetchone() == {"count": 0}
