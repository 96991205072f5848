"""Erasure of a person's data during concurrent work with it."""

from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest

from pipeline.contracts import renditions
from tests.personal.conftest import contract, erase
from tests.personal.whole import places
from tests.support import wait_until_waiting


def test_a_document_that_is_rendered_meanwhile_is_not_kept(monkeypatch, organization, owner, person, met):
    draft = contract(organization, person)

    def render(kind, document):
        erase(organization.admin, person, status=200)
        return document.content.encode()

    # Each request has a thread of its own, as it has in the web server.
    monkeypatch.setattr(renditions.documents, "render", in_a_thread(render))
    organization.member.get(f"/api/contracts/{draft['id']}/pdf", status=200)
    statement = "select count(*) from app.files where organization_id = %s"
    assert owner.execute(statement, [organization.id]).fetchone() == (0,)


def in_a_thread(function):
    def call(*arguments):
        with ThreadPoolExecutor(1) as pool:
            return pool.submit(function, *arguments).result()

    return call


def test_a_message_to_a_webhook_that_is_being_made_is_waited_for(organization, owner_url, person, known, told):
    told(organization)
    known(organization, person)
    with psycopg.connect(organization.server(owner_url)) as following, ThreadPoolExecutor(1) as pool:
        following.execute("select from app.webhook_states where organization_id = %s for update", [organization.id])
        erasing = pool.submit(erase, organization.admin, person, status=200)
        wait_until_waiting(following)
        following.commit()
        erasing.result()


@pytest.mark.parametrize("place", [0, pytest.param(1, marks=pytest.mark.long)], ids=["taken", "failed"])
def test_what_a_receiver_answers_of_somebody_who_was_erased_meanwhile_is_not_kept(
    organization, owner, person, known, told, place
):
    hook = told(organization, lambda number: number == 1 and erase(organization.admin, person, status=200))[place]
    known(organization, person)
    hook.work()
    assert places(owner, person.words) & {("app.webhook_deliveries", word) for word in person.words} == set()


def test_an_event_that_is_being_delivered_is_waited_for_and_nothing_is_half_erased(
    organization, owner_url, person, met
):
    before = organization.rows()
    with psycopg.connect(organization.server(owner_url)) as worker, ThreadPoolExecutor(1) as pool:
        deliver = "select pg_advisory_xact_lock(app.outbox_lock(id)) from app.outbox where organization_id = %s"
        worker.execute(deliver, [organization.id])
        erasing = pool.submit(erase, organization.admin, person, status=503)
        wait_until_waiting(worker)
        # As the server does when that lasts too long.
        worker.execute(
            "select pg_cancel_backend(pid) from pg_locks where pg_backend_pid() = any(pg_blocking_pids(pid))"
        )
        erasing.result()
    assert organization.rows() == before
    erase(organization.admin, person, status=200)


def test_of_two_who_erase_the_same_person_the_second_finds_nobody(organization, owner_url, person, met):
    with psycopg.connect(organization.server(owner_url)) as first, ThreadPoolExecutor(1) as pool:
        held = "select from app.leads where organization_id = %s and id = %s for update"
        first.execute(held, [organization.id, person.lead])
        second = pool.submit(erase, organization.admin, person, status=404)
        wait_until_waiting(first)
        first.execute("delete from app.leads where id = %s", [person.lead])
        first.commit()
        second.result()
