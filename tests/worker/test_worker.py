"""The worker as a real process, on servers that are stopped and killed."""

import contextlib
import json
import os
import signal
import sys
from pathlib import Path

import pytest

from tests.waiting import SECONDS, Program, wait_until

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def start(own_server, redis, events):
    """start(**environ): a worker that is ready, or has printed what `until` says."""
    with contextlib.ExitStack() as stack:

        def start(until="ready.", **environ):
            urls = {"DATABASE_URL": own_server.url("pipeline_app"), "REDIS_URL": redis.url()}
            needed = {"JWT_SECRET": "x" * 32, "MAIL_TRANSPORT": "log", "PYTHONUNBUFFERED": "1"}
            command = [sys.executable, "-m", "tests.worker.handlers", "mail"]
            worker = Program(command, cwd=ROOT, env={"PATH": os.environ["PATH"], **urls, **needed, **environ})
            stack.callback(worker.close)
            worker.wait_for(until)
            return worker

        yield start


def delivered(events, count):
    """Whether this many effects are there and no event is open."""
    return lambda: events.effects() == count and events.open() == 0


def test_an_event_is_delivered_at_once_and_not_by_the_clock_and_logged_with_the_id_of_its_request(start, events):
    worker, ids = start(SWEEP_SECONDS=str(10 * SECONDS)), []
    for count in (1, 2, 3):
        ids.append(events.add(request_id=f"asked-{count}"))
        wait_until(delivered(events, count))

    def logged():
        lines = [json.loads(line) for line in worker.lines if '"delivered"' in line]
        return {line["key"]: line["request_id"] for line in lines}

    wait_until(lambda: logged() == {events.key(id): f"asked-{count}" for count, id in enumerate(ids, 1)})


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
