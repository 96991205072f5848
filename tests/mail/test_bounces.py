"""POST /api/mail/bounces: an accepted email came back."""

import base64

import pytest

from tests.conftest import BOUNCE_SECRET

SECRET = {"Authorization": f"Bearer {BOUNCE_SECRET}"}
REASON = "550 5.1.1 No such mailbox"


@pytest.fixture
def reported(anonymous):
    """reported(message, headers): the response to the bounce of an email."""

    def report(message_id, headers=SECRET, status=204):
        body = {"message_id": message_id, "reason": REASON}
        return anonymous.post("/api/mail/bounces", body, headers=headers, status=status)

    return report


@pytest.fixture
def invite(organization, worker):
    invite = organization.invite(send_email=True)
    worker.run()
    return invite


def test_a_bounced_invite_shows_the_reason_tells_the_rep_and_can_be_sent_again(
    invite, server, worker, organization, reported, shown
):
    (message,) = server.messages
    reported(message["Message-ID"])
    assert worker.run() == []
    record = shown(invite)
    assert (record["email_status"], record["sent_at"]) == ("failed", None)
    assert record["email_error"] == f"The email was accepted and came back: {REASON}"
    (told,) = organization.member.get("/api/notifications", status=200).json["data"]
    assert (told["event"], told["data"]["invite_id"]) == ("invite_undelivered", invite["id"])
    organization.member.post(f"/api/interview-invites/{invite['id']}/resend", status=200)


@pytest.mark.parametrize(
    ("reason", "told"),
    [
        ("550-5.1.1 The account\r\n550 5.1.1 does not exist", "550-5.1.1 The account 550 5.1.1 does not exist"),
        ("  552 5.2.2 Mailbox full\t", "552 5.2.2 Mailbox full"),
        ("smtp; 550 <b>User unknown</b>", "smtp; 550 <b>User unknown</b>"),
        ("550 5.7.1 Absender abgelehnt: größer", "550 5.7.1 Absender abgelehnt: größer"),
        ("Postfach voll \u202e", "Postfach voll"),
        ("554 " + "x" * 490, "554 " + "x" * 490),
    ],
)
def test_a_reason_is_told_as_one_line(invite, server, worker, anonymous, shown, reason, told):
    body = {"message_id": server.messages[0]["Message-ID"], "reason": reason}
    anonymous.post("/api/mail/bounces", body, headers=SECRET, status=204)
    worker.run()
    assert shown(invite)["email_error"] == f"The email was accepted and came back: {told}"


@pytest.mark.parametrize(
    ("change", "name"),
    [({"reason": ""}, "reason"), ({"reason": None}, "reason"), ({"message_id": ""}, "message_id"), ({"x": 1}, "x")],
)
def test_a_bounce_without_its_facts_is_refused(anonymous, change, name):
    body = {"message_id": "<1.a@b>", "reason": REASON, **change}
    refused = anonymous.post("/api/mail/bounces", body, headers=SECRET, status=422).json
    assert [one["name"] for one in refused["errors"]] == [name]


def test_a_bounce_is_told_once_and_without_the_angle_brackets_too(invite, server, worker, reported, owner):
    given = server.messages[0]["Message-ID"].strip("<>")
    for _ in range(2):
        reported(given)
        worker.run()
    events = "select count(*) from app.outbox where event = 'invite_undelivered' and payload ->> 'invite_id' = %s"
    assert owner.execute(events, (str(invite["id"]),)).fetchone() == (1,)


def test_a_bounce_of_an_unknown_email_or_organization_changes_and_tells_nothing(
    invite, server, worker, reported, shown
):
    own = server.messages[0]["Message-ID"]
    others = [
        own.replace(own[4:8], "0000"),
        f"<{10**17}{own[own.index('.') :]}",
        "<9.x@y>",
        "pat@prospect.example",
        own + "x",
    ]
    assert [reported(message_id).body for message_id in others] == [b""] * len(others)
    worker.run()
    assert shown(invite)["email_status"] == "sent"


@pytest.mark.parametrize("given", ["", "Bearer wrong", "Basic !", "Basic " + base64.b64encode(b"a:b").decode()])
def test_a_bounce_needs_the_secret(given, invite, server, worker, reported, shown):
    assert reported(server.messages[0]["Message-ID"], {"Authorization": given}, 401).json["code"] == "unauthenticated"
    worker.run()
    assert shown(invite)["email_status"] == "sent"


def test_the_secret_may_be_the_password_of_a_url(reported):
    both = base64.b64encode(f"provider:{BOUNCE_SECRET}".encode()).decode()
    reported("<1.x@y>", {"Authorization": f"Basic {both}"})
