"""Webhooks, the feed and the audit of a signature request."""

import pytest

from pipeline.changes.webhooks.events import EVENTS
from pipeline.worker.jobs import run
from tests.signing.conftest import path_of
from tests.webhooks.conftest import Hook


@pytest.fixture
def told(organization, jobs, settings):
    """told(): the signature events that a webhook is told of."""
    crm = Hook(organization, jobs, settings, "https://127.0.0.1/", [e for e in EVENTS if e.startswith("signature")])

    def look():
        crm.follow()
        return [delivery["event"] for delivery in crm.deliveries()]

    return look


def test_a_view_and_each_signature_are_told(requested, signing, told):
    request = requested(1, 1)
    tokens = [signing.link(signer) for signer in request["signers"]]
    signing("view", tokens[0])
    signing.sign(tokens[0])
    signing.sign(tokens[1])
    assert told() == ["signature.sent", "signature.viewed", "signature.signed", "signature.signed"]


def test_a_refusal_and_a_cancellation_are_told(member, requested, signing, told):
    signing("decline", signing.link(requested(1)["signers"][0]), "No")
    member.post(path_of(requested(1), "/cancel"), status=200)
    assert told() == ["signature.sent", "signature.declined", "signature.sent", "signature.cancelled"]


def test_the_expiry_is_stored_by_the_daily_job_and_told(owner, jobs, settings, requested, told):
    request = requested(1)
    owner.execute("update app.signature_requests set expires_at = now() where id = %s", [request["id"]])
    run(jobs, settings, "expire_signatures")
    assert told() == ["signature.sent", "signature.expired"]
    status = "select status, ended_at = expires_at from app.signature_requests where id = %s"
    assert owner.execute(status, [request["id"]]).fetchone() == ("expired", True)


def test_an_expiry_that_a_new_request_finds_is_told_once(owner, member, jobs, settings, deliver, requested, told):
    request = requested(1)
    owner.execute("update app.signature_requests set expires_at = now() where id = %s", [request["id"]])
    requested(1)
    run(jobs, settings, "expire_signatures")
    assert told() == ["signature.sent", "signature.expired", "signature.sent"]
    deliver()
    assert member.get("/api/notifications", status=200).json["total"] == 1
    noted = "select count(*) from app.signature_events where request_id = %s and event = 'expired'"
    assert owner.execute(noted, [request["id"]]).fetchone() == (1,)


def test_the_audit_names_the_signer_as_the_actor(admin, requested, signing):
    request = requested(1)
    signing("view", signing.link(request["signers"][0]))
    entry = admin.get("/api/audit?type=signature-requests&actor=signer", status=200).json["data"][0]
    assert (entry["actor_kind"], entry["actor_id"]) == ("signer", request["signers"][0]["id"])
    assert entry["changed"]["signers"]["new"] == [{"id": request["signers"][0]["id"], "status": "viewed"}]
