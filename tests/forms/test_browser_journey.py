"""A prospect's whole way through a public form with all features."""

import json
import re

import pytest
from playwright.sync_api import expect

from tests.forms.accessible import WIDTHS, faults
from tests.forms.browsing import go_on
from tests.forms.conftest import DATA
from tests.forms.test_copies import text_of

LINK = re.compile(r"https://pipeline\.example(/forms/interview/[0-9a-f]{64})")


@pytest.fixture
def offer(organization):
    """The demo's public form in English and German, which keeps where its visitors come from and offers a copy."""
    form = json.loads((DATA / "software_evaluation.json").read_text())
    form["thank_you"]["send_copy"] = True
    return organization.template(**{**form, "public_slug": organization.name, "hidden_fields": ["utm_source"]})


def test_a_german_prospect_follows_an_advertisement_goes_on_later_and_gets_a_copy(
    site, open_context, organization, offer, post
):
    desk = open_context(locale="de-DE").new_page()
    desk.goto(f"{site.capture(offer)}?utm_source=messe&q.product_line=license-cloud&q.seats=25")
    expect(desk.get_by_role("heading", level=1)).to_have_text("Ausprobieren")
    expect(desk.get_by_label("Für wie viele Personen?")).to_have_value("25")
    go_on(desk, "Weiter")
    desk.get_by_label("Vorname").fill("Ada")
    desk.get_by_text("Später weitermachen").click()
    desk.get_by_label("E-Mail-Adresse").fill("ada@prospect.example")
    go_on(desk, "Meinen Link mailen")
    expect(desk.get_by_role("heading", level=1)).to_have_text("Ihr Link ist unterwegs")

    (message,) = post.deliver(organization)
    assert (message["To"], message["Subject"]) == ("ada@prospect.example", "Ihr Link: Software testen")
    phone = open_context(**WIDTHS["phone"], locale="en-GB").new_page()
    phone.goto(site.url + LINK.search(message.get_body(["plain"]).get_content())[1])
    expect(phone.get_by_role("heading", level=1)).to_have_text("Wohin dürfen wir sie schicken?")
    expect(phone.get_by_label("Vorname")).to_have_value("Ada")
    phone.get_by_label("E-Mail").fill("ada@prospect.example")
    phone.get_by_label("Sie dürfen mir").check()
    go_on(phone, "Weiter")
    phone.get_by_label("Mir eine Kopie").check()
    assert faults(phone) == {}
    go_on(phone, "Antworten senden")
    expect(phone.get_by_role("heading", level=1)).to_have_text("Schon unterwegs")

    (copied,) = [sent for sent in post.deliver(organization) if sent["To"] == "ada@prospect.example"]
    assert copied["Subject"] == "Ihre Antworten: Software testen"
    assert "Für wie viele Personen? 25" in text_of(copied)
    (invite,) = organization.member.get("/api/interview-invites", status=200).json["data"]
    read = organization.member.get(f"/api/interview-invites/{invite['id']}/responses", status=200).json
    assert (read["hidden_fields"], read["copy_error"]) == ({"utm_source": "messe"}, None)
    assert read["consents"][0]["text"] == "Sie dürfen mir zu diesem Test schreiben."
    lead = organization.member.get(f"/api/leads/{invite['lead_id']}", status=200).json
    assert (lead["first_name"], lead["source"], lead["status"]) == ("Ada", "interview", "new")
