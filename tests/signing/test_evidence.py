"""The evidence of signatures: what was shown, who signed it how, and the PDF that signers saw."""

import hashlib

from tests.documents.support import word_text


def seen(api, contract_id, status=200):
    """The answer with the PDF that signers saw."""
    return api.get(f"/api/contracts/{contract_id}/signature/document", status=status)


def test_the_evidence_has_digests_signatures_and_events(evidence, request_signatures, signing):
    request = request_signatures(1, 2)
    token = signing.link(request["signers"][0])
    signing("view", token)
    signing.sign(token)
    found = evidence(request)
    assert [event["event"] for event in found["events"]] == ["sent", "viewed", "signed"]
    assert found["events"][1]["address"] == "192.0.2.7"
    assert (found["document_sha256"], found["sealed_sha256"]) == (request["document_sha256"], None)
    signer = found["signers"][0]
    assert (signer["signature_text"], signer["consent_language"]) == ("Pat Prospect", "en")
    assert signer["consent"].startswith("I agree to sign")


def test_a_signature_invents_no_view(evidence, request_signatures, signing):
    request = request_signatures(1, 1)
    signing.sign(signing.link(request["signers"][0]))
    found = evidence(request)
    assert found["signers"][0]["viewed_at"] is None
    assert [event["event"] for event in found["events"]] == ["sent", "sent", "signed"]


def test_the_pdf_that_signers_saw_stays_though_the_contract_is_sent_again(
    admin, member, worker, evidence, request_signatures, signing
):
    request = request_signatures(1)
    path = f"/api/contracts/{request['contract_id']}"
    shown = seen(member, request["contract_id"])
    signing.sign(signing.link(request["signers"][0]))
    assert worker.run() == []
    admin.delete(f"{path}/executed", status=204)
    assert admin.delete(path, status=409).json["code"] == "contract_locked"
    member.patch(path, {"name": "Other"}, status=200)
    assert worker.run() == []
    assert request_signatures(1)["document_sha256"] != request["document_sha256"]
    assert seen(member, request["contract_id"]).body == shown.body
    digest = hashlib.sha256(shown.body).hexdigest()
    assert digest == evidence(request)["document_sha256"] == request["document_sha256"]


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
