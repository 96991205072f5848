"""The evidence of signatures: what was shown, who signed it how, and the PDF that signers saw."""

import hashlib

from tests.documents.support import word_text


def test_the_evidence_has_digests_signatures_and_events_and_invents_no_view(evidence, requested, signing):
    request = requested(1, 1)
    first, second = (signing.link(signer) for signer in request["signers"])
    signing("view", first)
    signing.sign(first)
    signing.sign(second)
    found = evidence(request)
    assert [event["event"] for event in found["events"]] == ["sent", "sent", "viewed", "signed", "signed"]
    assert found["events"][2]["address"] == "192.0.2.7"
    assert (found["document_sha256"], found["sealed_sha256"]) == (request["document_sha256"], None)
    signer, unseen = found["signers"]
    assert (signer["signature_text"], signer["consent_language"]) == ("Pat Prospect", "en")
    assert signer["consent"].startswith("I agree to sign")
    assert unseen["viewed_at"] is None


def test_the_pdf_that_was_seen_stays_when_another_is_sent(admin, member, worker, evidence, requested, signing):
    request = requested(1)
    path = f"/api/contracts/{request['contract_id']}"
    shown = member.get(f"{path}/signature/document", status=200)
    signing.sign(signing.link(request["signers"][0]))
    assert worker.run() == []
    admin.delete(f"{path}/executed", status=204)
    assert admin.delete(path, status=409).json["code"] == "contract_locked"
    member.patch(path, {"name": "Other"}, status=200)
    assert worker.run() == []
    assert requested(1)["document_sha256"] != request["document_sha256"]
    assert member.get(f"{path}/signature/document", status=200).body == shown.body
    digest = hashlib.sha256(shown.body).hexdigest()
    assert digest == evidence(request)["document_sha256"] == request["document_sha256"]


def test_the_word_file_of_a_signed_contract_has_its_text_without_signatures(member, worker, requested, signing):
    request = requested(1)
    path = f"/api/contracts/{request['contract_id']}/docx"
    before = word_text(member.get(path, status=200).body)
    signing.sign(signing.link(request["signers"][0]), "Pat Prospect")
    assert worker.run() == []
    assert word_text(member.get(path, status=200).body) == before
    assert "Pat Prospect" not in before


def test_without_a_request_there_is_no_such_pdf(member, contract):
    member.get(f"/api/contracts/{contract['id']}/signature/document", status=404)
