"""Each endpoint's steps, transaction, role, bucket and kind of heavy work are recorded in `steps.txt`."""

from tests.http.steps import FILE, recorded


def test_the_recorded_steps_are_those_of_today():
    assert FILE.read_text() == recorded(), "run: make examples"
