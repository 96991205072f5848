"""A cluster with the schema distributed, and sixteen organizations on it."""

import contextlib

import pytest

from tests.citus.cluster import Cluster
from tests.citus.customers import Customer
from tests.citus.distribution import distribute


@pytest.fixture(scope="session")
def cluster(tmp_path_factory):
    """A Cluster of a coordinator and two workers."""
    with contextlib.closing(Cluster(tmp_path_factory.mktemp("citus"))) as started:
        started.start()
        distribute(started)
        yield started


@pytest.fixture(scope="session")
def customers(cluster):
    """Sixteen Customers."""
    return [Customer(cluster, f"customer-{number}") for number in range(16)]
