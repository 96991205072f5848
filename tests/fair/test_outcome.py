"""When an attack counts as withstood."""

import math

import pytest

from tests.fair.experiment import Aims, Outcome
from tests.fair.watch import NEVER, Figures, Sample, percentile

FINE = Figures(0.01, 0.04, 0.05, 500, 0, {})
FAILED = FINE._replace(errors=2, reasons={"leads: 503 unavailable": 2})
OUTCOME = Outcome("exports", FINE, FINE, FINE, 0.5, 0.2, {"200": 3}, 0.1, None)
AIMS = Aims(p99=0.05)


def test_an_attack_that_nobody_else_notices_is_withstood():
    assert OUTCOME.violations(AIMS) == []


@pytest.mark.parametrize(
    ("changes", "violation"),
    [
        ({"before": FAILED}, "exports: 2 of 500 requests failed before it: 2 × leads: 503 unavailable"),
        ({"during": FAILED}, "exports: 2 of 500 requests failed during it: 2 × leads: 503 unavailable"),
        ({"after": FAILED}, "exports: 2 of 500 requests failed after it: 2 × leads: 503 unavailable"),
        ({"during": FINE._replace(p99=0.051)}, "exports: p99 of lists: 51 ms, aim 50 ms"),
        ({"during": FINE._replace(p99=math.nan)}, "exports: p99 of lists: —, aim 50 ms"),
        ({"during": FINE._replace(others=0.51)}, "exports: p99 of all else: 510 ms, aim 500 ms"),
        ({"email": 5.1}, "exports: an email took: 5.1 s, aim 5 s"),
        ({"email": NEVER}, "exports: an email took: never, aim 5 s"),
        ({"email": math.nan}, "exports: an email took: —, aim 5 s"),
        ({"message": 5.1}, "exports: a message to a webhook took: 5.1 s, aim 5 s"),
        ({"recovery": 1.1}, "exports: well again after: 1.1 s, aim 1 s"),
        ({"owner": 429}, "exports: the owner's login was answered: 429"),
    ],
)
def test_whatever_another_notices_violates_an_aim(changes, violation):
    assert OUTCOME._replace(**changes).violations(AIMS) == [violation]


def test_a_percentile_is_a_value_that_was_seen():
    values = [number / 100 for number in range(1, 101)]
    assert percentile(values, 0.99) == 0.99
    assert percentile(values, 0.5) == 0.5
    assert percentile([7], 0.99) == 7


def test_a_request_without_an_answer_counts_with_the_time_that_it_has_waited():
    sample = Sample("leads", due=0)
    assert sample.waited > 1
    assert not sample.is_good(within=1)
