"""Requests of a user or a key are counted a few ahead: fewer questions to Redis, and the same quota."""

from concurrent.futures import ThreadPoolExecutor

from pipeline.http import counts, limits
from pipeline.http.counts import Counts
from tests.waiting import wait_until


def ahead(counting, key, requests, quota=limits.USER.quota):
    """How many of so many requests, sixteen at once, one process lets through of a quota that is counted ahead."""
    with ThreadPoolExecutor(16) as pool:
        return sum(
            count <= quota for count, _ in pool.map(lambda _: counting.count_ahead(key, 60_000, quota), requests)
        )


def test_counting_ahead_one_process_lets_exactly_the_quota_through(counting):
    assert ahead(counting.registry.limits, "ahead-alone", range(1500)) == 1200


def test_counting_ahead_two_processes_let_no_more_than_the_quota_through(counting, redis_server):
    processes, keys = [Counts(redis_server.url) for _ in range(2)], ["ahead-both"] * 2
    with ThreadPoolExecutor(2) as pool:
        through = sum(pool.map(ahead, processes, keys, [range(1000)] * 2))
    assert 1200 - counts.AHEAD <= through <= 1200


def test_who_asks_again_and_again_is_counted_with_few_questions_to_redis(counting):
    there = counting.registry.limits
    there.redis.config_resetstat()
    told = [there.count_ahead("ahead-often", 60_000, 1200)[0] for _ in range(1200)]
    assert told == [*range(1, 1201)]
    assert there.redis.info("commandstats")["cmdstat_evalsha"]["calls"] < 300
    assert there.count_ahead("ahead-often", 60_000, 1200)[0] > 1200


def test_what_was_counted_ahead_ends_with_its_window(counting):
    there = counting.registry.limits
    assert [there.count_ahead("ahead-short", 5000, 1200)[0] for _ in range(7)] == [*range(1, 8)]
    wait_until(lambda: there.count_ahead("ahead-short", 5000, 1200)[0] == 1)


def test_a_process_that_counts_ahead_for_too_many_begins_anew(monkeypatch):
    monkeypatch.setattr(counts, "CROWDED", 10)
    alone = Counts("")
    assert [alone.count_ahead(f"key {number}", 60_000, 1200)[0] for number in range(100)] == [1] * 100
    assert len(alone.taken) <= 10
