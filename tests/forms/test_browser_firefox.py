"""An interview from its first step to its end in Firefox, on a dark device. `make browsers` runs all journeys there."""

import pytest
from playwright.sync_api import expect

from tests.forms.accessible import violations
from tests.forms.browsing import GIVEN, go_on, launch
from tests.forms.test_browser_interview import STEPS


@pytest.fixture(scope="module")
def browser(playwright):
    """The system's Firefox, whatever --browser says."""
    with launch(playwright, "firefox") as browser:
        yield browser


@pytest.mark.long
def test_the_whole_interview_in_firefox(site, page, invite, answers):
    page.goto(site.interview(invite))
    assert page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")
    for answer in STEPS:
        answer(page)
        go_on(page)
    assert violations(page) == []
    go_on(page, "Send answers")
    expect(page.get_by_role("heading", name="Thank you")).to_be_visible()
    given = answers(invite)
    assert [file["filename"] for file in given.pop("papers")] == ["tender.csv"]
    assert given == GIVEN
