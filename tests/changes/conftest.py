"""Waiting for what other tests write at the same time."""

import functools

import pytest

from tests.waiting import wait_for_writers


@pytest.fixture
def settle(owner):
    """settle(): wait until every transaction of the server that has written so far has ended; other tests have some."""
    return functools.partial(wait_for_writers, owner)
