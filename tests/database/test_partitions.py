"""The schema allows partitions of its large tables by organization (docs/dba.md)."""

import re

import psycopg
import pytest

from pipeline.database import revisions
from tests.database.conftest import seed

TABLES, PARTS = ("changes", "file_chunks", "leads"), 4

pytestmark = pytest.mark.long


def partitioned(text, table):
    """The text of the schema, in which a table is partitioned."""
    definition = re.compile(rf"(create table app\.{table} \(\n.*?\n\))([^;]*);", re.S)
    parts = "".join(
        f"\ncreate table app.{table}_{part} partition of app.{table} "
        rf"for values with (modulus {PARTS}, remainder {part})\2;"
        for part in range(PARTS)
    )
    return definition.sub(rf"\1 partition by hash (organization_id);{parts}", text, count=1)


@pytest.fixture(scope="module")
def member(owner_url, server_url):
    """A member's connection to a database with partitions, and two organizations; the first one is the member's."""
    text = "\n".join(revisions.schema())
    for table in TABLES:
        text = partitioned(text, table)
    with psycopg.connect(owner_url, autocommit=True) as server:
        server.execute("create database partitions template template0")
        url = server_url("postgres", "partitions")
        with psycopg.connect(url) as owner:
            owner.execute(text)
        made = [seed(url, slug)["organizations"] for slug in ("acme", "globex")]
        with psycopg.connect(url) as connection:
            connection.execute("select set_config('app.organization_id', %s, true)", [str(made[0])])
            connection.execute("set local role pipeline_member")
            yield connection
        server.execute("drop database partitions with (force)")


def test_an_organization_sees_its_own_rows_and_no_partition_by_its_name(member):
    for table in TABLES:
        found = member.execute(f"select count(*), count(distinct organization_id) from app.{table}").fetchone()
        assert (found[0] > 0, found[1]) == (True, 1)
        with pytest.raises(psycopg.errors.InsufficientPrivilege), member.transaction():
            member.execute(f"select count(*) from app.{table}_0")


def test_a_request_reads_the_partition_of_its_organization_alone(member):
    plan = member.execute("explain select id from app.leads order by organization_id, name_key, id limit 25")
    assert f"Subplans Removed: {PARTS - 1}" in "".join(line for (line,) in plan)
