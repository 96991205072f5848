import threading
from contextlib import closing

import psycopg
import pytest
from structlog.testing import capture_logs

from pipeline.database import Database, queries
from pipeline.database.locks import LockWatch
from tests.waiting import wait_until, without_timeouts

ORGANIZATION = 987_654_321


@pytest.fixture
def url(server_url, database_name, owner_url):
    """url(login): its URL, by which a statement waits as long as it takes; past every pooler."""
    return lambda login: without_timeouts(server_url(login, database_name))


@pytest.fixture
def told(url):
    """told(holder): what the log tells of a statement that waits for the lock which this connection takes."""

    def wait():
        with closing(Database(url("pipeline_app"), 1)) as database, database.transaction():
            queries.lead_qualification_turn(organization_id=ORGANIZATION)

    def tell(holder):
        with queries.on(holder):
            queries.lead_qualification_turn(organization_id=ORGANIZATION)
        waiting = threading.Thread(target=wait)
        with capture_logs() as lines, closing(LockWatch(after=0.1, each=0.01)):
            waiting.start()
            wait_until(lambda: any(line["event"] == "waiting for a lock" for line in lines), lambda: str(lines))
            holder.rollback()
            waiting.join()
        return next(line for line in lines if line["event"] == "waiting for a lock")

    return tell


def test_a_wait_for_a_lock_names_its_holder_and_the_holders_statement(url, told):
    with psycopg.connect(url("pipeline_app"), application_name="night job") as holder:
        line, number = told(holder), holder.info.backend_pid
    assert line["statement"] == line["holder_statement"] == "lead_qualification_turn"
    assert line["holder_pid"] == number
    assert (line["holder_login"], line["holder_program"]) == ("pipeline_app", "night job")
    assert str(ORGANIZATION) not in str(line)


def test_of_another_logins_session_the_log_tells_all_but_its_statement(url, told):
    with psycopg.connect(url("pipeline_jobs"), application_name="pipeline") as holder:
        line, number = told(holder), holder.info.backend_pid
    assert (line["holder_login"], line["holder_pid"]) == ("pipeline_jobs", number)
    assert line["holder_statement"] is None


def test_a_statement_that_waits_for_nobody_is_not_told_of(url):
    with (
        psycopg.connect(url("pipeline_app")) as busy,
        queries.on(busy),
        capture_logs() as lines,
        closing(LockWatch(after=0, each=0.001)) as watch,
    ):
        wait_until(lambda: queries.backend_number() and watch.asked)
    assert lines == []
