"""Exports are read from an available replica, else from the primary."""

import pytest

from pipeline.http.endpoints.replica import AWAY, BEHIND, READ, Replica
from pipeline.process.metrics import replica_reads
from tests.http.counting import remaining

EXPORT = "/api/leads/export"
NOWHERE = "postgresql://pipeline_app@127.0.0.1:1/pipeline"


def counted():
    return {word: replica_reads.labels(word)._value.get() for word in (READ, BEHIND, AWAY)}


@pytest.fixture
def reading_from(wsgi, monkeypatch):
    """reading_from(url): exports ask this replica first; a Replica."""
    made = []

    def use(url):
        made.append(Replica(url, 1, 10))
        monkeypatch.setattr(wsgi.registry, "replica", made[-1])
        return made[-1]

    yield use
    for replica in made:
        replica.database.close()


def test_the_primary_reads_for_a_replica_that_is_none_or_is_away_which_is_asked_once(reading_from, login_url, admin):
    admin.post("/api/leads", {"first_name": "Ada"}, status=201)
    for url, outcome in ((login_url("pipeline_app"), BEHIND), (NOWHERE, AWAY)):
        replica, before = reading_from(url), counted()
        for _export in range(2):
            assert "Ada" in admin.get(EXPORT, status=200).text
        assert counted() == before | {outcome: before[outcome] + 2}
        assert replica.is_away() == (outcome == AWAY)


def test_a_request_that_the_primary_reads_after_all_counts_once_and_leaves_nothing_open(reading_from, login_url, admin):
    before = remaining(admin.get(EXPORT, status=200))
    replica = reading_from(login_url("pipeline_app"))
    assert remaining(admin.get(EXPORT, status=200)) == before - 1
    assert replica.database.pool.get_stats()["pool_available"] == 1


def test_who_must_not_export_gets_nothing_from_a_replica_either(reading_from, login_url, member, anonymous):
    reading_from(login_url("pipeline_app"))
    before = counted()
    member.get(EXPORT, status=403)
    anonymous.get(EXPORT, status=401)
    assert counted() == before
