"""Reminders of an invite: times, recipients, number and end."""

import dataclasses
from datetime import timedelta

import pytest

from tests.mail.post import contents
from tests.support import codes, interview

PATH = "/api/interview-invites"


@pytest.fixture
def invite(organization, worker):
    """An invite with two reminders whose email has been sent; no reminder is due yet."""
    invite = organization.invite(send_email=True, reminders=[7, 3], recipient_name="Pat", personal_note="Dear Pat")
    assert worker.run(due=True) == []
    return invite


def reminders(server):
    return [message for message in server.messages if message["Subject"].startswith("Reminder: ")]


def test_each_is_due_so_many_days_after_the_invites_email_and_for_a_day_from_then_on(owner, invite, shown):
    assert (shown(invite)["reminders"], shown(invite)["reminded_at"]) == ([3, 7], None)
    events = owner.execute(
        "select due_at - i.sent_at, begins_at = due_at from app.outbox o"
        " join app.interview_invites i on i.id = %s and i.organization_id = o.organization_id"
        " where event = 'invite_reminder' order by due_at",
        [invite["id"]],
    ).fetchall()
    assert events == [(timedelta(days=3), True), (timedelta(days=7), True)]


def test_it_brings_the_link_once_more_and_a_way_to_end_them(organization, worker, server, invite, shown):
    assert worker.run() == []
    first, second = reminders(server)
    assert (first["To"], first["Reply-To"]) == ("Pat <pat@prospect.example>", f"member@{organization.name}.example")
    stop = f"{invite['public_url']}/reminders?lang=en"
    assert first["List-Unsubscribe"] == f"<{stop}>"
    assert first["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    for content in contents(first):
        assert invite["public_url"] in content
        assert stop in content
        assert "Dear Pat" not in content
    record = shown(invite)
    assert record["reminded_at"] > record["sent_at"]
    assert record["email_status"] == "sent"


def test_started_submitted_expired_and_deleted_invites_are_not_reminded(organization, worker, server, anonymous):
    made = [organization.invite(organization.template(slug=f"t{n}"), send_email=True, reminders=[1]) for n in range(4)]
    assert worker.run(due=True) == []
    anonymous.patch(interview(made[0]), {"answers": {"seats": 1}}, status=200)
    anonymous.post(f"{interview(made[1])}/submit", {"answers": {"product_line": "server"}}, status=200)
    organization.expire_by_time(made[2])
    organization.admin.delete(f"{PATH}/{made[3]['id']}", status=204)
    assert worker.run() == []
    assert reminders(server) == []


@pytest.mark.parametrize("press", ["page", "mail program"])
def test_the_prospect_ends_them_and_a_look_at_the_page_does_not(worker, server, invite, anonymous, shown, press):
    path = f"/forms/interview/{invite['token']}/reminders"
    page = anonymous.app.get(path, status=200)
    assert shown(invite)["reminders_declined_at"] is None
    body = {"List-Unsubscribe": "One-Click"} if press == "mail program" else {"_go": page.html.button["value"]}
    stopped = anonymous.app.post(path, body, status=200)
    assert stopped.html.body["data-state"] == "reminders_stopped"
    since = shown(invite)["reminders_declined_at"]
    anonymous.app.post(path, body, status=200)
    assert shown(invite)["reminders_declined_at"] == since is not None
    assert worker.run() == []
    assert reminders(server) == []


def test_it_counts_to_the_mail_quota_and_waits_for_another_day(worker, server, invite):
    worker.settings = dataclasses.replace(worker.settings, mail_quota_per_day=1, rate_limit_factor=1)
    assert ["mail_quota" in error for error in worker.run()] == [True, True]
    worker.settings = dataclasses.replace(worker.settings, mail_quota_per_day=500)
    for _ in range(2):
        assert worker.run() == []
        assert len(reminders(server)) == 2


@pytest.mark.parametrize(
    ("body", "name", "code"),
    [
        ({"reminders": [3]}, "reminders", "needs_email"),
        ({"reminders": [1, 2, 3, 4], "send_email": True}, "reminders", "too_long"),
        ({"reminders": [3, 3], "send_email": True}, "reminders.1", "repeated"),
        ({"reminders": [0], "send_email": True}, "reminders.0", "out_of_range"),
    ],
)
def test_impossible_reminders_are_refused(organization, body, name, code):
    body = body | {"template_id": organization.template()["id"], "recipient_email": "a@b.example"}
    assert codes(organization.member.post(PATH, body, status=422)) == [(name, code)]
