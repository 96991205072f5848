"""A form in another language, in a browser with the module."""

from playwright.sync_api import expect

from tests.forms.accessible import WIDTHS, faults
from tests.forms.browsing import eventually, go_on


def test_the_switch_takes_along_what_is_being_typed(site, open_context, invite, answers):
    page = open_context(**WIDTHS["phone"], locale="de-AT").new_page()
    page.goto(site.interview(invite))
    expect(page.get_by_role("heading", level=1)).to_have_text("Über Sie")
    page.get_by_label("Ihr Name").fill("Ada")
    assert faults(page) == {}
    go_on(page, "English")
    expect(page.get_by_label("Your name")).to_have_value("Ada")
    eventually(page, lambda: answers(invite), {"your_name": "Ada"})


def test_the_device_brings_no_consent_back_to_a_public_form(site, page, evaluation):
    page.goto(site.capture(evaluation))
    page.get_by_label("License Cloud").check()
    go_on(page)
    page.get_by_label("First name").fill("Ada")
    page.get_by_label("You may write").check()
    go_on(page, "Deutsch")
    expect(page.get_by_label("Vorname")).to_have_value("Ada")
    expect(page.get_by_label("Sie dürfen mir")).not_to_be_checked()
