"""The PDF that signers saw is kept for as long as the evidence of their signatures."""

import hashlib

import pytest

from tests.documents.support import word_text
from tests.mail.delivery import Worker
from tests.signing.conftest import path_of


@pytest.fixture
def worker(jobs, post, organization):
    """The worker of the test's organization."""
    return Worker(jobs, post.settings, organization.id)


def seen(api, contract_id, status=200):
    """The answer with the PDF that signers saw."""
    return api.get(f"/api/contracts/{contract_id}/signature/document", status=status)


def test_the_pdf_that_signers_saw_stays_with_the_evidence(admin, member, worker, request_signatures, signing):
    request = request_signatures(1)
    path, token = f"/api/contracts/{request['contract_id']}", signing.link(request["signers"][0])
    shown = seen(member, request["contract_id"])
    signing.sign(token)
    assert worker.run() == []
    admin.delete(f"{path}/executed", status=204)
    assert admin.delete(path, status=409).json["code"] == "contract_locked"
    member.patch(path, {"name": "Other"}, status=200)
    assert worker.run() == []
    assert seen(member, request["contract_id"]).body == shown.body
    evidence = member.get(f"{path}/signature", status=200).json
    assert hashlib.sha256(shown.body).hexdigest() == evidence["document_sha256"] == request["document_sha256"]
    assert shown.content_type == "application/pdf"


def test_the_word_file_of_a_signed_contract_has_its_text_without_signatures(
    member, worker, request_signatures, signing
):
    request = request_signatures(1)
    path = f"/api/contracts/{request['contract_id']}/docx"
    before = word_text(member.get(path, status=200).body)
    signing.sign(signing.link(request["signers"][0]), "Pat Prospect")
    assert worker.run() == []
    assert word_text(member.get(path, status=200).body) == before
    assert "Pat Prospect" not in before


def test_without_a_request_there_is_no_such_pdf(member, contract):
    seen(member, contract["id"], status=404)


def test_the_pdf_of_the_completed_request_comes_before_that_of_a_newer_one(
    admin, member, worker, request_signatures, signing
):
    request = request_signatures(1)
    signing.sign(signing.link(request["signers"][0]))
    assert worker.run() == []
    path = f"/api/contracts/{request['contract_id']}"
    admin.delete(f"{path}/executed", status=204)
    member.patch(path, {"name": "Other"}, status=200)
    newer = request_signatures(1)
    assert newer["document_sha256"] != request["document_sha256"]
    assert hashlib.sha256(seen(member, request["contract_id"]).body).hexdigest() == request["document_sha256"]


def test_a_pdf_whose_words_were_erased_is_gone_and_the_request_stays(admin, member, contract, request_signatures):
    member.patch(f"/api/contracts/{contract['id']}", {"name": "Licence of Zacharias"}, status=200)
    lead = member.post("/api/leads", {"first_name": "Zacharias", "email": "s0@signers.example"}, status=201).json["id"]
    request = request_signatures(1, 1)
    seen(member, contract["id"])
    admin.post(f"/api/leads/{lead}/erase", {"confirm": "s0@signers.example"}, status=200)
    seen(member, contract["id"], status=404)
    assert member.get(path_of(request), status=200).json["status"] == "cancelled"
