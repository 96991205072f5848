"""A cluster with the database distributed, and sixteen organizations on it."""

import pytest

from tests.citus.customers import Customer


@pytest.fixture(scope="session")
def cluster(citus, owner_url):
    """A Cluster of a coordinator and two workers; the tests here are run with --cluster."""
    return citus


@pytest.fixture(scope="session")
def customers(cluster):
    return [Customer(cluster, f"customer-{number}") for number in range(16)]


@pytest.fixture
def apart(new_organization, wsgi, cluster):
    """Two organizations on different workers, each with the pool of its own."""
    app, one = wsgi.registry.app, new_organization()
    others = iter(new_organization, None)
    other = next(other for other in others if app.of(other.id) is not app.of(one.id))
    return (one, app.of(one.id)), (other, app.of(other.id))
