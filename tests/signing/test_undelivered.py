"""What is told of an email to a signer that the mail server refuses."""

import pytest

from tests.conftest import BOUNCE_SECRET
from tests.mail.delivery import Worker
from tests.signing.conftest import path_of, subjects, tokens

ADDRESS = "s0@signers.example"
REFUSAL = "550 5.1.1 No such mailbox"


@pytest.fixture
def refused(post):
    """refused(reply): from now on the mail server refuses the signer's address; None: it takes it."""

    def refuse(reply=REFUSAL):
        post.server.refuse = {ADDRESS: reply} if reply else {}

    yield refuse
    refuse(None)


@pytest.fixture
def send(post, organization):
    """send(): delivers what waits, refused or not; returns the messages that were taken."""
    worker = Worker(post.jobs, post.settings, organization.id)

    def run():
        before = len(post.server.accepted)
        worker.run()
        return post.server.messages[before:]

    return run


@pytest.fixture
def signer(member):
    """signer(request): its first signer as the API shows it now."""
    return lambda request: member.get(path_of(request), status=200).json["signers"][0]


def events(evidence, request):
    return [event["event"] for event in evidence(request)["events"]]


def test_sent_is_told_only_once_the_mail_server_has_taken_the_email(send, evidence, requested, signer):
    request = requested(1)
    assert (request["signers"][0]["email_status"], evidence(request)["events"]) == ("queued", [])
    send()
    assert (signer(request)["email_status"], events(evidence, request)) == ("sent", ["sent"])


def test_a_refusal_is_shown_and_no_event_is_invented(refused, send, evidence, requested, signer):
    refused()
    request = requested(1)
    send()
    found = signer(request)
    assert (found["status"], found["email_status"]) == ("sent", "failed")
    assert REFUSAL in found["email_error"]
    assert events(evidence, request) == []


def test_an_email_that_comes_back_later_is_shown_too(anonymous, send, requested, signer):
    request = requested(1)
    (message,) = send()
    bounce = {"message_id": message["Message-ID"], "reason": REFUSAL}
    headers = {"Authorization": f"Bearer {BOUNCE_SECRET}"}
    anonymous.post("/api/mail/bounces", bounce, headers=headers, status=204)
    send()
    found = signer(request)
    assert (found["status"], found["email_status"]) == ("sent", "failed")
    assert REFUSAL in found["email_error"]


def test_the_rep_is_notified_of_a_refusal(member, organization, refused, send, requested):
    refused()
    request = requested(1, 1)
    messages = send()
    told = subjects(messages)[f"member@{organization.name}.example"]
    assert told.startswith("Email to a signer not delivered:")
    (notified,) = member.get("/api/notifications", status=200).json["data"]
    assert (notified["event"], notified["data"]["request_id"]) == ("signature_undelivered", request["id"])


def test_a_reminder_sends_to_a_refused_address_once_more(member, refused, send, evidence, requested, signer):
    refused()
    request = requested(1)
    for _try in range(2):
        send()
        again = member.post(path_of(request, "/remind"), status=200).json["signers"][0]
        assert (again["email_status"], again["email_error"], again["reminded_at"]) == ("queued", None, None)
    refused(None)
    assert tokens(send()).keys() == {ADDRESS}
    assert (signer(request)["email_status"], events(evidence, request)) == ("sent", ["sent"])


def test_a_reminder_is_an_event_once_the_mail_server_has_taken_it(member, refused, send, evidence, requested):
    request = requested(1)
    send()
    member.post(path_of(request, "/remind"), status=200)
    assert events(evidence, request) == ["sent"]
    send()
    assert events(evidence, request) == ["sent", "reminded"]


def test_a_link_that_arrived_keeps_working_when_a_reminder_is_refused(
    member, refused, send, requested, signer, signing
):
    request = requested(1)
    token = tokens(send())[ADDRESS]
    refused()
    member.post(path_of(request, "/remind"), status=200)
    send()
    assert signer(request)["email_status"] == "failed"
    assert signing("open_signing", token)["signer_name"] == "Signer 0"


def test_a_code_is_an_event_once_the_mail_server_has_taken_it(refused, send, evidence, requested, signing):
    request = requested(1, verify_email=True)
    token = tokens(send())[ADDRESS]
    signing("send_code", token)
    assert events(evidence, request) == ["sent"]
    send()
    assert events(evidence, request) == ["sent", "code_sent"]


def test_a_title_is_kept_with_the_signer(member, path, evidence):
    body = {"name": "Bob", "title": "Head of Legal", "email": "bob@signers.example", "party": "licensor"}
    request = member.post(f"{path}/signature-requests", {"signers": [body], "confirm": ["blanks"]}, status=201).json
    assert request["signers"][0]["title"] == evidence(request)["signers"][0]["title"] == "Head of Legal"
