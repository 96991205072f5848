"""The counts of rate limits while Redis is away, slow, or back again."""

import re
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from statistics import median

import pytest

from pipeline.http.front import metrics
from pipeline.http.quotas import counts
from pipeline.http.quotas.counts import Counts, OwnCounts
from tests.http.counting import FORM, client, let_through, remaining
from tests.waiting import wait_until


@pytest.fixture(scope="module")
def patience():
    """Seconds until Redis counts as away: more than it takes on a busy machine, and soon over where it is silent."""
    return 2


def test_own_counts_are_exact_too():
    own = OwnCounts()
    with ThreadPoolExecutor(16) as pool:
        counts = list(pool.map(lambda _: own.count("key", 60_000)[0], range(2000)))
    assert sorted(counts) == list(range(1, 2001))


def test_own_counts_forget_what_has_ended(monkeypatch):
    monkeypatch.setattr(counts, "CROWDED", 10)
    own = OwnCounts()
    own.crowd = 10
    for number in range(100):
        own.count(f"key {number}", 0)
    assert len(own.windows) <= 11


def test_without_redis_a_process_counts_by_itself(make_counting, counting):
    alone = make_counting(redis_url="")
    prospect = client(alone)
    assert let_through(prospect.get(FORM) for _ in range(105)) == 100


def test_while_redis_is_away_the_limit_holds_and_nothing_fails(counting, redis_server):
    prospect = client(counting)
    prospect.get(FORM, status=404)
    redis_server.stop()
    assert let_through(prospect.get(FORM) for _ in range(105)) == 100
    redis_server.start()
    wait_until(lambda: not counting.registry.limits.away)
    assert remaining(prospect.get(FORM, status=404)) == 99


def test_the_metrics_name_redis_and_the_requests_that_were_counted_without_it(counting, redis_server, monkeypatch):
    monkeypatch.setattr(metrics, "FRESH_SECONDS", 0.0)
    prospect = client(counting)
    prospect.get(FORM, status=404)
    before = shown(prospect, "pipeline_limits_alone_total")
    assert shown(prospect, "pipeline_redis_up") == 1
    redis_server.stop()
    prospect.get(FORM, status=404)
    assert shown(prospect, "pipeline_redis_up") == 0
    assert shown(prospect, "pipeline_limits_alone_total") == before + 1
    redis_server.start()
    wait_until(lambda: not counting.registry.limits.away)
    assert shown(prospect, "pipeline_redis_up") == 1


def shown(api, name):
    """The value of a metric that has no labels."""
    return float(re.search(f"^{name} (.+)$", api.get("/metrics").text, re.MULTILINE)[1])


def test_a_restart_of_redis_is_not_even_noticed(counting, redis_server):
    prospect = client(counting)
    prospect.get(FORM, status=404)
    redis_server.stop()
    redis_server.start()
    assert remaining(prospect.get(FORM, status=404)) == 99
    assert not counting.registry.limits.away


def test_a_silent_redis_delays_the_first_request_and_no_other(counting, patience, redis_server):
    prospect = client(counting)
    prospect.get(FORM, status=404)
    with redis_server.frozen():
        durations = [duration(lambda: prospect.get(FORM, status=404)) for _ in range(20)]
        assert counting.registry.limits.away
    assert median(durations) < patience
    wait_until(lambda: not counting.registry.limits.away)


def test_a_redis_that_was_never_there_is_found_when_it_comes(redis_server):
    redis_server.stop()
    counts = Counts(redis_server.url)
    assert counts.count("late", 60_000)[0] == 1
    redis_server.start()
    wait_until(lambda: not counts.away)
    assert counts.count("late", 60_000)[0] == 1
    assert counts.redis.exists("late")
    counts.close()


def test_a_thread_that_has_ended_leaves_no_connection_behind(redis_server):
    counts = Counts(redis_server.url)
    counts.count("thread", 60_000)
    before = len(counts.redis.client_list())
    for _ in range(20):
        thread = threading.Thread(target=counts.count, args=("thread", 60_000))
        thread.start()
        thread.join()
    wait_until(lambda: len(counts.redis.client_list()) <= before)
    assert counts.count("thread", 60_000)[0] == 22
    counts.close()


def duration(action):
    started = time.perf_counter()
    action()
    return time.perf_counter() - started
