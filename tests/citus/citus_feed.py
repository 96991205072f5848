"""The order of changes on a cluster, with several servers and moved rows."""

import pytest

from tests.waiting import wait_until
from tests.webhooks.conftest import Hook
from tests.webhooks.receiver import Receiver

pytestmark = pytest.mark.timeout(600)
COUNTED = "select cast(cast(pg_current_xact_id() as text) as bigint)"


def count_beyond(node, others):
    """Let a server have counted more transactions than others."""
    beyond = max(other.rows(COUNTED)[0][0] for other in others) + 500
    with node.connect() as connection:
        connection.execute(f"do $$ begin while ({COUNTED}) < {beyond} loop commit; end loop; end $$")


def moved(cluster, organization):
    cluster.move(organization.id)
    wait_until(lambda: organization.member.get("/api/leads").status_code == 200)


def told_after(organization, place):
    """The changes of leads and users after a place, once there are some."""
    path = f"/api/changes?after={place}&types=leads,users"
    found = wait_until(lambda: organization.member.get(path, status=200).json["data"])
    return [(change["type"], change["id"], change["action"]) for change in found]


def place_of(organization):
    """The place in the feed after which all is to come from now on."""
    return organization.member.get("/api/changes", status=200).json["next"]


@pytest.fixture
def hook(organization, jobs, settings):
    receiver = Receiver()
    yield Hook(organization, jobs, settings, receiver.url, ["lead.created"])
    receiver.stop()


def test_a_name_that_a_person_changes_elsewhere_is_told_where_the_reader_is(apart, cluster):
    (one, _), (other, _) = apart
    person = one.users["member"]
    other.seat(person)
    count_beyond(cluster.worker(other.id), cluster.nodes)
    place = place_of(other)
    one.member.patch("/api/auth/me", {"name": "Ada"}, status=200)
    assert told_after(other, place) == [("users", person, "updated")]


def test_what_is_new_comes_after_a_readers_place_also_on_a_server_that_has_counted_less(organization, cluster):
    count_beyond(cluster.worker(organization.id), cluster.nodes)
    for name in ("Ann", "Bo"):
        place = place_of(organization)
        moved(cluster, organization)
        lead = organization.member.post("/api/leads", {"first_name": name}, status=201).json["id"]
        assert told_after(organization, place) == [("leads", lead, "created")]


def test_a_webhook_follows_over_a_move(organization, cluster, hook):
    organization.member.post("/api/leads", {"first_name": "Ann"}, status=201)
    count_beyond(cluster.worker(organization.id), cluster.nodes)
    wait_until(lambda: hook.follow() or hook.deliveries())
    moved(cluster, organization)
    organization.member.post("/api/leads", {"first_name": "Bo"}, status=201)
    wait_until(lambda: hook.follow() or len(hook.deliveries()) == 2)


def test_a_place_that_was_asked_for_between_two_moves_holds_after_the_second(organization, cluster):
    moved(cluster, organization)
    count_beyond(cluster.worker(organization.id), cluster.nodes)
    place = place_of(organization)
    moved(cluster, organization)
    lead = organization.member.post("/api/leads", {"first_name": "Ann"}, status=201).json["id"]
    assert told_after(organization, place) == [("leads", lead, "created")]
