"""A request's transaction: it begins and asks who calls in one message, and ends as a whole or with an error."""

import psycopg
import pytest

from pipeline.database import BEGIN, Database, queries

ROLE = "select current_user as role, coalesce(current_setting('app.organization_id', true), '') as organization"


@pytest.fixture
def database(settings):
    """A pool with one connection."""
    database = Database(settings.database_url, size=1)
    yield database
    database.close()


@pytest.fixture
def opening(organization):
    """What a request of the organization's member begins with."""
    user_id = organization.users["member"]
    return queries.authenticate.opening(
        BEGIN, user_id=user_id, organization_id=organization.id, session_id=organization.session(user_id)
    )


def opened(database, opening):
    """Who the current user is, and of which organization, in a transaction that an Opening began."""
    connection, _answer = database.open(opening)
    row = connection.execute(ROLE).fetchone()
    database.end(connection, commit=False)
    return row


def test_a_transaction_begins_in_the_context_of_its_caller(database, opening, organization):
    for _ in range(2):  # the second time the statement is prepared
        assert opened(database, opening) == {"role": "pipeline_member", "organization": str(organization.id)}


def test_nothing_of_a_context_is_left_to_the_next_transaction(database, opening):
    for commit in (False, True):
        connection, _answer = database.open(opening)
        database.end(connection, commit)
        with database.transaction() as connection:
            assert connection.execute(ROLE).fetchone() == {"role": "pipeline_app", "organization": ""}


def test_who_has_no_seat_gets_no_context(database):
    stranger = queries.authenticate.opening(BEGIN, user_id=2**62, organization_id=2**62, session_id=2**62)
    connection, answer = database.open(stranger)
    assert answer.ntuples == 0
    assert connection.execute(ROLE).fetchone()["role"] == "pipeline_app"
    database.end(connection, commit=False)


def test_a_connection_that_has_forgotten_its_statements_learns_them_again(database, opening):
    opened(database, opening)
    with database.transaction() as connection:
        connection.pgconn.exec_(b"deallocate all")
    assert opened(database, opening)["role"] == "pipeline_member"


def test_a_failed_statement_makes_a_connection_forget_what_it_prepared(database, opening):
    opened(database, opening)
    connection = database.begin()
    with pytest.raises(psycopg.errors.DivisionByZero):
        connection.execute("select 1 / 0")
    database.end(connection, commit=False)
    with database.transaction() as connection:
        assert connection.execute("select name from pg_prepared_statements").fetchall() == []


def test_a_connection_that_was_cut_is_replaced_before_anything_is_done(database, opening, owner_url):
    with database.transaction() as connection:
        number = connection.info.backend_pid
    with psycopg.connect(owner_url) as owner:
        owner.execute("select pg_terminate_backend(%s, 5000)", [number])
    assert opened(database, opening)["role"] == "pipeline_member"


def test_a_beginning_that_fails_says_why_and_keeps_no_connection(database, opening):
    for _ in range(2):
        with pytest.raises(psycopg.errors.SyntaxError):
            database.open(opening._replace(message=b"begin; nonsense"))
    assert opened(database, opening)["role"] == "pipeline_member"


def test_a_statement_that_cannot_be_prepared_says_why(database, opening):
    with pytest.raises(psycopg.errors.UndefinedTable):
        database.open(opening._replace(text=b"select * from nowhere"))


def test_the_commit_of_a_transaction_that_has_failed_is_an_error(database):
    connection = database.begin()
    with pytest.raises(psycopg.errors.DivisionByZero):
        connection.execute("select 1 / 0")
    with pytest.raises(psycopg.InternalError):
        database.end(connection, commit=True)


def test_a_transaction_begins_with_integers_alone():
    for given in ("1; drop table app.leads", True, 1.5, None):
        with pytest.raises(TypeError):
            queries.authenticate.opening(BEGIN, user_id=given, organization_id=1, session_id=1)
