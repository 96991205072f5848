"""Without an application, emails lead to a page of the service."""

import re

import pytest

from pipeline.accounts.notifications import digest
from pipeline.http.signed_links import notice_url
from tests.forms.paper import Paper
from tests.mail.delivery import raise_event
from tests.mail.post import contents
from tests.support import interview

LINK = re.compile(r"https://pipeline\.example(/forms/notifications/[\w.-]+)")


@pytest.fixture
def told(organization, worker):
    """told(*names, invite_id): leads of these first names come in for the member, and the worker tells it."""

    def make(*names, **payload):
        template = organization.template()
        for name in names:
            lead = organization.insert("leads", first_name=name, assigned_to=organization.users["member"])
            event = {"lead_id": lead, "template_id": template["id"], **payload}
            raise_event(worker, "lead_captured", f"lead_captured:{lead}", **event)
        assert worker.run() == []

    return make


def link_in(message):
    """The path of the page of a notification, the same in both texts."""
    (path,) = {LINK.search(content)[1] for content in contents(message)}
    return path


def test_a_digest_leads_to_all_that_it_counts(anonymous, server, told, monkeypatch):
    monkeypatch.setattr(digest, "SINGLE_EMAILS", 1)
    told("Ada", "Bob", "Eve")
    (message,) = (one for one in server.messages if one["Subject"] == "2 more new leads")
    paper = Paper(anonymous.app, link_in(message))
    assert (paper.state, paper.text("h1")) == ("notice", ["Notifications"])
    # One of the three has an email of its own.
    assert len(paper.text("h2")) == 2
    assert set(paper.text("h2")) < {f"New lead: {name}" for name in ("Ada", "Bob", "Eve")}


def test_a_digest_leads_on_to_the_answers_of_each_lead(anonymous, organization, server, told, monkeypatch):
    monkeypatch.setattr(digest, "SINGLE_EMAILS", 0)
    invite = organization.invite(organization.template(slug="asked"), recipient_name="Pat Prospect")
    anonymous.post(interview(invite) + "/submit", {"answers": {"product_line": "server"}}, status=200)
    told("Pat", invite_id=invite["id"])
    page = Paper(anonymous.app, link_in(server.messages[-1]))
    (link,) = page.html.select("a.secondary")
    assert page.open(link["href"].removeprefix("https://pipeline.example")).text("h1") == ["Answers from Pat Prospect"]


@pytest.fixture
def path(organization, settings, told):
    """path(**changes): the path of the page of the member's notification."""
    told("Pat")
    (notification,) = organization.member.get("/api/notifications", status=200).json["data"]

    def make(**changes):
        whose = {"organization_id": organization.id, "notification_id": notification["id"]}
        whose |= {"user_id": organization.users["member"], **changes}
        return notice_url(settings, **whose).removeprefix("https://pipeline.example")

    return make


def test_the_page_shows_a_lead_and_changes_and_runs_nothing(anonymous, organization, path):
    paper = Paper(anonymous.app, path()).open("", 200)
    assert paper.text("h1") == ["New lead: Pat"]
    assert paper.html.select("script, form, input, button") == []
    headers = paper.response.headers
    assert headers["Content-Security-Policy"].startswith("default-src 'none'")
    assert headers["Cache-Control"] == "no-store"
    assert organization.member.get("/api/notifications?unread=true", status=200).json["total"] == 1
    anonymous.app.get(f"{paper.path}/copy", status=404)


def test_nobody_elses_notification_and_no_changed_or_lost_link_is_shown(anonymous, organization, path):
    own = path()
    for user in ("admin", "colleague"):
        anonymous.app.get(path(user_id=organization.users[user]), status=404)
    for wrong in (path(notification_id=2**40), own[:-3] + "abc", own.replace("/notifications/", "/answers/")):
        anonymous.app.get(wrong, status=404)
    organization.deactivate_seats()
    anonymous.app.get(own, status=404)


def test_another_organizations_notification_is_unknown(anonymous, new_organization, path):
    anonymous.app.get(path(organization_id=new_organization().id), status=404)


def test_a_link_works_for_14_days(anonymous, monkeypatch, path):
    own = path()
    monkeypatch.setattr("pipeline.http.signed_links.ANSWERS_SECONDS", -1)
    anonymous.app.get(path(), status=410)
    assert Paper(anonymous.app, own).state == "notice"
