"""The dialogue with kinds of mail servers: what the service says, and what a reply does to the email and its invite."""

import dataclasses

import pytest
from aiosmtpd.smtp import AuthResult
from structlog.testing import capture_logs

from pipeline.mail.smtp import own_name
from tests.mail.certificates import serving, write_certificate
from tests.mail.mailserver import MailServer


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
    assert is_told(logs) == said.startswith("5")
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


def password_is_right(server, session, envelope, mechanism, data):
    return AuthResult(success=data.password == b"right", handled=False)


REFUSED, UNUSABLE = "The mail server refuses this installation: ", "The mail server cannot be used: "
LOGIN = {"authenticator": password_is_right, "auth_require_tls": False}
# {kind: (server's options, its behaviour, user and password, the email's status and the beginning of its error)}.
SERVERS = {
    "plain": ({}, {}, "", "sent", ""),
    "with a login": (LOGIN, {}, "user:right@", "sent", ""),
    "without a login": (LOGIN, {"refuse": {"MAIL": "530 5.7.0 Login"}}, "", "queued", f"{REFUSED}530 5.7.0 Login"),
    "another password": (LOGIN, {}, "user:wrong@", "queued", f"{REFUSED}535 5.7.8"),
    "greeting 554": ({}, {"refuse": {"greeting": "554 No SMTP here"}}, "", "queued", f"{REFUSED}554 No SMTP here"),
    "greeting 421": ({}, {"refuse": {"greeting": "421 Too busy"}}, "", "queued", f"{UNUSABLE}421 Too busy"),
    "silent": ({}, {"drop": "connect"}, "", "queued", UNUSABLE),
    "greylisting": ({}, {"refuse": {"RCPT": "451 4.7.1 Later"}}, "", "queued", "The mail server did not take"),
    "over quota": ({}, {"refuse": {"RCPT": "452 4.2.2 Full"}}, "", "queued", "The mail server did not take"),
    "a small size": ({"data_size_limit": 999}, {}, "", "failed", "The mail server takes at most 999 bytes; "),
    "of RFC 821 alone": ({}, {"extended": False}, "", "sent", ""),
    "ASCII addresses": ({"enable_SMTPUTF8": False}, {}, "", "sent", ""),
    "hangs up after DATA": ({}, {"drop": "unread"}, "", "queued", "The mail server broke off before it answered"),
    "hangs up before DATA": ({}, {"drop": "DATA"}, "", "queued", UNUSABLE),
}


@pytest.mark.parametrize("kind", SERVERS)
def test_every_kind_of_server_gets_the_email_or_its_answer_is_shown(kind, worker, invite, email_of):
    options, behaviour, login, status, error = SERVERS[kind]
    with MailServer(**options) as server, capture_logs() as logs:
        vars(server).update(behaviour)
        worker.settings = dataclasses.replace(worker.settings, smtp_url=server.url.replace("//", f"//{login}"))
        worker.run()
    shown_status, shown_error = email_of(invite)
    assert (shown_status, (shown_error or "")[: len(error)]) == (status, error)
    assert all(content.isascii() for _, _, content in server.accepted)
    assert (len(server.accepted), is_told(logs)) == (status == "sent", error.startswith(REFUSED))


@pytest.mark.parametrize(
    ("encrypts", "host", "said"),
    [(True, "127.0.0.1", "certificate"), (True, "127.0.0.2", "certificate"), (False, "127.0.0.1", "STARTTLS")],
)
def test_a_server_without_sound_starttls_gets_nothing_and_is_named(
    encrypts, host, said, worker, invite, email_of, tmp_path
):
    context = serving(write_certificate(tmp_path, host))
    with MailServer(**({"tls_context": context} if encrypts else {})) as server:
        worker.settings = dataclasses.replace(worker.settings, smtp_url=f"{server.url}?starttls=required")
        worker.run()
    status, error = email_of(invite)
    assert (status, error.startswith(UNUSABLE), said in error, server.accepted) == ("queued", True, True, [])


def is_told(logs):
    """Whether the log tells operators that the server refuses the installation."""
    return any(entry["event"] == "mail server refuses this installation" for entry in logs)


@pytest.mark.parametrize(
    ("helo", "public_url", "said"),
    [
        ("", "https://pipeline.example", "pipeline.example"),
        ("", "https://bücher.example:8443/x", "xn--bcher-kva.example"),
        ("", "http://127.0.0.1:6543", "[127.0.0.1]"),
        ("", "http://[::1]:6543", "[IPv6:::1]"),
        ("mx.acme.example", "https://pipeline.example", "mx.acme.example"),
        ("192.0.2.7", "https://pipeline.example", "[192.0.2.7]"),
        ("2001:db8::1", "https://pipeline.example", "[IPv6:2001:db8::1]"),
        ("mx.acme.example.", "https://pipeline.example", "mx.acme.example"),
        ("", "https://pipeline.example.:8443", "pipeline.example"),
        ("", "http://localhost:6543", "localhost"),
        ("mx_1.acme.example", "https://pipeline.example", "mx_1.acme.example"),
        ("xn--bcher-kva.example", "https://pipeline.example", "xn--bcher-kva.example"),
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
