from contextlib import ExitStack, closing

import psycopg
import pytest

from pipeline.database import Database, queries
from pipeline.worker.queues import Queue
from pipeline.worker.relay import Relay
from tests.operations.pooler import Pooler

OFTEN = 12  # psycopg prepares what it has sent five times


@pytest.fixture(scope="module")
def pooler(owner_url, tmp_path_factory):
    """A Pooler with one connection to the server, for each login."""
    pooler = Pooler(tmp_path_factory.mktemp("pooler"), owner_url, size=1)
    pooler.start_and_wait()
    yield pooler
    pooler.kill()


def test_frequent_statements_of_two_pools_on_one_server_connection_do_not_clash(pooler):
    with ExitStack() as closing_both:
        both = [closing_both.enter_context(closing(Database(pooler.url("pipeline_app"), 1))) for _ in range(2)]
        for _time in range(OFTEN):
            for database in both:
                with database.transaction():
                    assert queries.login_rights()["login"] == "pipeline_app"


@pytest.mark.parametrize("vouched", [False, True])
def test_the_relay_leaves_a_session_in_the_poolers_hands_as_it_is_unless_somebody_vouches_for_it(pooler, vouched):
    url = pooler.url("pipeline_jobs")
    relay = Relay(url, "redis://127.0.0.1:1", Queue("mail", 1), print, listens=vouched)
    with relay._listening(), psycopg.connect(url, autocommit=True) as other:
        assert bool(other.execute("select * from pg_listening_channels()").fetchall()) == vouched
        other.execute("unlisten *")
