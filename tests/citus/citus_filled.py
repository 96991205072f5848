import contextlib

import pytest

from pipeline.database.cluster import distribute
from pipeline.database.cluster.distribution import make_schema
from tests.citus.cluster import SHARDS, Cluster
from tests.database.conftest import seed

pytestmark = pytest.mark.timeout(600)
TABLES = "select tablename from pg_tables where schemaname = 'app' and tablename !~ '_[0-9]{6}$' order by 1"


def counted(node):
    """{table: how many rows it has}."""
    return {name: node.rows(f"select count(*) from app.{name}")[0][0] for (name,) in node.rows(TABLES)}


def test_the_rows_that_were_there_are_there_and_none_was_taken_for_a_new_one(tmp_path):
    with contextlib.closing(Cluster(tmp_path)) as cluster:
        cluster.start()
        url = cluster.coordinator.url()
        make_schema(url)
        for slug in ("acme", "globex"):
            seed(url, slug)
        before = counted(cluster.coordinator)
        distribute(url, shards=SHARDS)
        after = counted(cluster.coordinator)
    assert {name: after[name] for name in before} == before
