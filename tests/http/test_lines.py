"""Files of strangers: one of a kind is read at a time, and a few requests wait."""

import contextlib
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from pipeline.http.fairness.lines import CHECK, DRAWING, Lines
from pipeline.validation.errors import Problem
from tests.waiting import wait_until


@pytest.fixture
def lines():
    return Lines(places=4)


@pytest.fixture
def served(lines):
    """served(*places): how many of these (kind, owner) are let in while the first of each kind works."""

    def ask(*places):
        go = threading.Event()

        def work(place):
            with contextlib.suppress(Problem), lines.turn(*place):
                go.wait()
                return True

        with ThreadPoolExecutor(len(places)) as threads:
            asked = [threads.submit(work, place) for place in places]
            wait_until(lambda: len(lines.taken) + sum(one.done() for one in asked) == len(places))
            go.set()
        return sum(one.result() is True for one in asked)

    return ask


@pytest.mark.parametrize(
    ("places", "let_in"),
    [
        ([(CHECK, number) for number in range(10)], 3),
        ([(CHECK, 1)] * 10, 2),
        ([(CHECK, number) for number in range(10)] + [(DRAWING, 1)], 4),
    ],
    ids=["a line has all places but one", "an owner has half of a line", "the other line keeps a place"],
)
def test_a_line_takes_so_many(places, let_in, served, lines):
    assert served(*places) == let_in
    assert lines.taken == []


def test_one_of_a_kind_works_at_a_time_in_the_order_of_arrival(lines):
    done, at_work, most = [], [], []

    def work(number):
        with lines.turn(CHECK, number):
            at_work.append(number)
            most.append(len(at_work))
            at_work.remove(number)
            done.append(number)

    with ThreadPoolExecutor(2) as threads, lines.turn(CHECK, 0):
        for number in (1, 2):
            threads.submit(work, number)
            wait_until(lambda expected=number + 1: len(lines.taken) == expected)
    assert (done, max(most)) == ([1, 2], 1)


def test_a_request_that_waits_too_long_is_refused_and_leaves_the_line():
    lines = Lines(places=4, patience=0.01)
    with lines.turn(CHECK, 1), pytest.raises(Problem, match="busy"), lines.turn(CHECK, 2):
        pytest.fail("It was not its turn.")
    assert lines.taken == []
