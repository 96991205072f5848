"""Whose request is served next."""

import pytest

from pipeline.server.turns import Turns


@pytest.fixture
def turns():
    """For more threads than there are requests."""
    return Turns(100)


def put(turns, *requests):
    """Requests that are named by their group, their member and a number, as `a1.0`."""
    for request in requests:
        turns.put((request[0], request[:2]), request)


def taken(turns):
    """The requests in the order of their turns."""
    return [turn[1] for turn in iter(turns.take, None)]


def test_one_request_after_the_other_is_served_as_it_came(turns):
    put(turns, "a1.0", "b1.0", "c1.0")
    assert taken(turns) == ["a1.0", "b1.0", "c1.0"]


def test_however_many_a_group_sends_it_is_one_turn_ahead_of_another(turns):
    put(turns, *(f"a1.{number}" for number in range(5)), "b1.0", "b1.1")
    assert taken(turns) == ["a1.0", "b1.0", "a1.1", "b1.1", "a1.2", "a1.3", "a1.4"]


def test_within_a_group_its_members_take_turns(turns):
    put(turns, "a1.0", "a1.1", "a1.2", "a2.0", "b1.0")
    assert taken(turns) == ["a1.0", "b1.0", "a2.0", "a1.1", "a1.2"]


def test_parts_of_a_group_take_turns_however_many_there_are_in_each():
    turns = Turns(100)
    for number in range(3):
        turns.put(("a", "prospects", number), f"prospect {number}")
    turns.put(("a", "people", 0), "rep")
    assert taken(turns) == ["prospect 0", "rep", "prospect 1", "prospect 2"]


def test_a_crowd_of_members_is_still_one_group(turns):
    put(turns, *(f"a{number}.0" for number in range(9)), "b1.0")
    assert taken(turns).index("b1.0") == 1


def test_a_thread_is_kept_for_the_other_groups():
    turns = Turns(3)
    put(turns, "a1.0", "a1.1", "a1.2")
    assert taken(turns) == ["a1.0", "a1.1"]
    put(turns, "b1.0")
    assert taken(turns) == ["b1.0"]
    turns.done("a")
    assert taken(turns) == ["a1.2"]


def test_a_thread_alone_serves_everybody():
    turns = Turns(1)
    put(turns, "a1.0", "b1.0")
    assert turns.take() == ("a", "a1.0")
    turns.done("a")
    assert turns.take() == ("b", "b1.0")


def test_who_rests_is_called_only_for_a_request_that_may_be_served():
    turns = Turns(2)
    assert turns.take(rest=True) is None
    assert not turns.needs_help()
    put(turns, "a1.0", "a1.1")
    turns.take()
    assert not turns.needs_help()  # the thread that is left is for others
    put(turns, "b1.0")
    assert turns.needs_help()
    turns.rise()
    assert not turns.needs_help()
