"""The service itself on a cluster (docs/citus.md); `pytest --cluster` runs the suites of one PostgreSQL there, too."""

from concurrent.futures import ThreadPoolExecutor

import pytest
import structlog

from pipeline.database import effects, queries
from pipeline.worker.jobs import JOBS, run
from tests.waiting import wait_until

pytestmark = pytest.mark.timeout(600)
AT_ONCE = 8


def asked(pool):
    """How often a connection of a pool was asked for."""
    return pool.pool.get_stats().get("requests_num", 0)


def test_a_request_works_on_the_worker_of_its_organization_alone(apart):
    (one, pool), (_, other_pool) = apart
    before = asked(pool), asked(other_pool)
    one.member.post("/api/leads", {"first_name": "Ann"}, status=201)
    assert one.member.get("/api/leads").json["total"] == 1
    assert (asked(pool), asked(other_pool)) == (before[0] + 2, before[1])


def test_a_worker_that_is_away_costs_its_organizations_alone_and_keeps_no_thread_waiting(apart, cluster):
    (one, pool), (other, _) = apart
    with cluster.without(cluster.at(pool.address)):
        one.member.get("/api/leads", status=503)
        before = asked(pool)
        with ThreadPoolExecutor(AT_ONCE) as threads:
            statuses = threads.map(lambda _: one.member.get("/api/leads").status_code, range(AT_ONCE))
            assert set(statuses) == {503}
        assert asked(pool) - before < AT_ONCE
        other.member.post("/api/leads", {"first_name": "Bo"}, status=201)
    wait_until(lambda: one.member.get("/api/leads").status_code == 200)


def test_events_are_leased_on_the_worker_of_their_organization(apart, jobs):
    wanted = {}
    for organization, _ in apart:
        jobs_pool = jobs.of(organization.id)
        with jobs_pool.transaction():
            queries.organization_enter(organization_id=organization.id)
            effects.emit("leased_here", 1, {})
        wanted[organization.id] = jobs_pool
    found = {}
    for server in jobs.each():
        with server.transaction():
            leased = queries.outbox_lease(queue="mail", limit=100, each=100, seconds=3)
        found |= {row["organization_id"]: server for row in leased}
    assert {id: server for id, server in found.items() if id in wanted} == wanted


@pytest.mark.parametrize("name", JOBS)
def test_every_job_by_time_runs(name, organization, jobs, settings):
    with structlog.testing.capture_logs() as logs:
        run(jobs, settings, name)
    assert [line["event"] for line in logs] == ["job"]
