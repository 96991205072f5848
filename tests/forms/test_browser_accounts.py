import uuid

import pytest
from playwright.sync_api import expect

from pipeline.forms.translations import CATALOGUES
from tests.forms.accessible import faults, in_every_language, in_every_look
from tests.forms.browsing import go_on

STRONG = "violet harbour 7 lanterns"
LONG_WORD = "Donaudampfschifffahrtsgesellschaftskapitänswitwenrente"
EXPIRE = "update app.account_links set expires_at = now() where organization_id = %s"


@pytest.fixture
def invite(site, page, organization, post):
    def open_one(email, **body):
        organization.admin.post("/api/users", {"email": email, **body}, status=201)
        page.goto(site.url + post.path(organization))

    return open_one


@pytest.fixture
def invited(invite):
    """The page of a new person's invitation; the address is a long one."""
    invite(f"{uuid.uuid4().hex * 2}"[:60] + "@new.example", name="Kim")


@pytest.mark.long
@in_every_look
def test_an_invitation_is_for_everyone_until_it_is_accepted_declined_or_over(
    site, page, organization, new_organization, invite, invited, check
):
    check("activate")
    page.locator("#f-password").fill("Password123")
    go_on(page, "Accept the invitation")
    expect(page.locator("#errors")).to_be_focused()
    check("activate")
    page.locator("#f-password").fill(STRONG)
    go_on(page, "Accept the invitation")
    check("accepted")
    invite(f"member@{new_organization().name}.example")
    check("activate")
    go_on(page, "Decline")
    check("declined")
    invite(f"member@{new_organization().name}.example")
    organization.owner.execute(EXPIRE, [organization.id])
    page.reload()
    check("activate_expired")
    page.goto(f"{site.url}/forms/activate/{'0' * 64}")
    check("link_unknown")


@pytest.mark.long
@in_every_look
def test_a_new_password_is_for_everyone_from_asking_to_saving(site, own_site, page, organization, post, check):
    def ask():
        page.goto(f"{site.url}/forms/forgot")
        check("forgot")
        page.locator("#f-email").fill(f"member@{organization.name}.example")
        go_on(page, "Send the link")
        check("forgot_sent")
        page.goto(site.url + post.path(organization))
        check("reset")

    ask()
    organization.owner.execute(EXPIRE, [organization.id])
    page.reload()
    check("reset_expired")
    ask()
    page.locator("#f-password").fill(STRONG)
    go_on(page, "Save the password")
    check("reset_done")
    address = f"{own_site.url}/forms/forgot"
    assert {page.request.get(address).status for _ in range(61)} == {200, 429}
    page.goto(address)
    check("limited")


@pytest.mark.parametrize("width", ["phone"])
@in_every_language
def test_every_language_fits_a_phone(language, page, organization, owner, invited):
    owner.execute("update app.organizations set name = %s where id = %s", [LONG_WORD, organization.id])
    page.goto(f"{page.url.partition('?')[0]}?lang={language}")
    page.locator("#f-password").fill("Password123")
    with page.expect_navigation():
        page.locator("button.primary").click()
    expect(page.locator("html")).to_have_attribute("dir", CATALOGUES[language].direction)
    assert faults(page) == {}


def test_the_keyboard_alone_accepts_an_invitation(page, invited):
    page.locator("#f-name").focus()
    page.keyboard.press("Tab")
    page.keyboard.type(STRONG)
    with page.expect_navigation():
        page.keyboard.press("Enter")
    expect(page.locator("body")).to_have_attribute("data-state", "accepted")
