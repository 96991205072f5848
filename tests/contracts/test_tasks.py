"""The worker's tasks for contracts: their documents."""

import pytest
from structlog.testing import capture_logs

from pipeline import documents
from pipeline.contracts import renditions
from pipeline.worker.delivery import deliver
from tests.contracts.test_documents import rendering_elsewhere, stored


@pytest.fixture
def work(jobs, settings, organization):
    """work(): deliver the organization's open events in their order; what became of each: (done, error)."""

    def run():
        rows = organization.owner.execute(
            "select id from app.outbox where organization_id = %s and done_at is null order by id", (organization.id,)
        ).fetchall()
        for (id,) in rows:
            deliver(jobs, settings, organization.id, id)
        statement = "select done_at is not null, error from app.outbox where id = any(%s) order by id"
        return organization.owner.execute(statement, ([id for (id,) in rows],)).fetchall()

    return run


def test_both_documents_are_there_before_anybody_asks(monkeypatch, organization, member, contract, work):
    assert work() == [(True, None)]
    assert stored(organization) == [("docx", 1), ("pdf", 1)]
    monkeypatch.setattr(renditions.documents, "render", lambda kind, document: pytest.fail("rendered again"))
    for kind in ("pdf", "docx"):
        member.get(f"/api/contracts/{contract['id']}/{kind}", status=200)


def test_a_later_revision_makes_the_earlier_event_needless(organization, member, contract, work):
    member.put(f"/api/contracts/{contract['id']}/regenerate", status=200)
    assert work() == [(True, None), (True, None)]
    assert stored(organization) == [("docx", 2), ("pdf", 2)]


def test_a_deleted_contract_needs_no_documents(organization, member, contract, work):
    member.delete(f"/api/contracts/{contract['id']}", status=204)
    assert work() == [(True, None)]
    assert stored(organization) == []


@pytest.mark.parametrize("ask", ["worker", "member"])
def test_a_contract_deleted_while_it_is_rendered_leaves_no_document(
    monkeypatch, organization, member, contract, work, ask
):
    def render(kind, document):
        organization.owner.execute("delete from app.contracts where id = %s", (contract["id"],))
        return b"rendered"

    monkeypatch.setattr(renditions.documents, "render", render)
    if ask == "worker":
        assert work() == [(True, None)]
    else:
        member.get(f"/api/contracts/{contract['id']}/pdf", status=404)
    statement = "select count(*) from app.files where organization_id = %s"
    assert organization.owner.execute(statement, (organization.id,)).fetchone() == (0,)


def test_what_a_request_has_rendered_already_is_kept(organization, member, contract, work):
    body = member.get(f"/api/contracts/{contract['id']}/pdf", status=200).body
    assert work() == [(True, None)]
    assert member.get(f"/api/contracts/{contract['id']}/pdf", status=200).body == body
    assert stored(organization) == [("docx", 1), ("pdf", 1)]


def test_a_document_beyond_the_limits_is_given_up_at_once(monkeypatch, organization, contract, work):
    def fail(kind, document):
        raise documents.TooComplex("It has more than 300 pages.")

    monkeypatch.setattr(renditions.documents, "render", fail)
    assert work() == [(True, "It has more than 300 pages.")]
    assert stored(organization) == []


def test_worker_and_requests_share_what_they_know_of_a_document_beyond_the_limits(monkeypatch, member, contract, work):
    tried = []

    def fail(kind, document):
        tried.append(kind)
        raise documents.TooComplex("It has more than 300 pages.")

    monkeypatch.setattr(renditions.documents, "render", fail)
    member.get(f"/api/contracts/{contract['id']}/pdf", status=422)
    assert work() == [(True, "It has more than 300 pages.")]
    assert tried == ["pdf"]


def test_a_renderer_that_fails_is_tried_again_and_the_first_document_stays(monkeypatch, organization, contract, work):
    render = documents.render

    def fail(kind, document):
        if kind == "docx":
            raise documents.Unavailable("The renderer ended.")
        return render(kind, document)

    monkeypatch.setattr(renditions.documents, "render", fail)
    assert [done for done, _ in work()] == [False]
    assert stored(organization) == [("pdf", 1)]
    monkeypatch.undo()
    organization.owner.execute("update app.outbox set due_at = now() where organization_id = %s", (organization.id,))
    assert [done for done, _ in work()] == [True]
    assert stored(organization) == [("docx", 1), ("pdf", 1)]


def test_a_task_that_waits_too_long_for_another_gives_up_its_turn_quietly(organization, limits, contract, work):
    limits(queue_seconds=1)
    with rendering_elsewhere(organization, contract), capture_logs() as lines:
        assert work() == [(False, "UnderWay: The document is being rendered by another process.")]
    assert [(line["log_level"], line["event"], "exc_info" in line) for line in lines] == [
        ("info", "delivery postponed", False)
    ]
