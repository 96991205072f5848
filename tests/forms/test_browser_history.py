import pytest
from playwright.sync_api import expect

from tests.forms.browsing import go_on, review

pytestmark = pytest.mark.parametrize("script", [True, pytest.param(False, marks=pytest.mark.browsers)])


def test_each_page_of_a_public_form_is_left_and_found_again(site, page, evaluation):
    review(page, site.capture(evaluation))
    expect(page.get_by_role("heading", level=1)).to_have_text("Check your answers")
    for _ in range(2):
        page.go_back()
        expect(page.locator("#f-first_name")).to_have_value("Ada")
        page.reload()
        expect(page.locator("#f-first_name")).to_have_value("Ada")
        expect(page.get_by_role("checkbox")).to_be_checked()
        page.go_back()
        expect(page.get_by_label("Embedded SDK")).to_be_checked()
        page.go_forward()
        expect(page.locator("#f-email")).to_have_value("ada@example.com")
        page.go_forward()
        expect(page.locator("body")).to_have_attribute("data-state", "review")
        page.reload()
        expect(page.locator("dd").first).to_have_text("Embedded SDK")


def test_after_the_submit_no_page_of_the_form_can_be_sent_again(site, page, evaluation, organization):
    review(page, site.capture(evaluation))
    go_on(page, "Send answers")
    done = page.locator("body[data-state=done]")
    for go in (page.reload, page.go_back, page.reload, page.go_forward):
        go()
        expect(done).to_be_visible()
    assert organization.admin.get("/api/leads").json["total"] == 1
