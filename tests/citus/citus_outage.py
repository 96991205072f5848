"""While a worker is away, jobs and the following of changes continue on other servers, and log it once."""

from contextlib import closing

import pytest
import structlog

from pipeline.changes.webhooks.following import Following
from pipeline.database import open_database
from pipeline.worker.jobs import MINUTE, run_every
from pipeline.worker.servers import ServerThreads
from tests.waiting import wait_until

pytestmark = pytest.mark.timeout(600)
# Changes of the count of leads that are not folded, and messages.
TO_FOLD = "select count(*) from app.record_count_deltas where organization_id = %s and kind = 'leads'"
MESSAGES = "select count(*) from app.webhook_deliveries where organization_id = %s"


@pytest.fixture
def jobs(login_url):
    """The pools of the worker's login, as patient as a worker's."""
    with closing(open_database(login_url("pipeline_jobs"), 8, "jobs")) as database:
        yield database


@pytest.fixture
def logs():
    with structlog.testing.capture_logs() as lines:
        yield lines


def counted(organization, statement):
    """What the server that has an organization counts of it, which may have been away."""
    return organization.superuser.home(organization.id).execute(statement, (organization.id,)).fetchone()[0]


def test_jobs_go_on_where_the_servers_are_and_tell_of_the_other_once(apart, cluster, jobs, settings, logs):
    (one, pool), (other, _) = apart
    with cluster.without(cluster.at(pool.address)):
        for _ in (1, 2):
            other.member.post("/api/leads", {"first_name": "Bo"}, status=201)
            other.member.post("/api/leads", {"first_name": "Bo"}, status=201)
            run_every(jobs, settings, MINUTE)
            assert counted(other, TO_FOLD) == 1
    told = [line for line in logs if line["event"] == "jobs wait for a server"]
    assert [line["server"] for line in told] == [pool.address]
    one.member.post("/api/leads", {"first_name": "Ann"}, status=201)
    wait_until(lambda: run_every(jobs, settings, MINUTE) or counted(one, TO_FOLD) == 1)


def test_webhooks_are_followed_where_the_servers_are_and_the_other_is_told_of_once(
    apart, cluster, jobs, settings, logs
):
    (one, pool), (other, _) = apart
    for organization in (one, other):
        wanted = {"url": "https://127.0.0.1:1/", "events": ["lead.created"]}
        organization.admin.post("/api/webhooks", wanted, status=201)
    following = ServerThreads(jobs.each, lambda server: Following(server, settings))
    with cluster.without(cluster.at(pool.address)):
        other.member.post("/api/leads", {"first_name": "Bo"}, status=201)
        following.start()
        wait_until(lambda: counted(other, MESSAGES) == 1)
        wait_until(lambda: any(line["event"] == "following waits" for line in logs))
        other.member.post("/api/leads", {"first_name": "Bo"}, status=201)
        wait_until(lambda: counted(other, MESSAGES) == 2)
    wait_until(lambda: one.member.post("/api/leads", {"first_name": "Ann"}).status_code == 201)
    wait_until(lambda: counted(one, MESSAGES) == 1)
    following.stop()
    assert [line["server"] for line in logs if line["event"] == "following waits"] == [pool.address]
