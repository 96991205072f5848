"""Requests of users and keys are counted ahead: fewer questions to Redis, and the same quota."""

import time
from concurrent.futures import ThreadPoolExecutor

from pipeline.http.fairness import counts
from pipeline.http.fairness.counts import Block, Counts
from tests.waiting import wait_until

QUOTA, MINUTE = 1200, 60_000


def let_through(counting, key, requests):
    """How many requests, sixteen at once, a process lets through."""
    with ThreadPoolExecutor(16) as pool:
        return sum(
            count <= QUOTA for count, _ in pool.map(lambda _: counting.count_ahead(key, MINUTE, QUOTA), range(requests))
        )


def test_one_process_lets_exactly_the_quota_through(redis_server):
    assert let_through(Counts(redis_server.url()), "ahead-alone", 1500) == QUOTA


def test_a_refused_request_takes_no_counts_from_another_thread(redis_server, monkeypatch):
    there = Counts(redis_server.url())
    there.count("ahead-late", MINUTE, QUOTA)

    def count_beside_another(*asked, count=there.count):
        there.blocks["ahead-late"] = Block(QUOTA, 3, time.monotonic() * 1000 + MINUTE)
        return count(*asked)

    with monkeypatch.context() as patch:
        patch.setattr(there, "count", count_beside_another)
        assert there.count_ahead("ahead-late", MINUTE, QUOTA)[0] == QUOTA + 1
    assert let_through(there, "ahead-late", 10) == 3


def test_two_processes_let_no_more_than_the_quota_through(redis_server):
    processes = [Counts(redis_server.url()) for _ in range(2)]
    with ThreadPoolExecutor(2) as pool:
        through = sum(pool.map(let_through, processes, ["ahead-both"] * 2, [1500] * 2))
    assert 0.95 * QUOTA <= through <= QUOTA


def test_a_client_is_counted_in_order_with_few_questions_to_redis(redis_server):
    there = Counts(redis_server.url())
    there.redis.config_resetstat()
    assert [there.count_ahead("ahead-often", MINUTE, QUOTA)[0] for _ in range(QUOTA)] == [*range(1, QUOTA + 1)]
    assert there.redis.info("commandstats")["cmdstat_eval"]["calls"] < 300
    assert there.count_ahead("ahead-often", MINUTE, QUOTA)[0] > QUOTA


def test_counts_ahead_end_with_their_window(redis_server):
    there = Counts(redis_server.url())
    assert [there.count_ahead("ahead-short", 2000, QUOTA)[0] for _ in range(7)] == [*range(1, 8)]
    wait_until(lambda: there.count_ahead("ahead-short", 2000, QUOTA)[0] == 1)


def test_a_process_with_too_many_clients_forgets_what_it_has_ahead(monkeypatch):
    monkeypatch.setattr(counts, "CROWDED", 10)
    alone = Counts("")
    assert [alone.count_ahead(f"key {number}", MINUTE, QUOTA)[0] for number in range(100)] == [1] * 100
    assert len(alone.blocks) <= 10
