"""The signer's page in browsers: typing, drawing, by keyboard, by touch, twice, and without a script."""

import pytest
from playwright.sync_api import expect

from tests.forms.accessible import PHONE
from tests.forms.browsing import eventually, go_on


@pytest.fixture
def request_made(requested):
    return requested(1, 1)


@pytest.fixture
def address(site, request_made, signing):
    return f"{site.url}/sign/{signing.link(request_made['signers'][0])}"


@pytest.fixture
def signed(evidence, request_made):
    """signed(): the kind and the text of each signature that was noted."""

    def read():
        found = evidence(request_made)
        signers = {signer["id"]: (signer["signature_kind"], signer["signature_text"]) for signer in found["signers"]}
        return [signers[event["signer_id"]] for event in found["events"] if event["event"] == "signed"]

    return read


def in_state(page, name):
    expect(page.locator("body")).to_have_attribute("data-state", name)


def draw(page):
    """Choose to draw, and draw a line with the mouse."""
    page.get_by_label("Draw your signature").check()
    canvas = page.locator("canvas")
    canvas.scroll_into_view_if_needed()
    box = canvas.bounding_box()
    page.mouse.move(box["x"] + 20, box["y"] + 60)
    page.mouse.down()
    for step in range(12):
        page.mouse.move(box["x"] + 20 + 10 * step, box["y"] + 60 + 20 * (step % 2))
    page.mouse.up()


def agree(page):
    page.get_by_role("checkbox").check()
    go_on(page, "Sign the contract")


def test_a_page_is_viewed_when_somebody_moves_on_it_and_signs_once(page, address, statuses, request_made, signed):
    page.goto(address, wait_until="networkidle")
    assert statuses(request_made) == ["sent", "sent"]
    page.mouse.move(40, 40, steps=2)
    eventually(page, lambda: statuses(request_made), ["viewed", "sent"])
    page.get_by_role("link", name="Go to the signature").click()
    page.get_by_label("Your full name").fill("Signer 0")
    agree(page)
    in_state(page, "signed")
    page.reload()
    page.go_back()
    page.goto(address)
    in_state(page, "signed")
    assert signed() == [("typed", "Signer 0")]


def test_a_drawing_is_cleared_drawn_again_kept_over_an_error_and_signs(page, address, signed):
    page.goto(address)
    draw(page)
    page.get_by_role("button", name="Clear the drawing").click()
    agree(page)
    expect(page.locator("#errors")).to_be_focused()
    expect(page.locator("#errors a")).to_have_text("Draw your signature, or choose “Type your name”.")
    draw(page)
    page.get_by_role("checkbox").uncheck()
    go_on(page, "Sign the contract")
    drawn = "document.querySelector('canvas').getContext('2d').getImageData(0, 0, 1200, 400).data.some(Boolean)"
    eventually(page, lambda: page.evaluate(drawn), True)
    agree(page)
    in_state(page, "signed")
    # Cropped to the ink of a canvas of 1,200 pixels.
    width = page.locator(".given img").evaluate("(image) => image.decode().then(() => image.naturalWidth)")
    assert 100 < width < 1200
    assert signed() == [("drawn", "Signer 0")]


def test_a_finger_draws_and_does_not_scroll(open_context, address, signed, browser):
    if browser.browser_type.name != "chromium":
        pytest.skip("its driver has no touch")
    page = open_context(**PHONE).new_page()
    page.goto(address)
    page.get_by_label("Draw your signature").check()
    page.locator("canvas").scroll_into_view_if_needed()
    box, before = page.locator("canvas").bounding_box(), page.evaluate("scrollY")
    touch = page.context.new_cdp_session(page)
    for kind, *points in (("touchStart", (30, 20)), ("touchMove", (60, 60)), ("touchMove", (90, 80)), ("touchEnd",)):
        places = [{"x": box["x"] + x, "y": box["y"] + y} for x, y in points]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": places})
    assert page.evaluate("scrollY") == before
    agree(page)
    in_state(page, "signed")
    assert signed() == [("drawn", "Signer 0")]


def test_the_keyboard_alone_signs(page, address, signed):
    page.goto(address)
    page.get_by_role("link", name="Go to the signature").focus()
    for key in ("Enter", "Tab", "Tab"):  # the kind, then the name
        page.keyboard.press(key)
    page.keyboard.type("Signer 0")
    for key in ("Tab", "Space", "Tab"):
        page.keyboard.press(key)
    with page.expect_navigation():
        page.keyboard.press("Enter")
    in_state(page, "signed")
    assert signed() == [("typed", "Signer 0")]


@pytest.mark.parametrize("script", [False])
def test_without_a_script_a_typed_name_signs(page, address, signed):
    page.goto(address)
    expect(page.get_by_text("Draw your signature")).to_be_hidden()
    page.get_by_label("Your full name").fill("Signer 0")
    go_on(page, "Sign the contract")
    expect(page.locator("#e-consent")).to_have_text("Tick the box to agree.")
    agree(page)
    in_state(page, "signed")
    assert signed() == [("typed", "Signer 0")]
