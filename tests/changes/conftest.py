"""Waiting for what other tests write at the same time."""

import time

import pytest


@pytest.fixture
def settle(owner):
    """settle(): wait until every transaction of the server that has written so far has ended; other tests have some."""

    def wait():
        query = "select cast(pg_snapshot_xmin(pg_current_snapshot()) as text)::bigint > %s"
        latest = owner.execute("select cast(pg_current_xact_id() as text)::bigint").fetchone()
        deadline = time.monotonic() + 60
        while not owner.execute(query, latest).fetchone()[0]:
            assert time.monotonic() < deadline
            time.sleep(0.01)

    return wait
