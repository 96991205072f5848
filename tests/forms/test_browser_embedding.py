"""A public form in a frame of another site, in a browser that enforces the form's policy."""

import pytest
from playwright.sync_api import expect

from tests.forms.accessible import violations
from tests.forms.browsing import eventually

PARTNER, STRANGER = "https://www.partner.example", "https://www.stranger.example"


@pytest.fixture
def said():
    """What the browser says of the page."""
    return []


@pytest.fixture
def embed(browser, site, evaluation, organization, said):
    """embed(origin): a page of that origin which shows the form in a frame, as docs/forms.md says.

    Chromium asks people before a site of the internet may reach this machine, where the form is.
    """
    organization.admin.patch(f"/api/interview-templates/{evaluation['id']}", {"embed_origins": [PARTNER]}, status=200)
    contexts = []

    def open_one(origin):
        contexts.append(
            browser.new_context(viewport={"width": 800, "height": 600}, permissions=["local-network-access"])
        )
        page = contexts[-1].new_page()
        page.on("console", lambda message: said.append(message.text))
        body = (
            "<!doctype html><title>Partner</title>"
            f'<iframe src="{site.capture(evaluation)}" title="Form" style="width: 100%; border: 0"></iframe>'
            f'<script src="{site.url}/forms/embed.js"></script>'
        )
        page.route(f"{origin}/**", lambda route: route.fulfill(body=body, content_type="text/html"))
        page.goto(f"{origin}/page")
        return page

    yield open_one
    for context in contexts:
        context.close()


def height(page):
    return page.locator("iframe").evaluate("frame => frame.getBoundingClientRect().height")


def click(found):
    """Click in the frame: an automated Firefox hands the mouse to no frame of another site."""
    found.evaluate("element => element.click()")


def test_a_listed_origin_shows_the_form_as_high_as_it_is_and_it_can_be_sent(embed, organization):
    page = embed(PARTNER)
    frame = page.frame_locator("iframe")
    expect(frame.locator("html.framed")).to_be_attached()
    click(frame.get_by_label("License Cloud"))
    shown = frame.locator("body")
    eventually(
        page, lambda: abs(height(page) - shown.evaluate("body => body.getBoundingClientRect().height")) < 2, True
    )
    assert height(page) > 400
    click(frame.get_by_role("button", name="Continue", exact=True))
    frame.get_by_label("First name").fill("Ada")
    frame.get_by_role("textbox", name="Email", exact=True).fill("ada@example.com")
    click(frame.get_by_label("You may write"))
    click(frame.get_by_role("button", name="Continue", exact=True))
    click(frame.get_by_role("button", name="Send"))
    expect(frame.get_by_role("heading", name="On its way")).to_be_visible()
    assert len(organization.member.get("/api/leads", status=200).json["data"]) == 1


def test_the_form_in_a_frame_can_be_used_by_everyone(embed):
    page = embed(PARTNER)
    expect(page.frame_locator("iframe").locator("html.framed")).to_be_attached()
    (frame,) = [frame for frame in page.frames if frame.parent_frame]
    assert violations(frame) == []


def test_a_page_of_another_origin_shows_nothing_of_it(embed, said, browser):
    page = embed(STRANGER)
    (frame,) = [frame for frame in page.frames if frame.parent_frame]
    refused = {"chromium": "chrome-error:", "firefox": "about:neterror?e=cspBlocked"}[browser.browser_type.name]
    eventually(page, lambda: frame.url.startswith(refused), True)
    if browser.browser_type.name == "chromium":
        assert any(f"frame-ancestors {PARTNER}" in message for message in said)


def test_the_height_is_believed_from_the_forms_origin_alone(embed):
    page = embed(STRANGER)
    before = height(page)
    page.evaluate("window.postMessage({formHeight: 4000, isNew: true}, '*')")
    page.evaluate("new Promise((done) => setTimeout(done, 0))")
    assert height(page) == before
