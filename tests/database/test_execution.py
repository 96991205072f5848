"""Execution of statements: prepared after repetition, with psycopg's behaviour."""

from contextlib import closing

import psycopg
import pytest

from pipeline.database import Database, never_prepare
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
    return [[execute(connection, text, (), True).rows() for _ in range(OFTEN)][-1] for text in texts]


def prepared(connection):
    """The texts of the statements that the server knows by a name."""
    return {text for (text,) in execute(connection, PREPARED, (), False).rows()}


def test_what_comes_again_is_prepared_and_what_depends_on_values_is_not(connection):
    often(connection, b"select 1")
    for _ in range(OFTEN):
        execute(connection, b"select 2", (), False)
    assert prepared(connection) == {"select 1"}


def test_values_of_another_type_are_another_statement(connection):
    for value in (1, 70_000, "x", None):
        rows = [execute(connection, b"select cast($1 as text)", (value,), True).rows() for _ in range(OFTEN)]
        assert rows[-1] == [(None if value is None else str(value),)]


def test_a_transaction_begins_as_its_connection_says(owner_url):
    with psycopg.connect(owner_url) as opened:
        opened.isolation_level, opened.read_only = psycopg.IsolationLevel.REPEATABLE_READ, True
        said = often(opened, b"show transaction_isolation", b"show transaction_read_only")
    assert said == [[("repeatable read",)], [("on",)]]


def test_behind_a_pooler_nothing_is_prepared(connection):
    never_prepare(connection)
    assert often(connection, b"select 1") == [[(1,)]]
    assert prepared(connection) == set()


def test_what_has_not_come_for_longest_is_forgotten_by_the_server_too(connection):
    connection.prepared_max = 2
    often(connection, *[b"select %d" % number for number in range(10)])
    # psycopg forgets one with the next that is new.
    assert prepared(connection) == {"select 7", "select 8", "select 9"}


def test_a_plan_that_a_migration_has_made_useless_is_forgotten_with_its_first_failure(owner_url, connection):
    connection.execute("create table app.shown (a integer)")
    with closing(Database(owner_url, size=1)) as database:
        with database.transaction() as other:
            assert often(other, b"select * from app.shown") == [[]]
        connection.execute("alter table app.shown add column b integer")
        with pytest.raises(psycopg.errors.FeatureNotSupported), database.transaction() as other:
            often(other, b"select * from app.shown")
        with database.transaction() as other:
            assert often(other, b"select * from app.shown", b"select 1") == [[], [(1,)]]
    connection.execute("drop table app.shown")


def test_what_is_prepared_outlives_a_failure_that_is_not_of_its_plan(connection):
    often(connection, b"select 1")
    with pytest.raises(psycopg.errors.DivisionByZero):
        execute(connection, b"select 1 / $1", (0,), True)
    often(connection, b"select 2")
    assert prepared(connection) == {"select 1", "select 2"}


def test_statements_that_the_server_has_dropped_are_prepared_again(connection):
    often(connection, b"select 1", b"select 2")
    connection.execute("deallocate all")
    assert often(connection, b"select 1", b"select 2") == [[(1,)], [(2,)]]


def test_what_is_prepared_outlives_a_transaction_that_is_rolled_back(owner_url):
    with closing(Database(owner_url, size=1)) as database:
        with database.transaction() as connection:
            often(connection, b"select 1")
            for _ in range(OFTEN):
                connection.execute("select 2")
        with pytest.raises(psycopg.errors.DivisionByZero), database.transaction() as connection:
            connection.execute("select 1 / 0")
        with database.transaction() as connection:
            assert often(connection, b"select 1") == [[(1,)]]
            assert prepared(connection) == {"select 1", "select 2"}


def test_a_connection_that_begins_transactions_by_itself_is_rolled_back_whole(owner_url):
    with psycopg.connect(owner_url) as connection:
        execute(connection, b"select set_config('app.organization_id', '7', false)", (), True)
        connection.rollback()
        (row,) = execute(connection, b"select current_setting('app.organization_id', true)", (), True).rows()
    assert not row[0]


def test_what_the_server_tells_with_an_answer_reaches_who_listens(connection):
    connection.execute("listen anything")
    execute(connection, b"notify anything, 'now'", (), True)
    assert [told.payload for told in connection.notifies(timeout=5, stop_after=1)] == ["now"]
