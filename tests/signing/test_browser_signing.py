"""The signer's page in browsers: typing, drawing, by keyboard, by touch, twice, and without a script."""

import pytest
from playwright.sync_api import expect

from tests.forms.accessible import PHONE
from tests.forms.browsing import eventually, go_on
from tests.signing.conftest import path_of
from tests.signing.paths import code_in


@pytest.fixture
def request_made(request_signatures):
    """A request for two signatures in parallel."""
    return request_signatures(1, 1)


@pytest.fixture
def address(site, request_made, signing):
    """The address of the first signer's page."""
    return f"{site.url}/sign/{signing.link(request_made['signers'][0])}"


@pytest.fixture
def statuses(member, request_made):
    """statuses(): the states of the signers."""
    return lambda: [signer["status"] for signer in member.get(path_of(request_made)).json["signers"]]


@pytest.fixture
def signed(owner, request_made):
    """signed(): the kind and the text of each signature, and how often one was noted."""

    def read():
        rows = "select signature_kind, signature_text from app.signature_signers where signed_at is not null"
        notes = "select count(*) from app.signature_events where event = 'signed'"
        of_request = " and request_id = %s"
        found = owner.execute(rows + of_request, [request_made["id"]]).fetchall()
        return found, owner.execute(notes + of_request, [request_made["id"]]).fetchone()[0]

    return read


def in_state(page, name):
    """Wait for a state of the page."""
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


def test_a_typed_name_signs_once_whatever_reload_and_back_do(open_context, address, statuses, signed):
    page = open_context().new_page()
    page.goto(address)
    page.mouse.move(40, 40)
    eventually(page, statuses, ["viewed", "sent"])
    page.get_by_role("link", name="Go to the signature").click()
    page.get_by_label("Your full name").fill("Pat Prospect")
    page.get_by_role("checkbox").check()
    go_on(page, "Sign the contract")
    in_state(page, "signed")
    page.reload()
    page.go_back()
    page.goto(address)
    in_state(page, "signed")
    assert (statuses(), signed()) == (["signed", "sent"], ([("typed", "Pat Prospect")], 1))


def test_a_double_click_signs_once(open_context, address, signed):
    page = open_context().new_page()
    page.goto(address)
    page.get_by_label("Your full name").fill("Pat Prospect")
    page.get_by_role("checkbox").check()
    with page.expect_navigation():
        page.get_by_role("button", name="Sign the contract").dblclick()
    in_state(page, "signed")
    assert signed() == ([("typed", "Pat Prospect")], 1)


def test_a_drawing_is_cleared_drawn_again_kept_over_an_error_and_signs(open_context, address, signed):
    page = open_context().new_page()
    page.goto(address)
    draw(page)
    page.get_by_role("button", name="Clear the drawing").click()
    page.get_by_role("checkbox").check()
    go_on(page, "Sign the contract")
    expect(page.locator("#errors")).to_be_focused()
    expect(page.locator("#errors a")).to_have_text("Draw your signature, or choose “Type your name”.")
    draw(page)
    page.get_by_role("checkbox").uncheck()
    go_on(page, "Sign the contract")
    drawn = "document.querySelector('canvas').getContext('2d').getImageData(0, 0, 1200, 400).data.some(Boolean)"
    eventually(page, lambda: page.evaluate(drawn), True)
    page.get_by_role("checkbox").check()
    go_on(page, "Sign the contract")
    in_state(page, "signed")
    assert page.locator(".given img").evaluate("(image) => image.decode().then(() => image.naturalWidth)") == 1200
    assert signed() == ([("drawn", "Signer 0")], 1)


def test_a_finger_draws_and_does_not_scroll(open_context, address, signed):
    page = open_context(**PHONE).new_page()
    page.goto(address)
    page.get_by_label("Draw your signature").check()
    page.locator("canvas").scroll_into_view_if_needed()
    box, before = page.locator("canvas").bounding_box(), page.evaluate("scrollY")
    touch = page.context.new_cdp_session(page)
    for kind, points in (
        ("touchStart", [(30, 20)]),
        ("touchMove", [(60, 60)]),
        ("touchMove", [(90, 80)]),
        ("touchEnd", []),
    ):
        places = [{"x": box["x"] + x, "y": box["y"] + y} for x, y in points]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": places})
    assert page.evaluate("scrollY") == before
    page.get_by_role("checkbox").check()
    go_on(page, "Sign the contract")
    in_state(page, "signed")
    assert signed()[0] == [("drawn", "Signer 0")]


def test_the_keyboard_alone_signs(open_context, address, signed):
    page = open_context().new_page()
    page.goto(address)
    page.get_by_role("link", name="Go to the signature").focus()
    page.keyboard.press("Enter")
    for key in ("Tab", "Tab"):  # the kind, then the name
        page.keyboard.press(key)
    page.keyboard.type("Pat Prospect")
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    page.keyboard.press("Tab")
    with page.expect_navigation():
        page.keyboard.press("Enter")
    in_state(page, "signed")
    assert signed()[0] == [("typed", "Pat Prospect")]


def test_without_a_script_a_typed_name_signs(open_context, address, statuses, signed):
    page = open_context(java_script_enabled=False).new_page()
    page.goto(address)
    expect(page.get_by_text("Draw your signature")).to_be_hidden()
    page.get_by_label("Your full name").fill("Pat Prospect")
    go_on(page, "Sign the contract")
    expect(page.locator("#e-consent")).to_have_text("Tick the box to agree.")
    page.get_by_role("checkbox").check()
    go_on(page, "Sign the contract")
    in_state(page, "signed")
    assert (statuses(), signed()[0]) == (["signed", "sent"], [("typed", "Pat Prospect")])


@pytest.mark.long
def test_without_a_script_a_signer_declines(open_context, address, statuses):
    page = open_context(java_script_enabled=False).new_page()
    page.goto(address)
    page.get_by_text("I do not want to sign").click()
    page.get_by_label("Why do you decline?").fill("Too expensive")
    go_on(page, "Decline the contract")
    in_state(page, "declined")
    assert statuses() == ["declined", "sent"]


def test_a_page_that_nobody_moves_on_reports_no_view(open_context, address, statuses):
    page = open_context().new_page()
    page.goto(address, wait_until="networkidle")
    assert statuses() == ["sent", "sent"]


@pytest.mark.parametrize("script", [True, pytest.param(False, marks=pytest.mark.long)])
def test_a_code_opens_the_browser_that_asked_for_it(
    open_context, site, request_signatures, signing, post, organization, script
):
    address = f"{site.url}/sign/{signing.link(request_signatures(verify_email=True)['signers'][0])}"
    page, other = (open_context(java_script_enabled=script).new_page() for _ in range(2))
    page.goto(address)
    go_on(page, "Send the code")
    page.get_by_label("Code").fill(code_in(post.deliver(organization)[-1]))
    go_on(page, "Open the contract")
    in_state(page, "open")
    page.reload()
    in_state(page, "open")
    other.goto(address)
    in_state(other, "code")
