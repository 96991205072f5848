"""A cluster with the database distributed, and sixteen organizations on it."""

import pytest

from tests.citus.customers import Customer


@pytest.fixture(scope="session")
def cluster(citus, owner_url):
    """A Cluster of a coordinator and two workers; the tests here are run with --cluster."""
    return citus


@pytest.fixture(scope="session")
def customers(cluster):
    """Sixteen Customers."""
    return [Customer(cluster, f"customer-{number}") for number in range(16)]
