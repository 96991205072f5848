"""The short form of `make chaos`: everything is killed once."""

import pytest

from tests.chaos.story import Service, run


@pytest.mark.timeout(240)
def test_whatever_is_killed_nothing_is_lost_and_nothing_happens_twice(tmp_path):
    with Service(tmp_path) as service:
        report = run(service, seed=4, kills=8, seconds=45)
    print("\n".join(report.lines))
    assert report.faults == []
    assert report.kills.total() >= 8
