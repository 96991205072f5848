"""The duration of a submit with a working, absent and silent Redis."""

import statistics

from tests.chaos.clients import Visitor

# What medians of the same differ by on a busy machine.
NOISE = 1.25


def submit_times(service, count):
    """{"up", "away", "silent": seconds (list) of `count` submits}."""
    visitor, redis = Visitor(service.place(), service.ledger), service.system.redis
    times = {"up": measure(visitor, count)}
    redis.kill()
    times["away"] = measure(visitor, count)
    redis.start_and_wait()
    # Long enough that every process counts in Redis again, and meets the silence.
    times["up"] += measure(visitor, count)
    redis.freeze(True)
    times["silent"] = measure(visitor, count)
    redis.freeze(False)
    visitor.close()
    return times


def slower(times):
    """The states of Redis in which a submit takes longer than while it answers: sentences."""
    usual = statistics.median(times["up"])
    return [
        f"a submit takes longer while Redis is {state}: {statistics.median(taken):.3f} s"
        for state, taken in times.items()
        if statistics.median(taken) > NOISE * usual
    ]


def measure(visitor, count):
    """The seconds of submits in a row."""
    since = len(visitor.ledger.asked)
    for _ in range(count):
        visitor.capture()
    return visitor.ledger.times("capture", since)
