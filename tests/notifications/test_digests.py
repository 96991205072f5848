"""Beyond twenty captured leads in an hour a person gets one email for the rest of them, when the hour is over.

Most tests count to three instead.
"""

import dataclasses
import os
import signal
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from pipeline.accounts.notifications import digest
from tests.mail.delivery import raise_event
from tests.waiting import run_worker

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def three(monkeypatch):
    """Three emails an hour."""
    monkeypatch.setattr(digest, "SINGLE_EMAILS", 3)


@pytest.fixture
def template(organization):
    return organization.template()


@pytest.fixture
def flood(organization, worker, template):
    """flood(count): captured leads of the member, or of `person`, and their events."""

    def make(count, person="member", template=template):
        for _ in range(count):
            lead = organization.insert("leads", first_name="Pat", assigned_to=person and organization.users[person])
            raise_event(worker, "lead_captured", f"lead_captured:{lead}", lead_id=lead, template_id=template["id"])

    return make


@pytest.fixture
def tell(worker, owner):
    """tell(): deliver the events of leads alone, as while the hour runs."""

    def deliver():
        rows = owner.execute(
            """select id from app.outbox
               where organization_id = %s and event = 'lead_captured' and done_at is null order by id""",
            (worker.organization_id,),
        )
        with ThreadPoolExecutor(4) as threads:
            return list(threads.map(worker.deliver, [id for (id,) in rows]))

    return deliver


def subjects(server):
    """How often each subject was sent."""
    return Counter(message["Subject"] for message in server.messages)


def notifications(organization, person="member"):
    return getattr(organization, person).get("/api/notifications", status=200).json["total"]


def digests(owner, organization):
    """(whether it is done, minutes until it is due) of each digest."""
    return owner.execute(
        """select done_at is not null, round(extract(epoch from due_at - now()) / 60)::int from app.outbox
           where organization_id = %s and event = 'lead_digest' order by id""",
        (organization.id,),
    ).fetchall()


def test_what_is_beyond_twenty_is_told_in_one_email(organization, worker, server, flood):
    flood(22)
    worker.run()
    assert subjects(server) == {"New lead: Qualification": 20, "2 more new leads": 1}
    assert notifications(organization) == 22


@pytest.mark.usefixtures("three")
@pytest.mark.parametrize("app_url", ["https://crm.example", ""])
def test_the_digest_counts_by_form_and_leads_to_the_leads_of_the_application(
    organization, worker, server, flood, app_url
):
    worker.settings = dataclasses.replace(worker.settings, app_url=app_url)
    other = organization.template(name="Trade fair <b>", slug="fair")
    flood(3)
    flood(1)
    flood(2, template=other)
    worker.run()
    (message,) = (message for message in server.messages if message["Subject"] == "3 more new leads")
    text, html = (message.get_body([kind]).get_content() for kind in ("plain", "html"))
    assert text.index("- “Trade fair <b>”: 2") < text.index("- “Qualification”: 1")
    assert "Trade fair &lt;b&gt;" in html
    assert ("https://crm.example/leads" in text, "Open the leads" in text) == (bool(app_url), bool(app_url))
    assert "pipeline.example" not in text + html
    assert "Pat" not in text


@pytest.mark.usefixtures("three")
def test_the_digest_is_due_when_the_hour_is_over(organization, server, owner, flood, tell):
    flood(5)
    tell()
    assert digests(owner, organization) == [(False, 60)]


@pytest.mark.usefixtures("three")
def test_leads_that_come_at_once_are_counted_one_by_one(organization, worker, server, owner, flood, tell):
    flood(12)
    tell()
    gathered = "select count(*) from app.notifications where organization_id = %s and digest_at is not null"
    assert owner.execute(gathered, (organization.id,)).fetchone() == (9,)
    worker.run()
    assert subjects(server) == {"New lead: Qualification": 3, "9 more new leads": 1}


@pytest.mark.usefixtures("three")
def test_after_the_hour_leads_have_emails_of_their_own_again(organization, worker, server, owner, flood, tell):
    flood(5)
    tell()
    owner.execute(
        "update app.mail_hours set ends_at = now() - interval '1 second' where organization_id = %s", (organization.id,)
    )
    flood(2)
    worker.run()
    assert subjects(server) == {"New lead: Qualification": 5, "2 more new leads": 1}


@pytest.mark.usefixtures("three")
def test_a_digest_that_comes_early_begins_a_new_hour(organization, worker, server, owner, flood):
    flood(4)
    worker.run()
    flood(4)
    worker.run()
    assert subjects(server) == {"New lead: Qualification": 6, "1 more new lead": 2}
    assert [done for done, _ in digests(owner, organization)] == [True, True]


@pytest.mark.usefixtures("three")
def test_a_lead_that_is_told_while_the_digest_begins_is_in_it_or_after_it(organization, worker, server, flood):
    """The digest and more leads at once, again and again: each lead is told by exactly one email."""
    flood(6)
    for _ in range(3):
        ids = worker.open()
        with ThreadPoolExecutor(4) as threads:
            list(threads.map(worker.deliver, ids))
        flood(4)
    worker.run()
    sent = subjects(server)
    gathered = sum(int(subject.split()[0]) * times for subject, times in sent.items() if "more" in subject)
    assert sent["New lead: Qualification"] + gathered == notifications(organization) == 18


@pytest.mark.usefixtures("three")
def test_each_recipient_has_an_hour_of_their_own(organization, worker, server, flood, password_hash):
    organization.add("second", "admin", True, password_hash)
    flood(2, person=None)
    flood(2)
    worker.run()
    assert subjects(server) == {"New lead: Qualification": 2 + 2 + 2}


@pytest.mark.usefixtures("three")
def test_somebody_who_has_lost_the_seat_gets_no_digest(organization, worker, server, flood, tell):
    flood(5)
    tell()
    organization.deactivate("member")
    worker.run()
    assert subjects(server) == {"New lead: Qualification": 3}
    assert worker.open() == []


@pytest.mark.usefixtures("three")
def test_a_digest_that_is_delivered_again_sends_nothing_again(organization, worker, server, owner, flood):
    flood(5)
    worker.run()
    owner.execute("update app.outbox set done_at = null where organization_id = %s", (organization.id,))
    worker.run()
    assert subjects(server) == {"New lead: Qualification": 3, "2 more new leads": 1}
    assert notifications(organization) == 5


@pytest.mark.long
def test_workers_that_are_killed_tell_of_every_lead_once(organization, worker, flood, login_url):
    flood(24)
    environ = {
        **os.environ,
        "PIPELINE_CHAOS": "before_done:0.04,before_commit:0.02,after_commit:0.02",
        "DATABASE_URL": login_url("pipeline_jobs"),
        "JWT_SECRET": worker.settings.jwt_secret,
        "MAIL_TRANSPORT": "log",
        "PIPELINE_ENVIRONMENT": "production",
    }
    command = [sys.executable, "-m", "tests.mail.child", str(worker.organization_id)]
    for _ in range(2):
        killed = run_worker(command, organization.owner, env=environ, cwd=ROOT)
        assert killed.returncode in (0, -signal.SIGKILL)
    worker.run()
    kept = organization.owner.execute(
        "select split_part(subject, ' ', 1), count(*) from app.emails where organization_id = %s group by 1 order by 1",
        (organization.id,),
    ).fetchall()
    gathered = sum(int(word) * count for word, count in kept if word != "New")
    assert dict(kept)["New"] + gathered == notifications(organization) == 24
    assert worker.open() == []
