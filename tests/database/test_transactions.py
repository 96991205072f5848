import os
import select
import socket
from contextlib import closing

import psycopg
import pytest

from pipeline.database import Database, queries

CHECKED_AT_COMMIT = """
create temporary table promised (id int primary key, other int references promised deferrable initially deferred);
insert into promised values (1, 2)
"""


@pytest.fixture
def database(login_url):
    with closing(Database(login_url("pipeline_app"), 1)) as opened:
        yield opened


def cut(owner_url, connection):
    """End a connection on the server, as its restart does."""
    with psycopg.connect(owner_url) as operator:
        operator.execute("select pg_terminate_backend(%s, 5000)", [connection.info.backend_pid])


def test_a_server_that_dies_without_a_word_is_away_too(database, owner_url):
    """Where the line cannot be written to, and can still be read, libpq has an error and no lost connection."""
    with database.transaction() as connection:
        connection.execute("listen anything")
    with psycopg.connect(owner_url, autocommit=True) as operator:
        operator.execute("notify anything")
    with socket.socket(fileno=os.dup(connection.fileno())) as line:
        select.select([line], [], [], 10)
        line.shutdown(socket.SHUT_WR)
    with database.transaction() as another:
        assert another is not connection


def test_a_server_whose_machine_vanishes_is_given_up_in_seconds(database):
    """Nobody closes the connection then; how long the kernel waits for a sign of life it must be told."""
    with database.transaction() as connection:
        told = connection.info.get_parameters()
    assert int(told["tcp_user_timeout"]) <= 10_000
    assert int(told["keepalives_idle"]) + int(told["keepalives_interval"]) * int(told["keepalives_count"]) <= 15


def test_a_commit_on_a_connection_that_was_cut_says_that_the_database_is_away(database, owner_url):
    with pytest.raises(psycopg.OperationalError), database.transaction() as connection:
        cut(owner_url, connection)


def test_a_commit_on_a_connection_that_was_lost_before_says_that_the_database_is_away(database, owner_url):
    connection = database.begin()
    cut(owner_url, connection)
    with queries.on(connection), pytest.raises(psycopg.OperationalError):
        queries.role_enter(role="none")
    with pytest.raises(psycopg.OperationalError, match="is lost"):
        database.end(connection, commit=True)


def idle(_owner_url, connection):
    """Let the server end a connection for its idleness."""
    connection.execute("set idle_in_transaction_session_timeout = 1")
    select.select([connection], [], [], 10)


@pytest.mark.parametrize("end", [cut, idle])
def test_a_roll_back_of_what_the_server_has_ended_says_nothing(database, owner_url, end):
    connection = database.begin()
    end(owner_url, connection)
    database.end(connection, commit=False)
    with database.transaction() as another:
        assert another is not connection


def test_a_refusal_at_the_commit_is_raised_by_its_name(owner_url):
    with closing(Database(owner_url, 1)) as database:
        with pytest.raises(psycopg.errors.ForeignKeyViolation), database.transaction() as connection:
            connection.execute(CHECKED_AT_COMMIT)
        with database.transaction() as again:
            assert again is connection
