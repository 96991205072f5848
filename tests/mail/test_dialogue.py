"""The dialogue with kinds of mail servers: what the service says, and what a reply does to the email and its invite."""

import dataclasses

import pytest
from structlog.testing import capture_logs

from pipeline.mail.smtp import own_name


@pytest.fixture
def invite(organization):
    return organization.invite(send_email=True)


@pytest.fixture
def email_of(shown):
    """email_of(invite): its email's status and error."""
    return lambda invite: tuple(shown(invite)[name] for name in ("email_status", "email_error"))


DEFERRED = {
    "over quota": ({"RCPT": "452 4.2.2 Mailbox full"}, "452 4.2.2 Mailbox full"),
    "greylisting": ({"RCPT": "451 4.7.1 Greylisted"}, "451 4.7.1 Greylisted"),
    "busy": ({"DATA": "421 4.3.2 Shutting down"}, "421 4.3.2 Shutting down"),
    "rate": ({"CONTENT": "450 4.2.1 Too many messages"}, "450 4.2.1 Too many messages"),
    "no login": ({"MAIL": "530 5.7.0 Authentication required"}, "530 5.7.0 Authentication required"),
    "sender": ({"MAIL": "550 5.7.1 Sender rejected"}, "550 5.7.1 Sender rejected"),
    "SPF": ({"RCPT": "550 5.7.23 SPF validation failed"}, "550 5.7.23 SPF validation failed"),
    "SPF in words": ({"MAIL": "554 SPF fail"}, "554 SPF fail"),
    "reverse DNS": ({"CONTENT": "550 5.7.25 No PTR record"}, "550 5.7.25 No PTR record"),
    "HELO": ({"RCPT": "550 5.7.1 HELO name is not valid"}, "550 5.7.1 HELO name is not valid"),
    "DMARC": ({"CONTENT": "550 5.7.26 DMARC"}, "550 5.7.26 DMARC"),
    "block list": ({"RCPT": "554 5.7.1 Listed at Spamhaus"}, "554 5.7.1 Listed at Spamhaus"),
    "relay": ({"RCPT": "554 5.7.1 Relay access denied"}, "554 5.7.1 Relay access denied"),
}


@pytest.mark.parametrize("kind", DEFERRED)
def test_a_deferred_email_shows_the_last_answer_and_is_sent_later(kind, worker, server, invite, email_of):
    server.refuse, said = DEFERRED[kind]
    with capture_logs() as logs:
        assert len(worker.run()) == 1
    status, error = email_of(invite)
    assert (status, error.endswith(said)) == ("queued", True)
    ours = any(entry["event"] == "mail server refuses this installation" for entry in logs)
    assert ours == said.startswith("5")
    server.refuse = {}
    assert worker.run() == []
    assert email_of(invite) == ("sent", None)


@pytest.mark.parametrize(
    ("refuse", "said"),
    [
        ({"RCPT": "550 5.1.1 No such user"}, "550 5.1.1 No such user"),
        ({"RCPT": "550 5.7.1 The recipient takes no mail"}, "550 5.7.1 The recipient takes no mail"),
        ({"RCPT": "551 5.1.6 User has moved"}, "551 5.1.6 User has moved"),
        ({"MAIL": "552 5.3.4 Message too big"}, "552 5.3.4 Message too big"),
        ({"CONTENT": "554 5.6.0 Content refused"}, "554 5.6.0 Content refused"),
    ],
)
def test_a_refusal_of_the_recipient_fails_at_once(refuse, said, worker, server, invite, email_of):
    server.refuse = refuse
    worker.run()
    assert worker.open() == []
    assert email_of(invite) == ("failed", f"The mail server refused the message: {said}")


@pytest.mark.parametrize(
    ("helo", "public_url", "said"),
    [
        ("", "https://pipeline.example", "pipeline.example"),
        ("", "https://bücher.example:8443/x", "xn--bcher-kva.example"),
        ("", "http://127.0.0.1:6543", "[127.0.0.1]"),
        ("", "http://[::1]:6543", "[IPv6:::1]"),
        ("mx.acme.example", "https://pipeline.example", "mx.acme.example"),
        ("192.0.2.7", "https://pipeline.example", "[192.0.2.7]"),
    ],
)
def test_the_service_greets_with_its_configured_or_public_name(helo, public_url, said, worker, server, queued):
    queued()
    worker.settings = dataclasses.replace(worker.settings, mail_helo=helo, public_url=public_url)
    assert worker.run() == []
    assert (server.offered[0][0], own_name(helo, public_url)) == (said, said)


def test_the_size_is_announced(worker, server, queued):
    queued()
    worker.run()
    (content,) = (content for _, _, content in server.accepted)
    assert server.offered[0][1] == [f"SIZE={len(content)}"]


def test_an_email_above_the_servers_size_is_refused_before_it_is_offered(worker, server, invite, email_of):
    server.stop()
    server.options["data_size_limit"] = 1000
    server.start()
    worker.run()
    status, error = email_of(invite)
    assert (status, error.split(";")[0], server.offered) == ("failed", "The mail server takes at most 1,000 bytes", [])


def test_a_failed_email_is_sent_again(worker, server, organization, invite, email_of):
    path = f"/api/interview-invites/{invite['id']}/resend"
    assert organization.member.post(path, status=409).json["code"] == "email_not_failed"
    server.refuse = {"RCPT": "550 5.1.1 No such user"}
    for _ in range(2):
        worker.run()
        assert email_of(invite)[0] == "failed"
        again = organization.member.post(path, status=200).json
        assert (again["email_status"], again["email_error"]) == ("queued", None)
    server.refuse = {}
    worker.run()
    assert (email_of(invite), len(server.accepted)) == (("sent", None), 1)
    assert organization.member.post(path, status=409).json["code"] == "email_not_failed"


@pytest.mark.parametrize("state", ["expired", "submitted"])
def test_the_email_of_an_invite_that_is_over_is_not_sent_again(organization, owner, invite, state):
    change = "expires_at = now()" if state == "expired" else "status = 'submitted', submitted_at = now()"
    owner.execute(f"update app.interview_invites set email_status = 'failed', {change} where id = %s", [invite["id"]])
    refused = organization.member.post(f"/api/interview-invites/{invite['id']}/resend", status=409)
    assert refused.json["code"] == "email_not_failed"
