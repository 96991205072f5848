"""The benchmark of lists asks each list for each of its filters."""

import pytest

from bench.cases import described
from bench.kinds import KINDS


@pytest.mark.parametrize("kind", KINDS)
def test_each_filter_of_a_list_has_words_in_the_benchmark(kind, anonymous):
    filters = described(anonymous.get("/openapi.json", status=200).json, kind, {"leads": 1}, 1000).filters
    assert [name for name, words in filters.items() if not words] == []
