"""The short form of `make chaos`: everything is killed at least once."""

import pytest

from tests.chaos.imports import killed_import
from tests.chaos.story import Service, run

pytestmark = pytest.mark.long
ROWS = 10_000


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    with Service(tmp_path_factory.mktemp("chaos")) as service:
        yield service


def test_an_import_that_is_killed_leaves_nothing_and_the_next_takes_all(service):
    assert killed_import(service, "lead_import_insert", ROWS) == [(None, 0), (200, ROWS)]


@pytest.mark.timeout(900)
def test_whatever_is_killed_nothing_is_lost_and_nothing_happens_twice(service):
    violations, lines = run(service, seed=4, kills=8, seconds=30)
    print("\n".join(lines))
    assert not violations, "\n".join(violations)
