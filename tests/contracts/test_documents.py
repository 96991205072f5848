import hashlib
import io
import zipfile
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pypdf
import pytest
from structlog.testing import capture_logs

from pipeline import documents
from pipeline.database import queries
from pipeline.http.fairness.slots import DOCUMENT
from tests.contracts.support import image_file, stored, upload
from tests.documents.support import letters, pdf_margins, pdf_text, word_text
from tests.http.target import assert_problem
from tests.mail.delivery import Worker
from tests.support import advisory_lock, both_held_up, wait_until_waiting

PDF = "application/pdf"
SIGNER = {"name": "Pat", "email": "pat@example.com", "party": "licensee"}
DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"


@pytest.fixture
def worker(jobs, settings, organization):
    return Worker(jobs, settings, organization.id)


def word_part(docx, name):
    """The bytes of a part of a Word file."""
    return zipfile.ZipFile(io.BytesIO(docx)).read(f"word/{name}.xml")


def rendering_elsewhere(organization, contract):
    """While the block runs, another process renders the contract's PDF."""
    return advisory_lock(organization.owner, f"contract_document pdf {contract['id']}", organization.id)


@pytest.mark.parametrize(("kind", "media_type", "text_of"), [("pdf", PDF, pdf_text), ("docx", DOCX, word_text)])
def test_both_documents_hold_the_contracts_text_and_are_rendered_once_for_a_revision(
    organization, member, path, renderer, kind, media_type, text_of
):
    answer = member.get(f"{path}/{kind}", status=200)
    assert answer.content_type == media_type
    assert f'filename="RO-000001.{kind}"' in answer.headers["Content-Disposition"]
    assert "RO-000001" in text_of(answer.body)
    assert member.get(f"{path}/{kind}", status=200).body == answer.body
    assert (renderer.tried, stored(organization)) == ([kind], [(kind, 1)])
    member.put(f"{path}/regenerate", status=200)
    member.get(f"{path}/{kind}", status=200)
    assert renderer.tried == [kind, kind]


def test_one_of_many_requests_renders_and_the_others_are_503(member, path, renderer):
    with ThreadPoolExecutor(6) as threads:
        answers = list(threads.map(lambda _: member.get(f"{path}/pdf"), range(6)))
    assert {answer.status_int for answer in answers} <= {200, 429}
    assert len({answer.body for answer in answers if answer.status_int == 200}) == 1
    assert renderer.tried == ["pdf"]


def test_a_request_during_the_worker_s_rendering_gets_its_file(organization, member, contract, path, renderer):
    with ThreadPoolExecutor(1) as threads:
        with rendering_elsewhere(organization, contract):
            asked = threads.submit(member.get, f"{path}/pdf")
            wait_until_waiting(organization.owner)
            digest = hashlib.sha256(b"elsewhere").hexdigest()
            file = organization.insert("files", filename="a.pdf", content_type=PDF, size=9, sha256=digest)
            organization.insert("file_chunks", "position", file_id=file, position=0, content=b"elsewhere")
            organization.insert("contract_documents", contract_id=contract["id"], revision=1, kind="pdf", file_id=file)
        assert asked.result().body == b"elsewhere"
    assert renderer.tried == []


def test_headers_footers_and_logo_are_those_of_the_revision(admin, member, new_template, new_contract):
    template = new_template(header_left="Head {{Contract.number}}", footer_right="Page {{page}} of {{pages}}")
    made_from = f"/api/contract-templates/{template['id']}"
    upload(admin, f"{made_from}/logo", image_file("PNG"), "a.png", "logo", status=201)
    path = f"/api/contracts/{new_contract(template_id=template['id'])['id']}"
    admin.put(made_from, {"header_left": "Another"}, status=200)
    admin.delete(f"{made_from}/logo", status=204)
    pdf = member.get(f"{path}/pdf", status=200).body
    assert [[text.strip() for text in page] for page in pdf_margins(pdf)] == [["Head RO-000001", "Page 1 of 1"]]
    assert len(pypdf.PdfReader(io.BytesIO(pdf)).pages[0].images) == 1
    word = zipfile.ZipFile(io.BytesIO(member.get(f"{path}/docx", status=200).body))
    assert any(name.startswith("word/media/") for name in word.namelist())


@pytest.mark.parametrize(
    ("margins", "footer"),
    [({}, "1 / 1"), ({"footer_left": "Confidential"}, "Confidential"), ({"header_right": "{{page}}"}, "")],
)
def test_pages_are_numbered_where_the_template_says_nothing_else(margins, footer, member, new_template, new_contract):
    contract = new_contract(template_id=new_template(**margins)["id"])
    pdf = member.get(f"/api/contracts/{contract['id']}/pdf", status=200).body
    ((_header, printed),) = pdf_margins(pdf)
    assert printed.strip() == footer


def test_without_a_renderer_a_document_is_unavailable_for_the_moment(organization, member, path, renderer):
    renderer.fail(documents.Unavailable("No renderer."))
    assert_problem(member.get(f"{path}/docx"), 503, "unavailable")
    assert stored(organization) == []
    renderer.errors = {}
    member.get(f"{path}/docx", status=200)


def test_a_too_complex_revision_is_tried_once_and_can_be_deleted(organization, member, path, worker, too_complex):
    for _ in range(2):
        refused = member.get(f"{path}/pdf", status=422).json
        assert (refused["code"], refused["detail"]) == ("document_too_complex", "It has more than 300 pages.")
    assert (worker.run(), worker.open()) == (["It has more than 300 pages."], [])
    assert (too_complex.tried, stored(organization)) == (["pdf"], [])
    member.put(f"{path}/regenerate", status=200)
    member.get(f"{path}/pdf", status=422)
    assert too_complex.tried == ["pdf", "pdf"]
    member.delete(path, status=204)


@pytest.mark.parametrize(
    ("changed", "tried"), [({"pages": 301}, 2), ({"seconds": 21}, 2), ({"pages": 299}, 1), ({"processes": 3}, 1)]
)
def test_a_limit_that_was_raised_lets_it_be_tried_again(limits, member, path, too_complex, changed, tried):
    member.get(f"{path}/pdf", status=422)
    limits(**changed)
    member.get(f"{path}/pdf", status=422)
    assert len(too_complex.tried) == tried


@pytest.mark.parametrize(
    ("error", "status", "time"),
    [
        (documents.TooComplex("It has more than 300 pages."), 422, timedelta(days=1)),
        (documents.TooSlow("The machine is too busy."), 503, timedelta(minutes=10)),
    ],
    ids=["a day", "ten minutes, when the clock stopped it"],
)
def test_a_refused_document_is_tried_again_after(organization, member, path, renderer, error, status, time):
    renderer.fail(error)
    for _ in range(2):
        member.get(f"{path}/pdf", status=status)
    assert renderer.tried == ["pdf"]
    earlier = "update app.contract_refusals set until = until - %s where organization_id = %s"
    organization.owner.execute(earlier, [time, organization.id])
    renderer.errors = {}
    member.get(f"{path}/pdf", status=200)


def test_a_slow_document_does_not_cost_its_connection(member, path, renderer):
    limits = []
    renderer.before = lambda: limits.append(
        queries.connection().execute("show idle_in_transaction_session_timeout").fetchone()
    )
    member.get(f"{path}/docx", status=200)
    assert limits == [{"idle_in_transaction_session_timeout": "0"}]


def test_neither_a_stored_document_nor_a_remembered_refusal_needs_a_slot(wsgi, organization, member, path, renderer):
    renderer.errors["docx"] = documents.TooComplex("It has more than 300 pages.")
    with wsgi.registry.slots.slot(DOCUMENT, organization.id):
        assert_problem(member.get(f"{path}/pdf"), 429, "busy")
    member.get(f"{path}/pdf", status=200)
    member.get(f"{path}/docx", status=422)
    with wsgi.registry.slots.slot(DOCUMENT, organization.id):
        member.get(f"{path}/pdf", status=200)
        member.get(f"{path}/docx", status=422)


def test_the_newest_revisions_documents_are_there_before_anybody_asks(organization, member, path, worker, renderer):
    member.put(f"{path}/regenerate", status=200)
    assert (worker.run(), worker.open()) == ([], [])
    assert stored(organization) == [("docx", 2), ("pdf", 2)]
    for kind in ("pdf", "docx"):
        member.get(f"{path}/{kind}", status=200)
    assert sorted(renderer.tried) == ["docx", "pdf"]


@pytest.mark.parametrize("ask", ["worker", "member", "worker, later"])
def test_a_deleted_contract_leaves_no_document(organization, member, path, worker, renderer, ask):
    gone = "delete from app.contracts where organization_id = %s"
    renderer.before = lambda: organization.owner.execute(gone, (organization.id,))
    if ask == "worker, later":
        renderer.before()
    if ask == "member":
        member.get(f"{path}/pdf", status=404)
    else:
        assert (worker.run(), worker.open()) == ([], [])
    left = organization.rows()
    assert (left["files"], left["contract_documents"]) == ([], [])


def test_a_deletion_waits_for_a_document_that_is_being_stored(organization, member, path):
    member.get(f"{path}/docx", status=200)
    storage = "update app.storage_use set bytes = bytes where organization_id = %s"
    answers = both_held_up(
        organization.owner, storage, [organization.id], lambda: member.get(f"{path}/pdf"), lambda: member.delete(path)
    )
    assert [answer.status_int for answer in answers] == [200, 204]


def test_a_renderer_that_fails_is_tried_again_and_the_first_document_stays(organization, contract, worker, renderer):
    renderer.errors["docx"] = documents.Unavailable("The renderer ended.")
    assert (len(worker.run()), len(worker.open())) == (1, 1)
    assert stored(organization) == [("pdf", 1)]
    renderer.errors = {}
    assert (worker.run(), worker.open()) == ([], [])
    assert stored(organization) == [("docx", 1), ("pdf", 1)]


def test_a_request_that_waits_too_long_is_503_and_a_task_gives_up_quietly(
    organization, limits, member, contract, path, renderer, worker
):
    limits(queue_seconds=1)
    with rendering_elsewhere(organization, contract):
        assert_problem(member.get(f"{path}/pdf"), 429, "busy")
        assert renderer.tried == []
        with capture_logs() as lines:
            assert worker.run() == ["UnderWay: The document is being rendered by another process."]
    assert len(worker.open()) == 1
    assert [(line["log_level"], line["event"], "exc_info" in line) for line in lines] == [
        ("info", "delivery postponed", False)
    ]


def test_only_a_draft_that_is_not_out_for_signature_prints_the_watermark(
    organization, member, new_template, new_contract
):
    contract = new_contract(template_id=new_template(watermark="DRAFT")["id"])
    path = f"/api/contracts/{contract['id']}"

    def marked():
        pdf, word = (member.get(f"{path}/{kind}", status=200).body for kind in documents.KINDS)
        return "DRAFT" in letters(pdf_text(pdf)), b"DRAFT" in word_part(word, "header1")

    assert (marked(), stored(organization)) == ((True, True), [])
    request = member.post(f"{path}/signature-requests", {"signers": [SIGNER], "confirm": ["blanks"]}, status=201).json
    assert marked() == (False, False)
    member.post(f"{path}/signature-requests/{request['id']}/cancel", status=200)
    assert marked() == (True, True)
    member.patch(path, {"status": "active"}, status=200)
    assert marked() == (False, False)
