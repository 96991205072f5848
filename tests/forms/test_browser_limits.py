"""The page of a prospect beyond the rate limit."""

import re

import pytest
from playwright.sync_api import expect

from tests.forms.browsing import saved, spend_the_rate_limit, state


@pytest.mark.long
def test_a_spent_rate_limit_keeps_the_text_says_how_long_and_sends_it_later(own_site, page, invite, answers):
    page.goto(f"{own_site.interview(invite)}?step=finish")
    spend_the_rate_limit(page, own_site.interview(invite))
    page.locator("#f-notes").fill("patience")
    state(page, "waiting")
    expect(page.locator("#save-state")).to_have_text(re.compile(r"kept on this device.* 10 min"))
    assert answers(invite) == {}
    own_site.kill()
    own_site.start()  # it counts by itself here, and begins anew
    page.reload()
    saved(page)
    assert answers(invite) == {"notes": "patience"}
