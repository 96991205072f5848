import functools

import pytest

from tests.waiting import wait_for_writers


@pytest.fixture
def settle(owner):
    """settle(): wait until every transaction of the server that has written so far has ended; other tests have some."""
    return functools.partial(wait_for_writers, owner)


@pytest.fixture
def feed(organization, settle):
    """feed(after=None, **query): the response of GET /changes to the member or another client, once all is settled."""

    def read(after=None, settled=True, client=organization.member, **query):
        if settled:
            settle()
        given = {"after": after, **query}
        text = "&".join(f"{name}={value}" for name, value in given.items() if value is not None)
        return client.get(f"/api/changes?{text}", status=200).json

    return read
