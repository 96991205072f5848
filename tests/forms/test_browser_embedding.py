import pytest
from playwright.sync_api import expect

from tests.forms.accessible import violations
from tests.forms.browsing import eventually

PARTNER, STRANGER = "https://www.partner.example", "https://www.stranger.example"


@pytest.fixture
def embed(browser, site, evaluation, organization):
    """embed(origin): a page of that origin which shows the form in a frame, as docs/forms.md says, or without `script`.

    Chromium asks people before a site of the internet may reach this machine, where the form is.
    """
    organization.admin.patch(f"/api/interview-templates/{evaluation['id']}", {"embed_origins": [PARTNER]}, status=200)
    frame = (
        "<!doctype html><title>Partner</title>"
        f'<iframe src="{site.capture(evaluation)}" title="Form" style="width: 100%; height: 900px; border: 0"></iframe>'
    )

    def open_one(origin, script=True):
        body = frame + (f'<script src="{site.url}/forms/embed.js"></script>' if script else "")
        page = browser.new_page(viewport={"width": 800, "height": 600}, permissions=["local-network-access"])
        page.route(f"{origin}/**", lambda route: route.fulfill(body=body, content_type="text/html"))
        page.goto(f"{origin}/page")
        return page

    return open_one


def height(page):
    return page.locator("iframe").evaluate("frame => frame.getBoundingClientRect().height")


def click(found):
    """Click in the frame: an automated Firefox hands the mouse to no frame of another site."""
    found.evaluate("element => element.click()")


def test_a_listed_origin_shows_the_form_as_high_as_it_is_and_it_can_be_sent(embed, organization):
    page = embed(PARTNER)
    frame = page.frame_locator("iframe")
    expect(frame.locator("html.framed")).to_be_attached()
    assert violations(page.frames[-1]) == []
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


def test_after_a_reload_of_the_host_page_the_form_goes_on_until_it_is_sent(embed):
    page = embed(PARTNER)
    frame = page.frame_locator("iframe")
    click(frame.get_by_label("License Cloud"))
    click(frame.get_by_role("button", name="Continue", exact=True))
    expect(frame.get_by_label("First name")).to_be_visible()
    eventually(page, lambda: page.evaluate("sessionStorage.length"), 1)
    page.reload()
    expect(frame.get_by_label("First name")).to_be_visible()
    frame.get_by_label("First name").fill("Ada")
    frame.get_by_role("textbox", name="Email", exact=True).fill("ada@example.com")
    click(frame.get_by_label("You may write"))
    click(frame.get_by_role("button", name="Continue", exact=True))
    click(frame.get_by_role("button", name="Send"))
    expect(frame.get_by_role("heading", name="On its way")).to_be_visible()
    eventually(page, lambda: page.evaluate("sessionStorage.length"), 0)


def test_without_our_script_a_hint_on_the_screen_leads_to_a_tab_that_keeps_the_answers(embed):
    page = embed(PARTNER, script=False)
    frame = page.frame_locator("iframe")
    hint = frame.locator("#unkept")
    expect(hint).to_be_visible()
    expect(hint).to_be_in_viewport()
    assert violations(page.frames[-1]) == []
    click(frame.get_by_label("License Cloud"))
    click(frame.get_by_role("button", name="Continue", exact=True))
    expect(frame.get_by_label("First name")).to_be_visible()
    with page.context.expect_page() as opened:
        click(hint.get_by_role("link"))
    expect(opened.value.get_by_label("First name")).to_be_visible()
    opened.value.reload()
    expect(opened.value.get_by_label("First name")).to_be_visible()


def test_with_our_script_no_hint_appears(embed):
    page = embed(PARTNER)
    page.clock.install()
    page.reload()
    frame = page.frame_locator("iframe")
    expect(frame.locator("html.framed")).to_be_attached()
    eventually(page, lambda: height(page) == 900, False)
    # Longer than the form waits for the script.
    page.clock.fast_forward(10_000)
    expect(frame.locator("#unkept")).to_be_hidden()


def test_a_page_of_another_origin_shows_nothing_of_it_and_believes_the_height_from_the_forms_alone(embed, browser):
    page = embed(STRANGER)
    before = height(page)
    (frame,) = [frame for frame in page.frames if frame.parent_frame]
    refused = {"chromium": "chrome-error:", "firefox": "about:neterror?e=cspBlocked"}[browser.browser_type.name]
    eventually(page, lambda: frame.url.startswith(refused), True)
    page.evaluate("window.postMessage({formHeight: 4000, isNew: true}, '*')")
    page.evaluate("new Promise((done) => setTimeout(done, 0))")
    assert height(page) == before
