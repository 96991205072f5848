"""The benchmark of the lists asks for all that they can be asked for; what it measures is for people."""

import itertools

import pytest

from bench.leads import LEADS
from bench.lists import filters, orders, parts
from bench.records import LISTS


class Asked:
    """Takes note of queries instead of measuring them."""

    size = 1_000_000

    def figures(self, path, asked, *aims):
        return asked


@pytest.mark.parametrize("listed", [LEADS, *LISTS], ids=lambda listed: listed.path)
def test_a_list_is_measured_in_each_order_with_each_filter_and_far_down(listed):
    measured = {label: asked for label, _, asked in parts(Asked(), listed)}
    known = filters(listed)
    assert measured["first page"] == orders(listed.statement)
    assert {name for asked in measured["one filter"] for name in asked} >= set(known)
    for pair in itertools.combinations(known, 2):
        assert sum(set(pair) <= set(asked) for asked in measured["two filters"]) == len(orders(listed.statement))
    assert all(
        int(asked["page"]) > 10 for asked in next(found for label, found in measured.items() if "page " in label)
    )
