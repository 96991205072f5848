import hashlib
from functools import partial

import pytest

from pipeline.validation.errors import Problem
from tests.contracts.conftest import renderer as renderer
from tests.contracts.support import deletion_of_history, pdf_file, upload
from tests.documents.support import word_text
from tests.signing.conftest import path_of
from tests.support import both_held_up, held_up

BODY = {"signers": [{"name": "Pat", "email": "pat@signers.example", "party": "licensor"}], "confirm": ["blanks"]}


def test_a_request_freezes_the_revision_and_names_its_signers(member, path, contract, requested):
    member.get(f"{path}/signature/document", status=404)
    request = requested(1, message="Please", language="de")
    shown = member.get(f"{path}/pdf", status=200).body
    assert (request["status"], request["revision"], request["contract_id"]) == ("sent", 1, contract["id"])
    assert request["document_sha256"] == hashlib.sha256(shown).hexdigest()
    assert [(signer["name"], signer["status"]) for signer in request["signers"]] == [("Signer 0", "sent")]
    assert member.get(path_of(request), status=200).json == request


def test_another_request_waits_for_the_end_of_the_open_one_and_stands_before_it_in_the_list(member, path, requested):
    first = requested(1)
    assert member.post(f"{path}/signature-requests", BODY, status=409).json["code"] == "out_for_signature"
    member.post(path_of(first, "/cancel"), status=200)
    second = member.post(f"{path}/signature-requests", BODY, status=201).json
    listed = member.get(f"{path}/signature-requests", status=200).json
    assert [entry["id"] for entry in listed["data"]] == [second["id"], first["id"]]
    assert listed["total"] == 2


def test_a_key_sends_reminds_and_cancels_with_the_scope_to_sign_alone(organization, path):
    signing, other = organization.key("contracts:sign"), organization.key("contracts:read", "contracts:write")
    assert other.post(f"{path}/signature-requests", BODY, status=403).json["required"] == "contracts:sign"
    request = signing.post(f"{path}/signature-requests", BODY, status=201).json
    for action in ("/remind", "/cancel"):
        assert other.post(path_of(request, action), status=403).json["required"] == "contracts:sign"
        signing.post(path_of(request, action), status=200)


def test_the_contract_cannot_change_while_it_is_out_for_signature(admin, path, requested):
    request = requested(1)
    changes = (
        partial(admin.patch, path, {"name": "Other"}),
        partial(admin.patch, path, {"status": "active"}),
        partial(admin.put, f"{path}/regenerate"),
        partial(admin.delete, path),
    )
    for change in (*changes, partial(upload, admin, f"{path}/executed", pdf_file(), "scan.pdf")):
        assert change(status=409).json["code"] == "out_for_signature"
    admin.post(path_of(request, "/cancel"), status=200)
    assert [change().status_int for change in changes] == [200, 200, 200, 204]


SPEND = (
    "insert into app.mail_days (organization_id, day, kind) values (%s, (now() at time zone 'UTC')::date, 'invited')"
)


def test_a_patch_that_began_before_the_contract_was_sent_is_refused(member, organization, owner, path, requested):
    patch = partial(member.patch, path, {"name": "Other"})
    sent, patched = both_held_up(owner, SPEND, [organization.id], requested, patch)
    assert (sent["status"], patched.json["code"]) == ("sent", "out_for_signature")


def test_a_contract_that_changes_while_its_pdf_is_made_is_sent_a_moment_later(member, path, owner, renderer):
    change = "update app.contracts set revision = revision + 1 where id = %s"
    renderer.before = lambda: owner.execute(change, [path.rpartition("/")[2]])
    assert member.post(f"{path}/signature-requests", BODY, status=429).json["code"] == "busy"
    renderer.before = lambda: None
    member.post(f"{path}/signature-requests", BODY, status=201)


def test_a_contract_that_is_deleted_meanwhile_is_not_found(member, path, owner):
    member.get(f"{path}/pdf", status=200)
    deletion = "delete from app.contracts where id = %s"
    send = partial(member.post, f"{path}/signature-requests", BODY, status=404)
    assert held_up(owner, deletion, [path.rpartition("/")[2]], send).json["code"] == "not_found"


def test_nobody_signs_what_is_deleted_meanwhile(contract, owner, requested, signing):
    request = requested(1)
    own, which = contract["organization_id"], "where organization_id = %s and id = %s"
    held = f"update app.signature_requests set status = 'cancelled', ended_at = now() {which}"
    delete = partial(owner.execute, f"delete from app.contracts {which}", [own, contract["id"]])
    sign = partial(signing.sign, signing.link(request["signers"][0]))
    with pytest.raises(Problem, match="not_found"):
        held_up(owner, held, [own, request["id"]], sign, meanwhile=delete)


def test_the_end_of_the_term_is_stored_all_the_same(owner, member, path, contract, requested):
    member.patch(path, {"status": "active"}, status=200)
    requested(1)
    statement = "update app.contracts set status = 'expired' where id = %s"
    assert owner.execute(statement, [contract["id"]]).rowcount == 1


@pytest.mark.parametrize("status", ["executed", "terminated", "archived"])
def test_only_a_draft_or_an_active_contract_can_be_signed(owner, member, path, contract, status):
    owner.execute("update app.contracts set status = %s where id = %s", [status, contract["id"]])
    assert member.post(f"{path}/signature-requests", BODY, status=409).json["code"] == "contract_locked"


def test_an_overdue_request_reads_as_expired_and_frees_the_contract(owner, member, path, requested):
    request = requested(1)
    owner.execute("update app.signature_requests set expires_at = now() where id = %s", [request["id"]])
    assert member.get(path_of(request), status=200).json["status"] == "expired"
    member.patch(path, {"name": "Other"}, status=200)
    assert member.post(path_of(request, "/cancel"), status=410).json["code"] == "signing_ended"
    requested(1)


def test_signers_are_reminded_once_a_day(owner, member, requested):
    request = requested(1, 2)
    reminded = member.post(path_of(request, "/remind"), status=200).json
    assert [bool(signer["reminded_at"]) for signer in reminded["signers"]] == [True, False]
    assert member.post(path_of(request, "/remind"), status=409).json["code"] == "already_reminded"
    statement = "update app.signature_signers set reminded_at = now() - interval '25 hours' where request_id = %s"
    owner.execute(statement, [request["id"]])
    member.post(path_of(request, "/remind"), status=200)


def test_the_evidence_has_digests_signatures_and_events_and_invents_no_view(evidence, requested, signing):
    request = requested(1, 1)
    first, second = (signing.link(signer) for signer in request["signers"])
    signing("view", first)
    signing.sign(first)
    signing.sign(second)
    found = evidence(request)
    assert [event["event"] for event in found["events"]] == ["viewed", "signed", "signed"]
    assert found["events"][0]["address"] == "192.0.2.7"
    assert (found["document_sha256"], found["sealed_sha256"]) == (request["document_sha256"], None)
    signer, unseen = found["signers"]
    assert (signer["signature_text"], signer["consent_language"]) == ("Signer 0", "en")
    assert signer["consent"].startswith("I agree to sign")
    assert unseen["viewed_at"] is None


def test_the_pdf_that_was_seen_stays_when_another_is_sent_or_the_history_is_deleted(
    admin, member, owner, worker, evidence, requested, signing
):
    request = requested(1)
    path = f"/api/contracts/{request['contract_id']}"
    shown = member.get(f"{path}/signature/document", status=200)
    signing.sign(signing.link(request["signers"][0]))
    assert worker.run() == []
    admin.delete(f"{path}/executed?replace=true", status=204)
    owner.execute(deletion_of_history())
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
