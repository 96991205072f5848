"""Accessibility of the signer's page and of /verify in every state: axe, targets, width, languages."""

import pytest
from playwright.sync_api import expect

from pipeline.signing.letters import letter
from pipeline.signing.pages.visit import CATALOGUES
from tests.forms.accessible import WIDTHS, faults, in_every_look
from tests.forms.browsing import go_on
from tests.signing.actions import end
from tests.signing.envelopes import changed, content, sealed, shown
from tests.signing.test_browser_signing import agree, draw
from tests.signing.test_emails import SIGNER

FILES = {"genuine": sealed, "changed": lambda: changed(sealed()), "foreign": lambda: shown(content())}
LONG_WORD = "Donaudampfschifffahrtsgesellschaftskapitänswitwenrente"
CONTENT = (
    '<h1 class="title">Licence</h1><ol class="clauses"><li><h2>Scope</h2><ol><li>The software.<ol><li>Copies</li>'
    "<li>Updates</li></ol></li></ol></li></ol><table><tr><th></th><th>A very long heading of a column</th>"
    "<th>Another long heading</th><th>A third one</th></tr><tr><td>1</td><td>2</td><td>3</td><td>4</td></tr></table>"
)
# Words that stand on several lines.
BROKEN = """() => [...document.querySelectorAll(".contract :is(th, td)")].flatMap(({ firstChild: text }) =>
  [...(text?.data ?? "").matchAll(/\\S+/g)].filter(({ 0: word, index }) => {
    const range = document.createRange();
    range.setStart(text, index);
    range.setEnd(text, index + word.length);
    return range.getClientRects().length > 1;
  }).map(({ 0: word }) => word))"""


@pytest.fixture
def page(open_context, width):
    return open_context(**WIDTHS[width]).new_page()


@pytest.fixture
def open_link(site, page, new_template, new_contract, request_signatures, signing):
    """open_link(*orders, **changes): the page of a request's first link; returns the request."""

    def visit(*orders, **changes):
        made = new_contract(template_id=new_template(name="Long", content=CONTENT)["id"], name=LONG_WORD)
        path = f"/api/contracts/{made['id']}/signature-requests"
        request = request_signatures(*orders, path=path, **changes)
        page.goto(f"{site.url}/sign/{signing.link(request['signers'][0])}")
        return request

    return visit


@pytest.fixture
def opened(open_link):
    open_link(message="Hello " + LONG_WORD)


@pytest.fixture
def empty(open_link, page):
    open_link()
    go_on(page, "Sign the contract")
    expect(page.locator("#errors")).to_be_focused()


@pytest.fixture
def drawing(open_link, page):
    """A drawn signature, not sent yet, and a reason to decline."""
    open_link()
    draw(page)
    page.get_by_text("I do not want to sign").click()


@pytest.fixture
def code(open_link, page):
    """A code was sent, and another one is given."""
    open_link(verify_email=True)
    go_on(page, "Send the code")
    page.get_by_label("Code").fill("12")
    go_on(page, "Open the contract")


@pytest.fixture
def signed(open_link, page):
    """Signed, while another person has not."""
    request = open_link(1, 1)
    page.get_by_label("Your full name").fill(LONG_WORD)
    agree(page)
    return request


@pytest.fixture
def completed(signed, page, owner):
    end(owner, signed, "completed")
    page.reload()


@pytest.fixture
def declined(open_link, page):
    open_link()
    page.get_by_text("I do not want to sign").click()
    page.get_by_label("Why do you decline?").fill(LONG_WORD)
    go_on(page, "Decline the contract")


@pytest.fixture
def limited(open_link, page, spent):
    """The rate limit of the link is spent."""
    open_link()
    token = page.url.rpartition("/")[2]
    with spent(token, at="127.0.0.1"):
        page.reload()


@pytest.fixture
def verify(site, page):
    """The check of a file, without a file."""
    page.goto(f"{site.url}/verify")
    go_on(page, "Check the file")
    expect(page.locator("#errors a")).to_have_text("Choose a PDF.")


@in_every_look
@pytest.mark.parametrize(
    ("name", "state"),
    [
        ("opened", "open"),
        ("empty", "open"),
        pytest.param("drawing", "open", marks=pytest.mark.long),
        *((name, name) for name in ("code", "completed", "limited", "verify")),
        *(pytest.param(name, name, marks=pytest.mark.long) for name in ("signed", "declined")),
    ],
)
def test_every_state_is_for_everyone(name, state, width, look, page, request):
    request.getfixturevalue(name)
    expect(page.locator("body")).to_have_attribute("data-state", state)
    assert faults(page) == {}


@pytest.mark.long
@in_every_look
@pytest.mark.parametrize(
    ("status", "state"), [("expired", "expired"), ("cancelled", "cancelled"), ("declined", "declined_other")]
)
def test_every_end_of_a_request_is_for_everyone(status, state, width, look, open_link, page, owner):
    end(owner, open_link(), status)
    page.reload()
    expect(page.locator("body")).to_have_attribute("data-state", state)
    assert faults(page) == {}


@pytest.mark.parametrize("width", ["phone"])
@pytest.mark.parametrize("state", FILES)
def test_every_answer_of_verify_is_for_everyone(state, width, site, page):
    page.goto(f"{site.url}/verify")
    file = {"name": "a.pdf", "mimeType": "application/pdf", "buffer": FILES[state]()}
    page.locator("#f-file").set_input_files(file)
    go_on(page, "Check the file")
    expect(page.locator("body")).to_have_attribute("data-state", state)
    assert faults(page) == {}


@pytest.mark.parametrize("width", ["phone"])
@pytest.mark.parametrize(
    "language", ["ar", *(pytest.param(one, marks=pytest.mark.long) for one in sorted(CATALOGUES.keys() - {"ar"}))]
)
def test_every_language_fits_a_phone(language, width, page, open_link, organization, owner):
    owner.execute("update app.organizations set name = %s where id = %s", [LONG_WORD, organization.id])
    open_link(language=language)
    with page.expect_navigation():
        page.locator("#form button.primary").click()
    expect(page.locator("html")).to_have_attribute("dir", CATALOGUES[language].direction)
    assert faults(page) == {}


@pytest.mark.parametrize("width", ["phone"])
def test_an_email_holds_a_long_name_and_a_message_of_another_script(width, page):
    signer = {**SIGNER, "organization": LONG_WORD, "message": "Call me.", "language": "ar", "status": "sent"}
    page.set_content(letter(signer, "sign", "https://sales.example").html)
    overflow = [page.locator(part).evaluate("(one) => one.scrollWidth - one.clientWidth") for part in ("html", ".card")]
    assert (overflow, page.get_by_text("Call me.").evaluate("(one) => getComputedStyle(one).direction")) == (
        [0, 0],
        "ltr",
    )


@pytest.mark.parametrize("width", ["phone"])
def test_no_word_of_a_table_is_broken(width, opened, page):
    assert page.evaluate(BROKEN) == []
