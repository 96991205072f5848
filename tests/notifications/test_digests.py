"""Beyond twenty captured leads in an hour a person gets one email for the rest of them, when the hour is over.

Most tests count to three instead.
"""

import dataclasses
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest

from pipeline.accounts.notifications import digest
from tests.mail.delivery import raise_event
from tests.mail.post import contents

HERE = "https://pipeline.example/forms"
TWENTY = digest.SINGLE_EMAILS


@pytest.fixture(autouse=True)
def three(monkeypatch):
    monkeypatch.setattr(digest, "SINGLE_EMAILS", 3)


@pytest.fixture
def flood(organization, worker):
    """flood(count): captured leads of the member, or of `person`, and their events."""
    usual = organization.template()

    def make(count, person="member", template=usual):
        for _ in range(count):
            lead = organization.insert("leads", first_name="Pat", assigned_to=person and organization.users[person])
            raise_event(worker, "lead_captured", f"lead_captured:{lead}", lead_id=lead, template_id=template["id"])

    return make


@pytest.fixture
def tell(worker):
    """tell(): deliver at once what is open now, not what comes of it."""

    def deliver():
        with ThreadPoolExecutor(4) as threads:
            list(threads.map(worker.deliver, worker.open()))

    return deliver


def subjects(server):
    return Counter(message["Subject"] for message in server.messages)


def notifications(organization):
    """How many the member has."""
    return organization.member.get("/api/notifications", status=200).json["total"]


def test_notifications_beyond_twenty_come_in_one_email(organization, worker, server, flood, monkeypatch):
    monkeypatch.setattr(digest, "SINGLE_EMAILS", TWENTY)
    flood(22)
    worker.run()
    assert subjects(server) == {"New lead: Qualification": 20, "2 more new leads": 1}
    assert notifications(organization) == 22


@pytest.mark.parametrize("app_url", ["https://crm.example", ""])
def test_the_digest_counts_by_form_and_leads_to_the_application(organization, worker, server, flood, app_url):
    worker.settings = dataclasses.replace(worker.settings, app_url=app_url)
    flood(4)
    flood(2, template=organization.template(name="Trade fair <b>", slug="fair"))
    worker.run()
    (message,) = (message for message in server.messages if message["Subject"] == "3 more new leads")
    text, html = contents(message)
    assert text.index("- “Trade fair <b>”: 2") < text.index("- “Qualification”: 1")
    assert "Trade fair &lt;b&gt;" in html
    assert "Open the leads:\r\n" + (f"{app_url}/leads" if app_url else f"{HERE}/notifications/") in text
    # No other link than to turn it off.
    assert (text.count("https://"), text.count(f"{HERE}/emails/")) == (2, 1)
    assert "Pat" not in text


def test_leads_that_come_at_once_are_counted_one_by_one_for_an_hour(organization, worker, server, owner, flood, tell):
    flood(12)
    tell()
    due = """select round(extract(epoch from due_at - now()) / 60)::int from app.outbox
             where organization_id = %s and event = 'lead_digest'"""
    assert owner.execute(due, (organization.id,)).fetchall() == [(60,)]
    worker.run()
    assert subjects(server) == {"New lead: Qualification": 3, "9 more new leads": 1}


def test_after_the_hour_leads_have_emails_of_their_own_again(organization, worker, server, owner, flood, tell):
    flood(5)
    tell()
    over = "update app.mail_hours set ends_at = now() - interval '1 second' where organization_id = %s"
    owner.execute(over, (organization.id,))
    flood(2)
    worker.run()
    assert subjects(server) == {"New lead: Qualification": 5, "2 more new leads": 1}


def test_a_digest_that_comes_early_begins_a_new_hour(worker, server, flood):
    for _ in range(2):
        flood(4)
        worker.run()
    assert subjects(server) == {"New lead: Qualification": 6, "1 more new lead": 2}
    assert worker.open() == []


def test_a_lead_that_is_told_while_the_digest_begins_is_in_it_or_after_it(organization, worker, server, flood, tell):
    """The digest and more leads at once, again and again: each lead is told by exactly one email."""
    flood(6)
    for _ in range(3):
        tell()
        flood(4)
    worker.run()
    sent = subjects(server)
    gathered = sum(int(subject.split()[0]) * times for subject, times in sent.items() if "more" in subject)
    assert sent["New lead: Qualification"] + gathered == notifications(organization) == 18


def test_each_recipient_has_an_hour_of_their_own(organization, worker, server, flood, password_hash):
    organization.add("second", "admin", True, password_hash)
    flood(2, person=None)
    flood(2)
    worker.run()
    assert subjects(server) == {"New lead: Qualification": 2 + 2 + 2}


def test_somebody_who_has_lost_the_seat_gets_no_digest(organization, worker, server, flood, tell):
    flood(5)
    tell()
    organization.deactivate("member")
    worker.run()
    assert subjects(server) == {"New lead: Qualification": 3}
    assert worker.open() == []


def test_a_digest_that_is_delivered_again_sends_nothing_again(organization, worker, server, owner, flood):
    flood(5)
    worker.run()
    owner.execute("update app.outbox set done_at = null where organization_id = %s", (organization.id,))
    worker.run()
    assert subjects(server) == {"New lead: Qualification": 3, "2 more new leads": 1}
    assert notifications(organization) == 5
