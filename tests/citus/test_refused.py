"""The messages for databases that cannot be distributed; on PostgreSQL alone."""

import pytest

from pipeline.database.cluster.distribution import Refused, distribute


def test_a_postgresql_without_citus_is_refused(owner_url):
    with pytest.raises(Refused, match="has no extension citus"):
        distribute(owner_url)
