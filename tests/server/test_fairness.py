"""Who waits for whom: requests of two organizations at one process of four threads."""

import psycopg
import pytest

from tests.server.clients import answered, get
from tests.support import interview
from tests.waiting import without_timeouts


@pytest.fixture(scope="module")
def server(new_server, login_url):
    """A Served whose requests wait for a lock to the end of the test."""
    urls = {"DATABASE_URL": login_url("pipeline_app"), "DATABASE_FORMS_URL": login_url("pipeline_forms")}
    with new_server(**{name: without_timeouts(url) for name, url in urls.items()}) as served:
        yield served


@pytest.fixture
def locked_lead(organization, owner_url):
    """The path of a lead whose changes wait."""
    path = f"/api/leads/{organization.admin.post('/api/leads', {'first_name': 'Pat'}, status=201).json['id']}"
    with psycopg.connect(owner_url) as holder:
        holder.execute("select from app.leads where organization_id = %s for update", [organization.id])
        yield path


def test_prospects_who_wait_leave_a_thread_to_those_of_other_organizations(
    server, organization, new_organization, owner_url
):
    theirs, other = organization.invite(), new_organization().invite()
    for invite in (theirs, other):  # whose the forms are is known from here on
        with server.connect(page(invite)) as client:
            assert client.answer().startswith(b"HTTP/1.1 200")
    with psycopg.connect(owner_url) as holder:
        holder.execute("select from app.interview_invites where id = %s for update", [theirs["id"]])
        with server.attacked_by(40, saving(theirs), "127.0.0.2") as crowd:
            for _ in range(5):
                with server.connect(page(other)) as client:
                    assert client.answer().startswith(b"HTTP/1.1 200")
            assert answered(crowd) == []


def page(invite):
    """The bytes of a prospect's look at their form."""
    return f"GET {interview(invite)} HTTP/1.1\r\nHost: x\r\n\r\n".encode()


def saving(invite):
    """The bytes of a prospect's answer."""
    head = page(invite).replace(b"GET", b"PATCH", 1).removesuffix(b"\r\n")
    body = b'{"answers": {"seats": 5}}'
    return head + b"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n%b" % (len(body), body)


def change(path, api):
    """The bytes of a change of a lead."""
    head = get(path, api).replace(b"GET", b"PUT", 1).removesuffix(b"\r\n")
    body = b'{"first_name": "Kim"}'
    return head + b"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n%b" % (len(body), body)


def test_a_crowd_that_waits_leaves_a_thread_to_the_other_organizations(
    server, locked_lead, organization, new_organization
):
    other = get("/api/leads", new_organization().member)
    with server.attacked_by(40, change(locked_lead, organization.admin), "127.0.0.2") as crowd:
        for _ in range(5):
            with server.connect(other) as client:
                assert client.answer().startswith(b"HTTP/1.1 200")
        assert answered(crowd) == []


def test_a_crowd_without_tokens_does_not_come_before_an_organization(server, member):
    anonymous = get("/openapi.json", member).replace(b"Authorization", b"X-None")
    # From an address of its own: of the crowds above some may still be connected.
    with server.attacked_by(200, anonymous, "127.0.0.3") as crowd, server.connect(get("/api/leads", member)) as client:
        assert client.answer().startswith(b"HTTP/1.1 200")
        assert all(one.answer().startswith(b"HTTP/1.1 200") for one in crowd)
