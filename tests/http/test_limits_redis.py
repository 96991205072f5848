"""The counts of rate limits while Redis is away, slow, or back again."""

import time
from statistics import median

import psutil
import pytest

from pipeline.http.fairness import counts
from pipeline.http.fairness.counts import OwnCounts
from tests.http.counting import FORM, client, let_through, remaining
from tests.waiting import wait_until


@pytest.fixture(scope="module")
def patience():
    """Seconds until Redis counts as away: more than it takes on a busy machine, and soon over where it is silent."""
    return 2


@pytest.fixture
def prospect(counting):
    """A client whose address has been counted once."""
    prospect = client(counting)
    prospect.get(FORM, status=404)
    return prospect


def test_own_counts_forget_what_has_ended(monkeypatch):
    monkeypatch.setattr(counts, "CROWDED", 10)
    own = OwnCounts()
    own.crowd = 10
    for number in range(100):
        own.count(f"key {number}", 0)
    assert len(own.windows) <= 11


def test_without_redis_a_process_counts_by_itself(make_counting):
    alone = client(make_counting(redis_url=""))
    assert let_through(alone.get(FORM) for _ in range(105)) == 100


def test_while_redis_is_away_the_limit_holds_and_nothing_fails(prospect, counting, redis_server):
    redis_server.stop()
    assert let_through(prospect.get(FORM) for _ in range(105)) == 100
    redis_server.start()
    wait_until(lambda: not counting.registry.limits.away)
    assert remaining(prospect.get(FORM, status=404)) == 99


def test_a_restart_of_redis_is_not_even_noticed(prospect, counting, redis_server):
    redis_server.stop()
    redis_server.start()
    assert remaining(prospect.get(FORM, status=404)) == 99
    assert not counting.registry.limits.away


def test_a_silent_redis_delays_the_first_request_and_no_other(prospect, counting, patience, redis_server):
    configuration, durations = str(redis_server.data / "redis.conf"), []
    (process,) = [each for each in psutil.process_iter(["cmdline"]) if configuration in (each.info["cmdline"] or [])]
    process.suspend()
    try:
        for _ in range(20):
            begun = time.perf_counter()
            prospect.get(FORM, status=404)
            durations.append(time.perf_counter() - begun)
        assert counting.registry.limits.away
    finally:
        process.resume()
    assert median(durations) < patience
    wait_until(lambda: not counting.registry.limits.away)
