"""Emails about notifications, which each person turns off by kind."""

import re

import pytest

from tests.mail.delivery import raise_event

EVERYTHING = {"interviews": True, "leads": True, "signatures": True, "webhooks": True}
PATH = "/api/auth/notification-emails"


@pytest.fixture
def submitted(organization, worker):
    """submitted(): a prospect submits; the worker tells it to the member."""

    def submit():
        invite = organization.invite()
        raise_event(worker, "interview_submitted", f"interview_submitted:{invite['id']}", invite_id=invite["id"])
        assert worker.run() == []

    return submit


def test_a_person_turns_one_kind_off_and_on_again(organization):
    member, admin = organization.member, organization.admin
    assert member.get(PATH, status=200).json == EVERYTHING
    assert member.patch(PATH, {"leads": False}, status=200).json == EVERYTHING | {"leads": False}
    assert admin.get(PATH, status=200).json == EVERYTHING
    assert member.put(PATH, EVERYTHING, status=200).json == EVERYTHING


def test_a_kind_that_is_off_is_told_in_the_application_alone(organization, server, submitted):
    organization.member.patch(PATH, {"interviews": False}, status=200)
    submitted()
    assert server.accepted == []
    assert organization.member.get("/api/notifications", status=200).json["total"] == 1


def test_an_email_turns_its_kind_off_by_one_click_or_its_link(organization, anonymous, server, submitted):
    submitted()
    (message,) = server.messages
    url = message["List-Unsubscribe"].strip("<>").removeprefix("https://pipeline.example")
    assert message["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert url in message.get_body(["plain"]).get_content()
    assert "Turn off" in anonymous.get(url, status=200).text
    assert organization.member.get(PATH, status=200).json == EVERYTHING
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    anonymous.post(url, raw=b"List-Unsubscribe=One-Click", headers=form, status=200)
    assert organization.member.get(PATH, status=200).json == EVERYTHING | {"interviews": False}


def test_a_link_that_was_changed_or_has_lost_its_seat_turns_nothing_off(organization, anonymous, server, submitted):
    submitted()
    url = re.search(r"/forms/emails/[^>]+", server.messages[0]["List-Unsubscribe"])[0]
    anonymous.post(url[:-3] + "abc", raw=b"", status=404)
    organization.deactivate_seats()
    anonymous.post(url, raw=b"", status=404)


def test_a_link_turns_emails_off_for_a_year(anonymous, server, submitted, monkeypatch):
    monkeypatch.setattr("pipeline.http.signed_links.EMAILS_SECONDS", -1)
    submitted()
    url = re.search(r"/forms/emails/[^>]+", server.messages[0]["List-Unsubscribe"])[0]
    anonymous.post(url, raw=b"", status=410)
