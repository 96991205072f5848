"""The end of a request signed by all: one sealed PDF, once; and attacks on it."""

import contextlib
import hashlib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from pipeline import files
from pipeline.database import effects
from pipeline.signing import service, tasks
from pipeline.signing.consent import CONSENT
from pipeline.validation.errors import Problem
from tests.contracts.support import image_file, pdf_file, upload
from tests.signing.conftest import CLIENT, agree, change, path_of, subjects, tokens
from tests.signing.envelopes import verified
from tests.support import wait_until_waiting
from tests.waiting import SECONDS

CHANGED = "The stored contract is not the one that was signed."


@pytest.fixture
def signed(requested, signing):
    """A request that its two signers have signed, one by drawing; not sealed yet."""
    request = requested(1, 1)
    for signer, drawing in zip(request["signers"], (image_file("PNG"), None), strict=True):
        token = signing.link(signer)
        signing("view", token)
        signing.sign(token, drawing=drawing)
    return request


def test_the_last_signature_seals_and_mails_the_contract(member, organization, deliver, requested, signing, evidence):
    request = requested(1, 1)
    for token in tokens(deliver()).values():
        signing.sign(token)
    messages = deliver()
    contract = member.get(f"/api/contracts/{request['contract_id']}", status=200).json
    assert (member.get(path_of(request)).json["status"], contract["status"]) == ("completed", "executed")
    copies = tokens(messages[:2])
    assert copies.keys() == {"s0@signers.example", "s1@signers.example"}
    assert subjects(messages)[f"member@{organization.name}.example"].startswith("Signed by all:")
    copy = member.get(f"/api/contracts/{request['contract_id']}/executed", status=200).body
    told = evidence(request)
    assert told["sealed_sha256"] == hashlib.sha256(copy).hexdigest()
    assert told["seal"]["certificate"] == "Pipeline development"
    assert told["events"][-1]["event"] == "completed"
    found = verified(copy)
    assert (found.ours, found.intact, found.contract_number) == (True, True, contract["contract_number"])
    page = signing("open_signing", copies["s0@signers.example"])
    assert (page["status"], page["has_copy"], page["content"]) == ("completed", True, None)
    assert signing("signed_copy", copies["s0@signers.example"])


def test_only_an_admin_gives_up_a_sealed_copy_and_the_evidence_names_the_admin(member, admin, worker, signed, evidence):
    assert worker.run() == []
    path, scan = f"/api/contracts/{signed['contract_id']}/executed", pdf_file(b"scan")
    for api, query in ((member, ""), (member, "?replace=true"), (admin, "")):
        assert upload(api, path + query, scan, "scan.pdf", status=409).json["code"] == "sealed"
    assert admin.delete(path, status=409).json["code"] == "sealed"
    assert [event["event"] for event in evidence(signed)["events"]][-1] == "completed"
    upload(admin, f"{path}?replace=true", scan, "scan.pdf", status=201)
    assert member.get(path, status=200).body == scan
    told = evidence(signed)["events"][-1]
    assert (told["event"], told["actor_name"], told["signer_id"]) == ("copy_replaced", "Admin", None)
    upload(member, path, pdf_file(b"again"), "again.pdf", status=201)


def test_a_sealed_copy_is_deleted_by_an_admin_who_says_so_and_is_named(member, admin, worker, signed, evidence):
    assert worker.run() == []
    path = f"/api/contracts/{signed['contract_id']}/executed"
    admin.delete(f"{path}?replace=true", status=204)
    told = evidence(signed)["events"][-1]
    assert (told["event"], told["actor_name"]) == ("copy_deleted", "Admin")
    assert member.delete(path.removesuffix("/executed"), status=409).json["code"] == "contract_locked"


def test_a_change_waits_for_a_signature_that_began_before_the_expiry(member, owner, requested, signing, settings):
    request = requested(1)
    token = signing.link(request["signers"][0])
    with ThreadPoolExecutor(1) as pool:
        with signing.transaction(token) as connection:
            connection.execute("select now()")
            expiry = "update app.signature_requests set expires_at = now() where id = %s"
            owner.execute(expiry, [request["id"]])
            service.sign(
                settings, token, CLIENT, service.EnteredSignature("Signer 0", CONSENT), contextlib.nullcontext()
            )
            changing = pool.submit(member.patch, f"/api/contracts/{request['contract_id']}", {"name": "Other"})
            wait_until_waiting(connection)
        assert changing.result(SECONDS).json["code"] == "out_for_signature"


def counted(organization):
    """The numbers of signed copies, emails, events and notifications."""
    rows = organization.rows()
    copies = [row for row in rows["contract_documents"] if '"kind": "executed"' in row]
    return [len(copies), *(len(rows[table]) for table in ("emails", "signature_events", "notifications"))]


def test_a_failure_after_sealing_leaves_nothing_and_a_repetition_makes_nothing_twice(
    monkeypatch, member, owner, organization, worker, signed
):
    before = counted(organization)

    def fail(point):
        if point == "contract_executed":
            raise RuntimeError("killed")

    with monkeypatch.context() as patched:
        patched.setattr(tasks, "chaos_point", fail)
        assert worker.run() == ["RuntimeError: killed"]
    assert (counted(organization), member.get(path_of(signed)).json["status"]) == (before, "sent")
    assert worker.run() == []
    sealed = counted(organization)
    owner.execute(
        "update app.outbox set done_at = null, leased_until = null where organization_id = %s", [organization.id]
    )
    assert worker.run() == []
    assert (counted(organization), member.get(path_of(signed)).json["status"]) == (sealed, "completed")


def test_two_signers_at_once_are_both_kept_and_sealed_once(member, organization, owner, worker, requested, signing):
    request = requested(1, 1)
    links = [signing.link(signer) for signer in request["signers"]]
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(signing.sign, links * 2))
    raised = "select count(*) from app.outbox where organization_id = %s and event = 'seal_documents'"
    assert owner.execute(raised, [organization.id]).fetchone() == (1,)
    assert worker.run() == []
    assert member.get(path_of(request)).json["status"] == "completed"


@pytest.mark.parametrize(
    "tampering",
    [
        "update app.contracts set content = '<p>Other</p>' where id = {contract}",
        "update app.contracts set revision = 2 where id = {contract}",
        "update app.file_chunks set content = 'x' where position = 0 and file_id = (select document_file_id from "
        "app.signature_requests where id = {request})",
    ],
    ids=["text", "revision", "pdf"],
)
def test_nothing_is_signed_or_sealed_that_was_not_shown(member, owner, worker, ask, tampering):
    request, first, second = ask(1, 1)
    agree(first)
    with owner.transaction():
        owner.execute("set local session_replication_role = replica")
        owner.execute(tampering.format(contract=request["contract_id"], request=request["id"]))
    assert agree(second).state == "changed"
    owner.execute("update app.signature_requests set signed_at = now() where id = %s", [request["id"]])
    with effects.organization(worker.database, worker.organization_id):
        effects.emit("seal_documents", request["id"], {"request_id": request["id"]})
    assert worker.run() == [CHANGED]
    record = member.get(path_of(request)).json
    assert (record["status"], record["error"]) == ("sent", CHANGED)
    assert [signer["status"] for signer in record["signers"]] == ["signed", "sent"]
    member.post(path_of(request, "/cancel"), status=200)


@pytest.mark.parametrize(
    ("fail", "words"),
    [
        (lambda worker, _: change(worker, signing_certificate=""), tasks.NO_SEAL),
        (lambda _, patch: patch.setattr(files, "_quota", 1), "The organization's files"),
    ],
    ids=["no certificate", "no room for files"],
)
def test_a_failure_to_seal_is_told_at_once_and_can_be_cancelled(
    monkeypatch, member, organization, worker, signed, fail, words
):
    assert member.post(path_of(signed, "/cancel"), status=410).json["code"] == "signing_ended"
    fail(worker, monkeypatch)
    assert len(worker.run()) == len(worker.run()) == 1
    assert member.get(path_of(signed)).json["error"].startswith(words)
    for person in (member, organization.admin):
        assert person.get("/api/notifications", status=200).json["total"] == 1
    member.post(path_of(signed, "/cancel"), status=200)


def test_sealing_goes_on_by_itself_after_more_than_a_day(member, owner, worker, signed, settings):
    change(worker, signing_certificate="")
    owner.execute("update app.outbox set begins_at = now() - interval '2 days' where event = 'seal_documents'")
    assert worker.run()[0].startswith("Unusable")
    change(worker, signing_certificate=settings.signing_certificate)
    assert worker.run() == []
    assert member.get(path_of(signed)).json["status"] == "completed"


def test_without_a_certificate_nobody_signs_or_is_asked_to(wsgi, settings, monkeypatch, member, requested, signing):
    request = requested(1)
    monkeypatch.setattr(wsgi.registry, "pipeline", replace(settings, signing_certificate=""))
    with pytest.raises(Problem, match="unavailable"):
        signing.sign(signing.link(request["signers"][0]))
    member.post(path_of(request, "/cancel"), status=200)
    body = {"signers": [{"name": "Pat", "email": "pat@x.example", "party": "licensor"}], "confirm": ["blanks"]}
    answer = member.post(f"/api/contracts/{request['contract_id']}/signature-requests", body, status=422)
    assert answer.json["code"] == "certificate_missing"


def test_a_failed_sealing_can_be_tried_again(member, owner, worker, signed):
    owner.execute("update app.outbox set done_at = now() where event = 'seal_documents'")
    owner.execute("update app.signature_requests set error = 'Expired' where id = %s", [signed["id"]])
    member.post(path_of(signed, "/remind"), status=200)
    assert worker.run() == []
    assert member.get(path_of(signed)).json["status"] == "completed"
