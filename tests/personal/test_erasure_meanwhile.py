"""Erasure of a person's data during concurrent work with it."""

import functools
from concurrent.futures import ThreadPoolExecutor

import pytest

from pipeline.contracts import renditions
from tests.personal.conftest import contract, erase
from tests.personal.whole import places
from tests.support import held_up


def test_a_document_that_is_rendered_meanwhile_is_not_kept(monkeypatch, organization, person, met):
    draft = contract(organization, person)

    def render(kind, document):
        # Each request has a thread of its own, as it has in the web server.
        with ThreadPoolExecutor(1) as pool:
            pool.submit(erase, organization.admin, person, status=200).result()
        return document.content.encode()

    monkeypatch.setattr(renditions.documents, "render", render)
    organization.member.get(f"/api/contracts/{draft['id']}/pdf", status=200)
    assert organization.rows()["files"] == []


def test_a_message_to_a_webhook_that_is_being_made_is_waited_for(organization, owner, person, known, told):
    told(organization)
    known(organization, person)
    following = "select from app.webhook_states where organization_id = %s for update"
    held_up(owner, following, [organization.id], lambda: erase(organization.admin, person, status=200))


@pytest.mark.parametrize("place", [0, pytest.param(1, marks=pytest.mark.long)], ids=["taken", "failed"])
def test_what_a_receiver_answers_of_somebody_who_was_erased_meanwhile_is_not_kept(
    organization, owner, person, known, told, place
):
    hook = told(organization, lambda number: number == 1 and erase(organization.admin, person, status=200))[place]
    known(organization, person)
    hook.work()
    assert places(owner, person.words) & {("app.webhook_deliveries", word) for word in person.words} == set()


def test_an_event_that_is_being_delivered_is_waited_for_and_nothing_is_half_erased(organization, owner, person, met):
    before = organization.rows()
    deliver = "select pg_advisory_xact_lock(app.outbox_lock(id)) from app.outbox where organization_id = %s"
    # As the server does when that lasts too long.
    cancel = "select pg_cancel_backend(pid) from pg_locks where pg_backend_pid() = any(pg_blocking_pids(pid))"
    erasing = functools.partial(erase, organization.admin, person, status=503)
    held_up(owner, deliver, [organization.id], erasing, meanwhile=lambda: owner.execute(cancel))
    assert organization.rows() == before
    erase(organization.admin, person, status=200)


def test_of_two_who_erase_the_same_person_the_second_finds_nobody(organization, owner, person, met):
    first = "delete from app.leads where organization_id = %s and id = %s"
    second = functools.partial(erase, organization.admin, person, status=404)
    held_up(owner, first, [organization.id, person.lead], second)
