"""Default values in a real browser: it and the server treat them alike."""

import pytest
from playwright.sync_api import expect

from tests.forms.accessible import faults
from tests.forms.browsing import go_on, saved

OPTIONS = [{"value": value, "label": value.upper()} for value in "abc"]
QUESTIONS = [
    {"key": "seats", "type": "number", "label": "Seats?", "default": 5},
    {"key": "many", "type": "yes_no", "label": "{{seats}} seats?", "default": True,
     "visible_if": {"question": "seats", "op": "gt", "value": 3}},
    {"key": "order", "type": "ranking", "label": "Order?", "options": OPTIONS, "default": ["c", "a"]},
    {"key": "why", "type": "short_text", "label": "Why?", "visible_if": {"question": "later", "op": "empty"}},
]  # fmt: skip
LATER = {"key": "later", "type": "short_text", "label": "Later?", "default": "Maybe"}


@pytest.fixture
def invite(organization):
    """An invite to two pages of defaults."""
    pages = [
        {"key": "one", "questions": ["later"]},
        {"key": "two", "questions": [question["key"] for question in QUESTIONS]},
    ]
    return organization.invite(organization.template(questions=[LATER, *QUESTIONS], pages=pages))


def test_defaults_are_shown_and_count_for_the_page_they_stand_on_alone(site, page, invite, answers):
    page.goto(f"{site.interview(invite)}?step=two")
    expect(page.locator("#q-many legend")).to_contain_text("5 seats?")
    expect(page.locator("#q-many").get_by_label("Yes")).to_be_checked()
    expect(page.locator(".ranked .name")).to_have_text(["1. C", "2. A"])
    expect(page.locator("#q-why")).to_be_visible()  # the default of page one is no answer yet
    assert faults(page) == {}
    assert answers(invite) == {}
    go_on(page)
    assert answers(invite) == {"seats": 5, "many": True, "order": ["c", "a"]}


def test_a_default_that_is_cleared_while_typing_stays_cleared(site, page, invite, answers):
    page.goto(f"{site.interview(invite)}?step=two")
    page.locator("#f-seats").fill("")
    expect(page.locator("#q-many")).to_be_hidden()
    saved(page)
    page.reload()
    expect(page.locator("#f-seats")).to_have_value("")
    expect(page.locator("#q-many")).to_be_hidden()
    go_on(page)
    assert answers(invite) == {"order": ["c", "a"]}
