"""Who gives way to whom."""

from types import SimpleNamespace

from pipeline.server.bounds import Bounds
from pipeline.server.crowd import Crowd


class Someone(SimpleNamespace):
    __hash__ = object.__hash__


def crowd_of(*groups, **bounds):
    crowd = Crowd(Bounds(**bounds))
    for group in groups:
        crowd.enter(Someone(group=group))
    return crowd


def asked(crowd, group):
    """The groups of those who are asked to give way, list by list, when one of this group comes."""
    return [{one.group for one in members} for members in crowd.enter(Someone(group=group))]


def test_who_has_room_takes_nobodys_place():
    assert asked(crowd_of("a", "a", connections_per_address=3), "a") == []


def test_an_address_gives_up_one_of_its_own():
    assert asked(crowd_of("a", "a", "b", connections_per_address=2), "a") == [{"a"}]


def test_in_a_full_process_the_address_with_most_is_asked_first_and_then_everybody():
    assert asked(crowd_of("a", "b", "b", connections=3), "c") == [{"b"}, {"a", "b"}]


def test_without_a_bound_for_each_address_only_the_whole_counts():
    assert asked(crowd_of("a", "a", connections_per_address=0), "a") == []


def test_who_leaves_makes_room_once():
    crowd = crowd_of("a", "a", connections=2)
    first = next(iter(crowd.by_group["a"]))
    crowd.leave(first)
    crowd.leave(first)
    assert (crowd.number, asked(crowd, "b")) == (1, [])


def test_a_process_admits_no_more_connections_than_it_may_open_files():
    few = Bounds(connections=10_000_000).that_fit()
    assert few.connections < 10_000_000
    assert Bounds(connections=20).that_fit().connections == 20
