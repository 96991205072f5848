"""Accessibility of every account page: desktop and phone, each language."""

import uuid

import pytest
from playwright.sync_api import expect

from pipeline.forms.texts import CATALOGUES
from tests.forms.accessible import WIDTHS, faults, in_every_language, in_every_look
from tests.forms.browsing import go_on

STRONG = "violet harbour 7 lanterns"
LONG_WORD = "Donaudampfschifffahrtsgesellschaftskapitänswitwenrente"


@pytest.fixture
def page(open_context, width):
    """A tab of this width."""
    return open_context(**WIDTHS[width]).new_page()


@pytest.fixture
def invited(site, page, organization, post):
    """The page of a new person's invitation; the address is a long one."""
    email = f"{uuid.uuid4().hex * 2}"[:60] + "@new.example"
    organization.admin.post("/api/users", {"email": email, "name": "Kim"}, status=201)
    page.goto(site.url + post.path(organization))


@pytest.fixture
def activate(invited):
    """Nothing done yet."""


@pytest.fixture
def known(site, page, organization, new_organization, post):
    """The page of an invitation of somebody who has an account."""
    email = f"member@{new_organization().name}.example"
    organization.admin.post("/api/users", {"email": email}, status=201)
    page.goto(site.url + post.path(organization))


@pytest.fixture
def weak(invited, page):
    """A password that is easy to guess."""
    page.locator("#f-password").fill("Password123")
    go_on(page, "Accept the invitation")
    expect(page.locator("#errors")).to_be_focused()


@pytest.fixture
def accepted(invited, page):
    """The invitation is accepted."""
    page.locator("#f-password").fill(STRONG)
    go_on(page, "Accept the invitation")


@pytest.fixture
def declined(invited, page):
    """The invitation is declined."""
    go_on(page, "Decline")


@pytest.fixture
def activate_expired(invited, page, organization, owner):
    """Its time is over."""
    owner.execute("update app.account_links set expires_at = now() where organization_id = %s", [organization.id])
    page.reload()


@pytest.fixture
def link_unknown(site, page):
    """No link at all."""
    page.goto(f"{site.url}/forms/activate/{'0' * 64}")


@pytest.fixture
def reset(site, page, organization, anonymous, post):
    """The page of a link for a new password."""
    anonymous.post("/api/auth/password/forgot", {"email": f"member@{organization.name}.example"}, status=202)
    page.goto(site.url + post.path(organization))


@pytest.fixture
def reset_done(reset, page):
    """A new password is set."""
    page.locator("#f-password").fill(STRONG)
    go_on(page, "Save the password")


@pytest.fixture
def reset_expired(reset, page, organization, owner):
    """Its time is over."""
    owner.execute("update app.account_links set expires_at = now() where organization_id = %s", [organization.id])
    page.reload()


@pytest.fixture
def forgot(site, page):
    """Asking for a link."""
    page.goto(f"{site.url}/forms/forgot")


@pytest.fixture
def forgot_sent(forgot, page):
    """A link is asked for."""
    page.locator("#f-email").fill("nobody@nowhere.example")
    go_on(page, "Send the link")


@pytest.fixture
def limited(own_site, page):
    """Too many looks at a link."""
    address = f"{own_site.url}/forms/forgot"
    assert {page.request.get(address).status for _ in range(61)} == {200, 429}
    page.goto(address)


@pytest.mark.long
@in_every_look
@pytest.mark.parametrize(
    "name",
    [
        "activate",
        "accepted",
        "declined",
        "activate_expired",
        "link_unknown",
        "reset",
        "reset_done",
        "reset_expired",
        "forgot",
        "forgot_sent",
        "limited",
    ],
)
def test_every_state_is_for_everyone(name, width, look, page, request):
    request.getfixturevalue(name)
    expect(page.locator("body")).to_have_attribute("data-state", name)
    assert faults(page) == {}


@pytest.mark.long
@in_every_look
@pytest.mark.parametrize("name", ["known", "weak"])
def test_what_is_asked_again_is_for_everyone_too(name, width, look, page, request):
    request.getfixturevalue(name)
    assert faults(page) == {}


@pytest.mark.parametrize("width", ["phone"])
@in_every_language
def test_every_language_fits_a_phone(language, width, page, organization, owner, invited):
    owner.execute("update app.organizations set name = %s where id = %s", [LONG_WORD, organization.id])
    page.goto(f"{page.url.partition('?')[0]}?lang={language}")
    page.locator("#f-password").fill("Password123")
    with page.expect_navigation():
        page.locator("button.primary").click()
    expect(page.locator("html")).to_have_attribute("dir", CATALOGUES[language].direction)
    assert faults(page) == {}


@pytest.mark.parametrize("width", ["desktop"])
def test_the_keyboard_alone_accepts_an_invitation(width, page, invited):
    page.locator("#f-name").focus()
    page.keyboard.press("Tab")
    page.keyboard.type(STRONG)
    with page.expect_navigation():
        page.keyboard.press("Enter")
    expect(page.locator("body")).to_have_attribute("data-state", "accepted")
