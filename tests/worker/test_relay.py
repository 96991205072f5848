"""The relay publishes due events in turns, once for each lease, within the queue's room."""

import psycopg
import pytest
from psycopg.rows import dict_row
from redis import Redis

from pipeline.worker import relay as relaying
from pipeline.worker.queues import Queue
from pipeline.worker.relay import Relay
from tests.worker.conftest import fresh

BACKLOG = """insert into app.outbox (organization_id, event, key, done_at)
    select %s, 'test_effect', 'many ' || i, case when i %% 2 = 0 then now() end from generate_series(1, 60000) i"""

# What a delivery holds until it ends.
DELIVER = "select pg_advisory_xact_lock(app.outbox_lock(id)) from unnest(%s::bigint[]) id"


class Relaying:
    """A relay that is run step by step; `published` are the ids that it has handed over."""

    def __init__(self, postgres, redis, queue="mail", places=8):
        self.published, self.failing, self.queue = [], False, Queue(queue, places)
        self.relay = Relay(postgres.url("pipeline_jobs"), redis.url(), self.queue, self.publish)
        self.connection = psycopg.connect(postgres.url("pipeline_jobs"), autocommit=True, row_factory=dict_row)

    def publish(self, organization_id, outbox_id, request_id):
        if self.failing:
            raise OSError("the queue is away")
        self.published.append(outbox_id)

    def step(self):
        """Whether it has handed over any, or the queue was full."""
        return self.relay.relay(self.connection)


@pytest.fixture
def relays(own_server, redis):
    made = []

    def make(**options):
        made.append(Relaying(own_server, redis, **options))
        return made[-1]

    yield make
    for relay in made:
        relay.connection.close()
        relay.relay.redis.close()


@pytest.fixture
def relay(relays):
    return relays()


def run_out(events):
    events.owner.execute("update app.outbox set leased_until = now() where leased_until is not null")


def test_due_events_are_handed_over_by_one_relay_and_not_again_while_their_lease_lasts(relays, relay, events):
    other, ids = relays(), [events.add() for _ in range(4)]
    with relay.connection.transaction():
        assert [relay.step(), other.step()] == [True, False]
    assert relay.step() is False
    assert (sorted(relay.published), other.published) == (ids, [])
    run_out(events)
    with events.owner.transaction():
        events.owner.execute(DELIVER, (ids[:1],))
        other.step()
    assert sorted(other.published) == ids[1:], "one is being delivered"


def test_a_queue_is_filled_as_far_as_it_has_room_and_not_while_many_tasks_wait(relay, events, others, redis):
    for organization in (events, others, fresh(events.owner)):
        for _ in range(4):
            organization.add()
    with Redis.from_url(redis.url()) as client:
        client.rpush(relay.queue.key, *["task"] * 9)
        assert (relay.step(), relay.published) == (True, [])
        client.lpop(relay.queue.key)
        relay.step()
        client.delete(relay.queue.key)
    assert len(relay.published) == 8


def test_an_event_handled_beyond_its_lease_still_counts(relay, events):
    ids = [events.add() for _ in range(20)]
    relay.step()
    run_out(events)
    with events.owner.transaction():
        events.owner.execute(DELIVER, (ids[:4],))
        assert relay.step() is False
    assert len(relay.published) == 4


def test_an_organization_that_comes_later_does_not_wait_for_the_backlog_of_another(relay, events, others):
    for _ in range(50):
        events.add()
    relay.step()
    late = others.add()
    relay.step()
    assert relay.published[4:] == [late]


def test_each_organization_s_first_event_precedes_any_second(relays, events, others):
    relay = relays(places=2)
    firsts = [organization.add() for organization in (events, others, fresh(events.owner), fresh(events.owner))]
    for organization in (events, others):
        organization.add()
    relay.step()
    assert sorted(relay.published) == firsts


@pytest.mark.parametrize("ended", ["done_at = now()", "due_at = now() + interval '1 hour'"], ids=["done", "failed"])
def test_each_that_ends_makes_room_for_the_next(relays, events, ended):
    relay = relays(places=1)
    first, second = events.add(), events.add()
    relay.step()
    events.owner.execute(f"update app.outbox set {ended} where id = %s", (first,))
    relay.step()
    assert relay.published == [first, second]


def test_each_relay_hands_over_the_events_of_its_own_queue(relays, relay, events):
    names = {"mail": "invite_email", "documents": "contract_documents", "conversions": "contract_conversions"}
    added = {queue: [events.add(event=event)] for queue, event in names.items()}
    others = {queue: relays(queue=queue, places=2) for queue in ("documents", "conversions")}
    for one in (relay, *others.values()):
        one.step()
    assert {"mail": relay.published, **{queue: one.published for queue, one in others.items()}} == added


def test_a_backlog_of_30000_events_is_not_read_to_find_the_first_of_another(own_server, events, others):
    """Nor are the 30,000 that are done."""
    late = others.add()
    events.owner.execute(BACKLOG, (events.organization_id,))
    events.owner.execute("analyze app.outbox")
    statement = "select * from app.outbox_lease('mail', 16, 4, '3s')"
    with psycopg.connect(own_server.url("pipeline_jobs"), autocommit=True) as connection:
        leased = connection.execute(statement).fetchall()
        run_out(events)
        plan = connection.execute(f"explain (analyze, buffers, format json) {statement}").fetchone()[0][0]["Plan"]
    assert (others.organization_id, late) in [row[:2] for row in leased]
    assert len(leased) == 5
    assert plan["Shared Hit Blocks"] + plan["Shared Read Blocks"] < 300


def test_an_event_that_was_not_handed_over_is_due_again(relay, events):
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
