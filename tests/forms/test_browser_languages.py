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


# The right edge of the letters of an element, not of its box.
RIGHT = """element => {
  const range = document.createRange();
  range.selectNodeContents(element);
  return Math.round(range.getBoundingClientRect().right);
}"""


def test_on_an_arabic_page_what_is_not_translated_stands_on_the_right_too(site, page, organization):
    options = [{"value": f"o{number}", "label": f"Office {number}"} for number in range(13)]
    question = {"key": "office", "type": "single_choice", "label": "Office?", "options": options}
    described = {"key": "one", "title": "One", "description": "Briefly:\n\n- at once", "questions": ["office"]}
    words = {"pages.one.title": "الأول"}
    template = organization.template(questions=[question], pages=[described], translations={"ar": words})
    page.goto(site.interview(organization.invite(template)) + "?lang=ar")
    texts = ("h1 bdi", ".lead p", ".label bdi")
    assert len({page.locator(text).evaluate(RIGHT) for text in texts}) == 1
    # The arrow of the list stands on the left, where no letter may come.
    picker = page.get_by_role("combobox")
    assert picker.evaluate("field => [getComputedStyle(field).paddingLeft, getComputedStyle(field).textAlign]") == [
        "35.2px",
        "right",
    ]
