"""Accessibility of a rep's page: both directions, desktop and phone."""

import pytest
from playwright.sync_api import expect

from pipeline.http.callers.signed_links import answers_url
from tests.forms.accessible import WIDTHS, faults, in_every_look
from tests.forms.browsing import COMPLETE
from tests.support import interview


@pytest.mark.browsers
@in_every_look
def test_the_answers_are_for_everyone(width, look, site, settings, open_context, organization, invite, anonymous):
    answers = {**COMPLETE, "evaluating_others": True}
    anonymous.post(interview(invite) + "/submit", {"answers": answers}, status=200)
    address = answers_url(settings, organization.id, invite["id"], organization.users["member"])
    page = open_context(**WIDTHS[width]).new_page()
    language = "ar" if width == "phone" else "en"
    page.goto(address.replace(settings.public_url, site.url) + f"?lang={language}")
    expect(page.locator("body")).to_have_attribute("data-state", "answers")
    expect(page.locator("dd").filter(has_text="ada@example.com").first).to_be_visible()
    assert faults(page) == {}
