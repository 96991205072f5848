"""Documents of a contract: rendered once for each revision, then read from the store."""

import hashlib
import io
import threading
import zipfile
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import docx
import pypdf
import pytest

from pipeline import documents
from pipeline.contracts import renditions
from pipeline.database import queries
from pipeline.http.quotas.slots import DOCUMENT
from tests.contracts.support import image_file, upload
from tests.documents.support import pdf_margins
from tests.http.target import assert_problem
from tests.support import advisory_lock, wait_until_waiting

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

    monkeypatch.setattr(renditions.documents, "render", counted)
    return kinds


def rendering_elsewhere(organization, contract):
    """While the block runs, another process renders the contract's PDF."""
    return advisory_lock(organization.owner, f"contract_document pdf {contract['id']}", organization.id)


def store_instead(organization, contract):
    """Store a PDF of a contract, as somebody else does who renders it."""
    content = b"rendered elsewhere"
    file = organization.insert(
        "files", filename="a.pdf", content_type=PDF, size=len(content), sha256=hashlib.sha256(content).hexdigest()
    )
    organization.owner.execute(
        "insert into app.file_chunks (organization_id, file_id, position, content) values (%s, %s, 0, %s)",
        (organization.id, file, content),
    )
    organization.insert("contract_documents", contract_id=contract["id"], revision=1, kind="pdf", file_id=file)


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
    assert 'filename="RO-000001.pdf"' in pdf.headers["Content-Disposition"]
    assert 'filename="RO-000001.docx"' in word.headers["Content-Disposition"]
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


def test_a_document_is_sent_as_rendered_without_reading_it_back(monkeypatch, member, path):
    monkeypatch.delattr(renditions.files, "copy_out")
    first = member.get(f"{path}/pdf", status=200)
    monkeypatch.undo()
    again = member.get(f"{path}/pdf", status=200)
    own = ("X-Request-Id", "RateLimit", "Date")
    told = [{name: value for name, value in answer.headers.items() if name not in own} for answer in (first, again)]
    assert (first.body, told[0]) == (again.body, told[1])


def test_of_many_at_the_same_time_one_renders_and_the_others_are_told_that_it_is_busy(member, path, rendered):
    with ThreadPoolExecutor(6) as threads:
        answers = list(threads.map(lambda _: member.get(f"{path}/pdf"), range(6)))
    assert {answer.status_int for answer in answers} <= {200, 429}
    assert len({answer.body for answer in answers if answer.status_int == 200}) == 1
    assert rendered == ["pdf"]


def test_who_asks_while_the_worker_renders_gets_what_it_has_rendered(organization, member, contract, path, rendered):
    with ThreadPoolExecutor(1) as threads:
        with rendering_elsewhere(organization, contract):
            asked = threads.submit(member.get, f"{path}/pdf")
            wait_until_waiting(organization.owner)
            store_instead(organization, contract)
        assert asked.result().body == b"rendered elsewhere"
    assert rendered == []


def test_who_waits_too_long_for_another_is_told_that_it_is_busy(organization, limits, member, contract, path, rendered):
    limits(queue_seconds=1)
    with rendering_elsewhere(organization, contract):
        assert_problem(member.get(f"{path}/pdf"), 429, "busy")
    assert rendered == []


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


def test_without_a_renderer_a_document_is_unavailable_for_the_moment(monkeypatch, organization, member, path):
    monkeypatch.setattr(renditions.documents, "render", Failing(documents.Unavailable("No renderer.")))
    assert_problem(member.get(f"{path}/docx"), 503, "unavailable")
    assert stored(organization) == []
    monkeypatch.undo()
    member.get(f"{path}/docx", status=200)


class Failing:
    """A renderer that fails, and counts how often it is tried."""

    def __init__(self, error):
        self.error, self.tried = error, 0

    def __call__(self, kind, document):
        self.tried += 1
        raise self.error


@pytest.fixture
def too_complex(monkeypatch):
    """A renderer for which every document is too complex."""
    renderer = Failing(documents.TooComplex("It has more than 300 pages."))
    monkeypatch.setattr(renditions.documents, "render", renderer)
    return renderer


def test_what_is_too_complex_is_tried_once(organization, member, path, too_complex):
    first, second = member.get(f"{path}/pdf"), member.get(f"{path}/pdf")
    assert [answer.json["code"] for answer in (first, second)] == ["document_too_complex"] * 2
    assert first.json["detail"] == second.json["detail"] == "It has more than 300 pages."
    assert too_complex.tried == 1
    assert stored(organization) == []


def test_the_refusal_of_one_kind_says_nothing_of_the_other(member, path, too_complex):
    for kind in ("pdf", "docx"):
        member.get(f"{path}/{kind}", status=422)
    assert too_complex.tried == 2


def test_a_remembered_refusal_needs_no_slot(wsgi, organization, member, path, too_complex):
    member.get(f"{path}/pdf", status=422)
    with wsgi.registry.slots.slot(DOCUMENT, organization.id):
        member.get(f"{path}/pdf", status=422)


@pytest.mark.parametrize(
    "change",
    [
        lambda member, path, contract: member.put(f"{path}/regenerate", status=200),
        lambda member, path, contract: member.put(
            path, {name: contract[name] for name in ("template_id", "effective_date")} | {"name": "Another"}, status=200
        ),
    ],
)
def test_another_revision_is_tried_anew(member, contract, path, too_complex, change):
    member.get(f"{path}/pdf", status=422)
    change(member, path, contract)
    member.get(f"{path}/pdf", status=422)
    member.get(f"{path}/pdf", status=422)
    assert too_complex.tried == 2


@pytest.mark.parametrize(
    ("changed", "tried"),
    [
        ({"pages": 301}, 2),
        ({"seconds": 21}, 2),
        ({"pages": 299}, 1),
        ({"memory_mib": 512, "output_mib": 8}, 1),
        ({"processes": 3, "queue_seconds": 20}, 1),
    ],
)
def test_a_limit_that_was_raised_lets_it_be_tried_again(limits, member, path, too_complex, changed, tried):
    member.get(f"{path}/pdf", status=422)
    limits(**changed)
    member.get(f"{path}/pdf", status=422)
    assert too_complex.tried == tried


def pass_time(organization, time):
    """Let the one refusal have been written so much earlier."""
    asked = "select until from app.contract_refusals where organization_id = %s"
    ((until,),) = organization.owner.execute(asked, [organization.id]).fetchall()
    change = "update app.contract_refusals set until = %s where organization_id = %s"
    organization.owner.execute(change, [until - time, organization.id])


def test_after_a_day_it_is_tried_again(monkeypatch, organization, member, path, too_complex):
    member.get(f"{path}/pdf", status=422)
    pass_time(organization, timedelta(days=1))
    monkeypatch.undo()
    member.get(f"{path}/pdf", status=200)


def test_what_took_too_long_by_the_clock_is_left_alone_for_ten_minutes(monkeypatch, organization, member, path):
    renderer = Failing(documents.TooSlow("The machine is too busy."))
    monkeypatch.setattr(renditions.documents, "render", renderer)
    for _ in range(2):
        assert_problem(member.get(f"{path}/pdf"), 503, "unavailable")
    assert renderer.tried == 1
    monkeypatch.undo()
    pass_time(organization, timedelta(minutes=10))
    member.get(f"{path}/pdf", status=200)


def test_a_contract_that_could_not_be_rendered_can_be_deleted(member, path, too_complex):
    member.get(f"{path}/pdf", status=422)
    member.delete(path, status=204)


def test_a_slow_document_does_not_cost_its_connection(monkeypatch, member, path):
    limits = []
    render = documents.render

    def looked_at(kind, document):
        limits.append(queries.connection().execute("show idle_in_transaction_session_timeout").fetchone())
        return render(kind, document)

    monkeypatch.setattr(renditions.documents, "render", looked_at)
    member.get(f"{path}/docx", status=200)
    assert limits == [{"idle_in_transaction_session_timeout": "0"}]


def test_what_is_stored_needs_no_slot(wsgi, organization, member, path):
    member.get(f"{path}/pdf", status=200)
    with wsgi.registry.slots.slot(DOCUMENT, organization.id):
        member.get(f"{path}/pdf", status=200)
        assert_problem(member.get(f"{path}/docx"), 429, "busy")
    member.get(f"{path}/docx", status=200)


def test_a_contract_that_is_deleted_while_it_is_rendered_is_gone(monkeypatch, organization, member, path):
    render = documents.render

    def slow(kind, document):
        elsewhere = threading.Thread(target=organization.colleague.delete, args=(path,))
        elsewhere.start()
        elsewhere.join()
        return render(kind, document)

    monkeypatch.setattr(renditions.documents, "render", slow)
    member.get(f"{path}/pdf", status=404)
    assert stored(organization) == []


@pytest.mark.parametrize(
    ("margins", "footer"),
    [({}, "1 / 1"), ({"footer_left": "Confidential"}, "Confidential"), ({"header_right": "{{page}}"}, "")],
)
def test_pages_are_numbered_where_the_template_says_nothing_else(margins, footer, member, new_template, new_contract):
    contract = new_contract(template_id=new_template(**margins)["id"])
    pdf = member.get(f"/api/contracts/{contract['id']}/pdf", status=200).body
    ((_header, printed),) = pdf_margins(pdf)
    assert printed.strip() == footer
