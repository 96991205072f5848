"""The benchmark of the lists knows words for all that the API's description offers; its figures are for people."""

import pytest

from bench.cases import JOINED, described, parts
from bench.kinds import KINDS

SIZE = 1_000_000


@pytest.fixture(params=KINDS)
def listed(request, anonymous):
    """Each measured list."""
    return described(anonymous.get("/openapi.json", status=200).json, request.param, {"leads": 1}, SIZE)


def test_each_filter_is_measured_in_each_order(listed):
    measured = {label: asked for label, asked, *_ in parts(listed, SIZE)}
    for name, words in listed.filters.items():
        assert len(measured[f"filter {name}"]) == len(words) * len(listed.orders) > 0


def test_every_order_is_measured_on_the_first_page_and_far_down(listed):
    measured = {label: asked for label, asked, *_ in parts(listed, SIZE)}
    first = measured["first page"] + measured["first page by another table's column"]
    assert sorted(map(str, first)) == sorted(map(str, listed.orders))
    assert {order["sort_by"] for order in listed.orders if order} >= JOINED.get(listed.table, set())
    assert all(int(asked["page"]) > 10 for asked in measured["nine tenths down"])
