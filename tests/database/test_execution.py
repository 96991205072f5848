"""Execution of statements: prepared after repetition; tests/leads has what outlives a rollback."""

from contextlib import closing

import psycopg
import pytest

from pipeline.database import Database, queries
from pipeline.database.execution import execute

OFTEN = 7
PREPARED = b"select statement from pg_prepared_statements"


@pytest.fixture
def connection(owner_url):
    """A connection past every pooler."""
    with psycopg.connect(owner_url, autocommit=True) as opened:
        yield opened


def often(connection, *texts):
    """The last rows of statements that are executed so often that they are prepared."""
    return [[execute(connection, text, (), True).fetchall() for _ in range(OFTEN)][-1] for text in texts]


def prepared(connection):
    """The texts of the statements that the server knows by a name."""
    return {row["statement"] for row in execute(connection, PREPARED, (), False).fetchall()}


def test_repeated_statements_are_prepared_unless_their_plan_depends_on_values(connection):
    often(connection, b"select 1")
    for _ in range(OFTEN):
        execute(connection, b"select 2", (), False)
    assert prepared(connection) == {"select 1"}


@pytest.mark.parametrize("given", [{"source": "web"}, {"offset": 25}, {"after_id": 1, "sort_by": None}], ids=str)
def test_a_list_is_planned_with_its_values_except_for_the_first_page_without_filters(acting, given):
    first = {"sort_by": "name", "sort_dir": "ASC", "limit": 25, "offset": 0}
    with acting("pipeline_member", "acme") as connection, queries.on(connection):
        for _ in range(OFTEN):
            queries.lead_list(**first)
            queries.lead_list(**first | given)
        lists = [text for text in prepared(connection) if text.startswith("-- lead_list")]
        assert [text.split(",")[0] for text in lists] == ["-- lead_list: sort_by=name"]


def test_a_plan_that_a_migration_has_made_useless_is_forgotten_with_its_first_failure(owner_url, connection):
    connection.execute("create table app.shown (a integer)")
    with closing(Database(owner_url, size=1)) as database:
        with database.transaction() as other:
            assert often(other, b"select * from app.shown") == [[]]
        connection.execute("alter table app.shown add column b integer")
        with pytest.raises(psycopg.errors.FeatureNotSupported), database.transaction() as other:
            often(other, b"select * from app.shown")
        with database.transaction() as other:
            assert often(other, b"select * from app.shown", b"select 1") == [[], [{"?column?": 1}]]
    connection.execute("drop table app.shown")
