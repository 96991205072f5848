"""The short form of `make chaos`: everything is killed at least once.

That limits are exact over two web processes, whatever headers say, is shown in tests/http/test_limits.py.
"""

import pytest

from pipeline.http.quotas.counts import PATIENCE
from tests.chaos.imports import killed_import
from tests.chaos.speed import submit_times
from tests.chaos.story import Service, run

pytestmark = pytest.mark.long
ROWS = 10_000


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    """The whole service in processes of its own."""
    with Service(tmp_path_factory.mktemp("chaos")) as service:
        yield service


def test_a_submit_does_not_wait_for_a_redis_that_is_away_or_silent(service):
    """On a busy machine any of them may take long: not all, unless there is something to wait for."""
    times = submit_times(service, 20)
    for taken in times.values():
        assert min(taken) < min(times["up"]) + PATIENCE


def test_an_import_that_is_killed_leaves_nothing_and_the_next_takes_all(service):
    assert killed_import(service, "lead_import_insert", ROWS) == [(None, 0), (200, ROWS)]


@pytest.mark.timeout(900)
def test_whatever_is_killed_nothing_is_lost_and_nothing_happens_twice(service):
    report = run(service, seed=4, kills=8, seconds=30)
    print("\n".join(report.lines))
    assert not report.violations, "\n".join(report.violations)
    assert report.kills.total() >= 8
