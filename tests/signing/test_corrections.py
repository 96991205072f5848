"""The name, title and address of a signer who has not signed can be corrected."""

import pytest

from tests.contracts.support import deal
from tests.personal.conftest import told as told
from tests.signing.conftest import path_of, tokens
from tests.signing.test_personal import left

RIGHT = "pat@right.example"


@pytest.fixture
def correct(member):
    """correct(request, place=0, status=200, **changes): the answer to a PATCH of a signer."""

    def patch(request, place=0, status=200, **changes):
        return member.patch(
            f"{path_of(request)}/signers/{request['signers'][place]['id']}", changes, status=status
        ).json

    return patch


def test_a_corrected_signer_gets_a_new_link_and_the_old_one_ends(deliver, requested, correct, signing):
    request = requested(1, 1)
    sent = tokens(deliver())
    signer = correct(request, email=RIGHT, title="CFO")["signers"][0]
    assert (signer["email"], signer["title"], signer["email_status"]) == (RIGHT, "CFO", "queued")
    assert signing("open_signing", sent["s0@signers.example"]) is None
    assert signing("open_signing", sent["s1@signers.example"]) is not None
    assert signing("open_signing", tokens(deliver())[RIGHT])["signer_email"] == RIGHT


def test_a_corrected_name_loses_what_nobody_sees(requested, correct):
    assert correct(requested(1), name="A\u200bda\ufeff By\u2060ron")["signers"][0]["name"] == "Ada Byron"


def test_a_correction_keeps_the_signatures_of_the_others(deliver, requested, correct, signing, statuses):
    request = requested(1, 1)
    signing.sign(tokens(deliver())["s0@signers.example"])
    correct(request, 1, name="Ada Byron")
    assert statuses(request) == ["signed", "sent"]
    assert correct(request, 0, name="Other", status=409)["code"] == "already_signed"


def test_a_view_before_a_correction_does_not_count(requested, correct, signing, evidence):
    request = requested(1)
    signing("view", signing.link(request["signers"][0]))
    signer = correct(request, email=RIGHT)["signers"][0]
    assert (signer["status"], signer["viewed_at"]) == ("sent", None)
    assert [event["event"] for event in evidence(request)["events"]] == ["viewed", "corrected"]


def test_a_signer_who_waits_gets_the_email_in_turn(deliver, requested, correct, signing):
    request = requested(1, 2)
    correct(request, 1, email=RIGHT)
    sent = tokens(deliver())
    assert sent.keys() == {"s0@signers.example"}
    signing.sign(sent["s0@signers.example"])
    assert tokens(deliver()).keys() == {RIGHT}


def test_an_email_from_before_a_correction_is_not_sent(owner, deliver, worker, requested, correct):
    request = requested(1)
    for event in worker.open():
        worker.deliver(event)
    correct(request, email=RIGHT)
    assert tokens(deliver()).keys() == {RIGHT}
    status = "select status from app.emails where to_email = 's0@signers.example' order by id desc limit 1"
    assert owner.execute(status).fetchone() == ("skipped",)


def test_the_evidence_and_the_audit_tell_old_and_new_values(admin, requested, correct, evidence):
    request = requested(1)
    correct(request, name="Pat", title=None, email="s0@signers.example")
    (event,) = evidence(request)["events"]
    assert (event["event"], event["signer_id"]) == ("corrected", request["signers"][0]["id"])
    assert event["corrections"] == {"name": {"old": "Signer 0", "new": "Pat"}}
    changed = admin.get("/api/audit?type=signature-requests", status=200).json["data"][0]["changed"]["signers"]
    assert [changed[side][0]["name"] for side in ("old", "new")] == ["Signer 0", "Pat"]


def test_a_webhook_is_told_of_a_correction(organization, requested, correct, told):
    request = requested(1)
    (hook, _failing) = told(organization)
    correct(request, email=RIGHT)
    hook.work()
    assert [delivery["event"] for delivery in hook.deliveries()] == ["signature.corrected"]


def test_a_correction_without_a_difference_changes_nothing(requested, correct, evidence):
    request = requested(1)
    assert correct(request, name="Signer 0") == request
    assert evidence(request)["events"] == []


def test_a_name_that_the_paper_does_not_print_is_confirmed_again(member, organization, made, correct):
    contract = made("<p>{{Contract.signature_block}}</p>", deal_id=deal(organization))
    signer = {"name": "Hélène Dubois", "email": "helene@cafesoft.example", "party": "licensee"}
    path = f"/api/contracts/{contract['id']}/signature-requests"
    request = member.post(path, {"signers": [signer]}, status=201).json
    refused = correct(request, name="Bob", status=422)
    assert (refused["code"], refused["errors"][0]["name"]) == ("signer_mismatch", "name")
    assert correct(request, name="Bob", confirm=["signer"])["signers"][0]["name"] == "Bob"


def test_after_the_end_of_the_request_nothing_is_corrected(member, requested, correct):
    request = requested(1)
    member.post(path_of(request, "/cancel"), status=200)
    assert correct(request, name="Pat", status=410)["code"] == "signing_ended"


def test_erasing_a_person_asked_by_mistake_leaves_no_word(
    admin, member, organization, deliver, requested, correct, evidence
):
    lead = member.post("/api/leads", {"first_name": "Zacharias", "email": "s0@signers.example"}, status=201).json["id"]
    request = requested(1)
    deliver()
    correct(request, name="Ada Byron", email=RIGHT)
    deliver()
    admin.post(f"/api/leads/{lead}/erase", {"confirm": "s0@signers.example"}, status=200)
    assert left(organization, "s0@signers.example", "Signer 0", "Zacharias") == set()
    assert [event["corrections"] for event in evidence(request)["events"] if event["event"] == "corrected"] == [None]
    assert member.get(path_of(request), status=200).json["status"] == "sent"
