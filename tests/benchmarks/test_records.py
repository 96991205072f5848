"""The benchmark of the lists asks for all that they can be asked for; what it measures is for people."""

import pytest

from bench.records import LISTS, filters, orders, parts


class Asked:
    """Takes note of queries instead of measuring them."""

    size = 1_000_000

    def figures(self, path, asked, *aims):
        return asked


@pytest.mark.parametrize("listed", LISTS, ids=[path for path, _, _ in LISTS])
def test_a_list_is_measured_in_each_order_with_each_filter_and_far_down(listed):
    _, statement, schema = listed
    measured = {label.partition(",")[0].partition(" ")[0]: asked for label, _, asked in parts(Asked(), *listed)}
    assert measured["first"] == orders(statement)
    assert {name for asked in measured["one"] for name in asked} >= set(filters(schema, Asked.size))
    assert all(int(asked["page"]) > 10 for asked in measured["page"])
