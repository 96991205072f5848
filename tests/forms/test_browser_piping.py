"""Answers in texts of the same page while they are typed."""

import pytest
from playwright.sync_api import expect

from tests.forms.accessible import faults
from tests.forms.browsing import go_on, state

QUESTIONS = [
    {"key": "company", "type": "short_text", "label": "Company?"},
    {"key": "seats", "type": "number", "label": "Seats for {{company|your company}}?"},
    {"key": "product", "type": "single_choice", "label": "Which of {{seats}}?", "display": "select", "options": [
        {"value": "a", "label": "Cloud for {{company}}"}, {"value": "b", "label": "Server"}]},
    {"key": "sso", "type": "yes_no", "label": "SSO for {{product|it}}?", "help": "*For {{seats|some}} seats*"},
]  # fmt: skip
NASTY = "<b>Acme</b> {{seats}}"


@pytest.fixture
def address(organization, site):
    pages = [{"key": "one", "title": "You", "questions": [question["key"] for question in QUESTIONS]}]
    german = {"questions.seats.label": "Plätze für {{company|Sie}}?"}
    template = organization.template(questions=QUESTIONS, pages=pages, translations={"de": german, "ar": {}})
    return site.interview(organization.invite(template))


def test_a_text_follows_the_answer_on_the_same_page(address, page):
    page.goto(address)
    label = page.locator("label[for=f-seats]")
    expect(label).to_contain_text("Seats for your company?")
    page.locator("#f-company").fill(NASTY)
    expect(label).to_contain_text(f"Seats for {NASTY}?")
    page.locator("#f-seats").fill("1500")
    expect(page.locator("#q-sso em")).to_have_text("For 1,500 seats")
    page.get_by_role("combobox").click()
    page.get_by_role("option").first.click()
    expect(page.locator("#q-sso legend")).to_contain_text(f"SSO for Cloud for {NASTY}?")
    page.get_by_label("Yes").check()
    expect(page.get_by_role("button", name=f"Clear the answer to: SSO for Cloud for {NASTY}?")).to_be_visible()
    assert faults(page) == {}
    page.locator("#f-company").fill("")
    expect(label).to_contain_text("Seats for your company?")


def test_what_the_page_says_is_what_the_server_says_of_it_after_a_reload(address, page):
    page.goto(f"{address}?lang=de")
    page.locator("#f-company").fill(NASTY)
    page.locator("#f-seats").fill("1500")
    state(page, "saved")
    live = page.locator("#form").inner_text()
    page.reload()
    assert page.locator("#form").inner_text() == live
    go_on(page, "Weiter")
    expect(page.locator("dt").nth(1)).to_have_text(f"Plätze für {NASTY}?")
