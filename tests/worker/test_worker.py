"""The worker as a real process, on servers that are stopped and killed."""

import contextlib
import os
import signal

import psutil
import psycopg
import pytest

from tests.waiting import SECONDS, wait_until
from tests.worker.conftest import redis_client
from tests.worker.running import Worker, delivered


@pytest.fixture
def start(postgres, redis, events):
    """start(**environ): a Worker that is ready; with `until=None` one that has just been started."""
    with contextlib.ExitStack() as stack:

        def start(until="ready.", queue="mail", **environ):
            ours = ("DATABASE_", "JWT_", "PIPELINE_", "REDIS_", "WORKER_")
            inherited = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
            urls = {"DATABASE_URL": postgres.url("pipeline_app"), "REDIS_URL": redis.url()}
            needed = {"JWT_SECRET": "x" * 32, "MAIL_TRANSPORT": "log", "PYTHONUNBUFFERED": "1"}
            worker = Worker({**inherited, **urls, **needed, **environ}, queue)
            stack.callback(worker.close)
            if until:
                worker.wait_for(until)
            return worker

        yield start


def test_an_event_is_delivered_at_once_and_not_by_the_clock_and_logged_with_the_id_of_its_request(start, events):
    worker, ids = start(SWEEP_SECONDS=str(10 * SECONDS)), []
    for count in (1, 2, 3):
        ids.append(events.add(request_id=f"asked-{count}"))
        wait_until(delivered(events, count))
    wait_until(lambda: len(worker.logged("delivered")) == 3)
    found = {line["key"]: line["request_id"] for line in worker.logged("delivered")}
    assert found == {events.key(id): f"asked-{count}" for count, id in enumerate(ids, 1)}


def test_sigterm_lets_a_task_finish_and_takes_no_other(start, events):
    worker = start(WORKER_THREADS="1")
    events.add(seconds=1)
    worker.wait_for("busy")
    waiting = events.add()
    assert worker.end(signal.SIGTERM) == 0
    assert (events.effects(), events.open(), events.state(waiting)[0]) == (1, 1, 0)


@pytest.mark.long
def test_a_worker_that_is_told_to_stop_while_it_starts_stops_gently(start):
    assert start(until="worker starts").end(signal.SIGTERM) == 0


@pytest.mark.long
def test_a_stop_has_a_limit_and_what_is_cut_off_is_delivered_by_the_next(start, events):
    worker = start(WORKER_STOP_SECONDS="1")
    id = events.add(seconds=10 * SECONDS)
    worker.wait_for("busy")
    assert worker.end(signal.SIGTERM) == 1
    assert (events.effects(), events.state(id)[0]) == (0, 0)
    events.owner.execute("update app.outbox set payload = '{}' where id = %s", (id,))
    start()
    wait_until(delivered(events, 1))


@pytest.mark.long
def test_a_second_signal_ends_the_worker_at_once(start, events):
    worker = start(WORKER_STOP_SECONDS=str(10 * SECONDS))
    events.add(seconds=10 * SECONDS)
    worker.wait_for("busy")

    def told_again():
        worker.process.send_signal(signal.SIGTERM)
        return worker.process.poll()

    assert wait_until(told_again) == 1
    worker.wait_for("ended at once (a second signal)")


@pytest.mark.long
def test_a_worker_that_dies_at_any_point_loses_and_repeats_nothing(start, events):
    for point in ("after_publish", "before_done", "before_commit", "after_commit"):
        for _ in range(30):
            events.add()
        victim = start(until=None, PIPELINE_CHAOS=f"{point}:0.4")
        assert victim.process.wait(SECONDS) == -signal.SIGKILL, point
    start()
    wait_until(delivered(events, 120))


@pytest.mark.long
def test_when_redis_comes_back_everything_flows_again(start, events, redis):
    worker = start()
    redis.stop()
    try:
        for _ in range(20):
            events.add()
        wait_until(lambda: worker.logged("relay waits for an outage to end"))
        assert events.open() == 20
    finally:
        redis.start()
    wait_until(delivered(events, 20))
    # Once for each way in which it shows: a server that comes back may be silent at first.
    reasons = [line["reason"] for line in worker.logged("relay waits for an outage to end")]
    assert len(reasons) == len(set(reasons)) > 0


@pytest.mark.long
def test_tasks_that_cannot_be_acknowledged_do_not_keep_their_places(start, events, redis):
    start(WORKER_THREADS="2")
    for outage in (1, 2):
        for _ in range(4):
            events.add(seconds=0.4)
        wait_until(lambda: events.open() < 4)
        redis.stop()
        redis.start()
        wait_until(delivered(events, 4 * outage))


@pytest.mark.long
def test_a_queue_that_redis_forgot_is_filled_again(start, events, others, redis, tmp_path):
    worker = start(WORKER_THREADS="1")
    events.add(until=str(tmp_path / "forgotten"))
    worker.wait_for("busy")
    others.add()
    with redis_client(redis) as client:
        wait_until(lambda: client.llen("pipeline.mail") > 0)
        client.flushall()
    (tmp_path / "forgotten").touch()
    wait_until(delivered(events, 1))
    wait_until(delivered(others, 1))


@pytest.mark.long
def test_a_killed_postgresql_costs_no_try(start, events, postgres):
    worker = start()
    id = events.add(seconds=1)
    worker.wait_for("busy")
    psutil.Process(int((postgres.data / "postmaster.pid").read_text().split()[0])).kill()
    wait_until(postgres.is_ready)
    with psycopg.connect(postgres.url(), autocommit=True) as events.owner:
        wait_until(delivered(events, 1))
        assert events.state(id)[0] == 1


@pytest.mark.long
def test_a_worker_may_start_and_stop_while_redis_is_away(start, redis):
    worker = start()
    redis.stop()
    try:
        newcomer = start(until="worker waits for Redis")
        worker.wait_for("worker waits for Redis")
        assert [worker.end(signal.SIGTERM), newcomer.end(signal.SIGTERM)] == [0, 0]
    finally:
        redis.start()


def test_long_tasks_of_one_organization_leave_places_to_the_others(start, events, others):
    worker = start(WORKER_THREADS="2")
    for _ in range(10):
        events.add(seconds=10 * SECONDS)
    worker.wait_for("busy")
    for count in (1, 2, 3):
        others.add()
        wait_until(delivered(others, count))
    assert events.effects() == 0
