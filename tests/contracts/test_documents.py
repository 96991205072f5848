"""A contract on paper: rendered once for each revision, then answered from the store."""

import io
import threading
import zipfile
from dataclasses import replace

import docx
import pypdf
import pytest

from pipeline import documents, make_app
from pipeline.contracts import rendering
from pipeline.database import queries
from pipeline.settings import SettingsError, load
from pipeline.turns import Turns
from tests.contracts.support import image_file, upload

PDF = "application/pdf"
DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"


@pytest.fixture
def path(contract):
    return f"/api/contracts/{contract['id']}"


@pytest.fixture
def rendered(monkeypatch):
    """The kinds of document that were really rendered, one entry for each time."""
    kinds = []
    render = documents.render

    def counted(kind, document):
        kinds.append(kind)
        return render(kind, document)

    monkeypatch.setattr(rendering.documents, "render", counted)
    return kinds


def pdf_text(answer):
    return "\n".join(page.extract_text() for page in pypdf.PdfReader(io.BytesIO(answer.body)).pages)


def docx_text(answer):
    return "\n".join(paragraph.text for paragraph in docx.Document(io.BytesIO(answer.body)).paragraphs)


def stored(organization):
    """The (kind, revision) of all stored documents."""
    return organization.owner.execute(
        "select kind, revision from app.contract_documents where organization_id = %s order by 1, 2", (organization.id,)
    ).fetchall()


def test_both_documents_hold_the_contracts_text(organization, member, path):
    pdf, word = member.get(f"{path}/pdf", status=200), member.get(f"{path}/docx", status=200)
    assert (pdf.content_type, word.content_type) == (PDF, DOCX)
    assert "filename=\"RO-000001.pdf\"" in pdf.headers["Content-Disposition"]
    assert "filename=\"RO-000001.docx\"" in word.headers["Content-Disposition"]
    assert "RO-000001" in pdf_text(pdf)
    assert "RO-000001" in docx_text(word)
    assert stored(organization) == [("docx", 1), ("pdf", 1)]


def test_a_document_is_rendered_once_for_a_revision(member, template, path, rendered):
    first = member.get(f"{path}/pdf", status=200)
    assert member.get(f"{path}/pdf", status=200).body == first.body
    assert rendered == ["pdf"]
    member.put(f"{path}/regenerate", status=200)
    member.get(f"{path}/pdf", status=200)
    assert rendered == ["pdf", "pdf"]


def test_many_at_the_same_time_render_once(member, path, rendered):
    answers = []
    threads = [threading.Thread(target=lambda: answers.append(member.get(f"{path}/pdf"))) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {answer.status_int for answer in answers} == {200}
    assert len({answer.body for answer in answers}) == 1
    assert rendered == ["pdf"]


def test_headers_footers_and_logo_are_those_of_the_revision(admin, member, new_template):
    template = new_template(header_left="Head {{Contract.number}}", footer_right="Page {{page}} of {{pages}}")
    upload(admin, f"/api/contract-templates/{template['id']}/logo", image_file("PNG"), "a.png", "logo", status=201)
    body = {"template_id": template["id"], "effective_date": "2026-01-01"}
    contract = member.post("/api/contracts", body, status=201).json
    admin.put(f"/api/contract-templates/{template['id']}", {"header_left": "Another"}, status=200)
    admin.delete(f"/api/contract-templates/{template['id']}/logo", status=204)
    answer = member.get(f"/api/contracts/{contract['id']}/pdf", status=200)
    assert "Head RO-000001" in pdf_text(answer)
    assert "Page 1 of 1" in pdf_text(answer)
    assert len(pypdf.PdfReader(io.BytesIO(answer.body)).pages[0].images) == 1
    word = zipfile.ZipFile(io.BytesIO(member.get(f"/api/contracts/{contract['id']}/docx", status=200).body))
    assert any(name.startswith("word/media/") for name in word.namelist())


@pytest.mark.parametrize(("error", "status", "code"), [
    (documents.TooComplex("It has more than 300 pages."), 422, "document_too_complex"),
    (documents.Unavailable("No renderer."), 503, "unavailable"),
])
def test_what_cannot_be_rendered_is_said(monkeypatch, organization, member, path, error, status, code):
    def fail(kind, document):
        raise error

    monkeypatch.setattr(rendering.documents, "render", fail)
    answer = member.get(f"{path}/docx", status=status)
    assert answer.json["code"] == code
    assert stored(organization) == []


def test_a_slow_document_does_not_cost_its_connection(monkeypatch, member, path):
    limits = []
    render = documents.render

    def looked_at(kind, document):
        limits.append(queries.connection().execute("show idle_in_transaction_session_timeout").fetchone())
        return render(kind, document)

    monkeypatch.setattr(rendering.documents, "render", looked_at)
    member.get(f"{path}/docx", status=200)
    assert limits == [{"idle_in_transaction_session_timeout": "0"}]


class Taken(threading.BoundedSemaphore):
    """The only turn to render: taken until somebody waits for it, and then `meanwhile()` happens."""

    def __init__(self, meanwhile):
        super().__init__(1)
        super().acquire()
        self.meanwhile = meanwhile

    def acquire(self, blocking=True, timeout=None):
        if timeout is not None:
            self.release()
            self.meanwhile()
        return super().acquire(blocking, timeout)


@pytest.fixture
def turns(monkeypatch, wsgi):
    """One turn to render, for which nobody waits long."""
    monkeypatch.setattr(wsgi.registry, "rendering_turns", Turns(1, 0.1, "Too many documents are being rendered."))
    return wsgi.registry.rendering_turns


def test_as_many_render_at_once_as_the_settings_say(monkeypatch, settings):
    monkeypatch.setattr(documents, "includeme", lambda config: None)  # this process's renderer stays as it is
    app = make_app(replace(settings, document_processes=3))
    for closed in (app.registry.app, app.registry.forms, app.registry.limits):
        closed.close()
    free = app.registry.rendering_turns.free
    assert [free.acquire(blocking=False) for _ in range(4)] == [True, True, True, False]


def test_somebody_must_be_able_to_render(settings):
    with pytest.raises(SettingsError, match="DOCUMENT_PROCESSES must be at least 1"):
        load({}, {"DATABASE_URL": "x", "JWT_SECRET": settings.jwt_secret, "DOCUMENT_PROCESSES": "0"})


def test_when_too_many_render_the_next_one_is_sent_away(turns, member, path):
    with turns.free:
        answer = member.get(f"{path}/pdf", status=503)
    assert "Retry-After" in answer.headers
    member.get(f"{path}/pdf", status=200)


def test_who_waits_for_a_turn_holds_no_connection(turns, member, path):
    waited = []

    def look():
        with pytest.raises(RuntimeError, match="needs a transaction"):
            waited.append(queries.connection())
        waited.append("without")

    turns.free = Taken(look)
    member.get(f"{path}/pdf", status=200)
    assert waited == ["without"]


def test_a_seat_that_was_taken_away_meanwhile_gets_nothing(turns, organization, member, path):
    turns.free = Taken(organization.deactivate_seats)
    member.get(f"{path}/pdf", status=401)
    assert stored(organization) == []
    assert turns.free.acquire(blocking=False), "the turn was given back"


def test_a_contract_that_is_deleted_while_it_is_rendered_is_gone(monkeypatch, organization, member, path):
    render = documents.render

    def slow(kind, document):
        elsewhere = threading.Thread(target=organization.colleague.delete, args=(path,))
        elsewhere.start()
        elsewhere.join()
        return render(kind, document)

    monkeypatch.setattr(rendering.documents, "render", slow)
    member.get(f"{path}/pdf", status=404)
    assert stored(organization) == []
