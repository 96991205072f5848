"""Accessibility of the signer's page and of /verify in every state: axe, targets, width, languages."""

import pytest
from playwright.sync_api import expect

from pipeline.signing.pages.visit import CATALOGUES
from pipeline.signing.tasks import letter
from tests.contracts.support import image_file, upload
from tests.forms.accessible import faults, in_every_look
from tests.forms.browsing import go_on
from tests.signing.conftest import end
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
def open_link(site, page, admin, new_template, new_contract, requested, signing):
    """open_link(*orders, **changes): the page of a request's first link; returns the request."""

    def visit(*orders, **changes):
        plan = image_file("PNG", (1500, 100))
        picture = upload(admin, "/api/pictures", plan, "plan.png", "picture", status=201).json
        text = f'{CONTENT}<p><img data-picture="{picture["id"]}" alt="Plan of the site"></p>'
        made = new_contract(template_id=new_template(name="Long", content=text)["id"], name=LONG_WORD)
        path = f"/api/contracts/{made['id']}/signature-requests"
        request = requested(*orders, path=path, **changes)
        page.goto(f"{site.url}/sign/{signing.link(request['signers'][0])}")
        return request

    return visit


@in_every_look
def test_a_contract_is_for_everyone_from_its_link_to_its_copy(open_link, page, owner, check):
    request = open_link(1, 1, message="Hello " + LONG_WORD)
    check("open")
    assert page.evaluate(BROKEN) == []
    assert page.locator(".contract img").evaluate("image => image.decode().then(() => image.naturalWidth)") == 1500
    go_on(page, "Sign the contract")
    expect(page.locator("#errors")).to_be_focused()
    check("open")
    page.get_by_label("Your full name").fill(LONG_WORD)
    agree(page)
    # The name is asked for once more.
    check("open")
    go_on(page, "Sign the contract")
    check("signed")
    end(owner, request, "completed")
    page.reload()
    check("completed")


@in_every_look
def test_a_consent_whose_text_has_changed_is_for_everyone(open_link, page, check):
    open_link()
    page.get_by_label("Your full name").fill("Signer 0")
    page.get_by_role("checkbox").evaluate("(box) => (box.value = '2020-01')")  # as a page of yesterday has it
    agree(page)
    expect(page.locator("#errors")).to_be_focused()
    expect(page.locator("#errors a")).to_contain_text("This text has changed")
    expect(page.get_by_role("checkbox")).not_to_be_checked()
    check("open")


@pytest.mark.long
@in_every_look
def test_a_drawing_and_a_refusal_are_for_everyone(open_link, page, check):
    open_link()
    draw(page)
    page.get_by_text("I do not want to sign").click()
    check("open")
    page.get_by_label("Why do you decline?").fill(LONG_WORD)
    go_on(page, "Decline the contract")
    check("declined")


@pytest.mark.long
@in_every_look
@pytest.mark.parametrize(
    ("status", "state"), [("expired", "expired"), ("cancelled", "cancelled"), ("declined", "declined_other")]
)
def test_every_end_of_a_request_is_for_everyone(status, state, open_link, page, owner, check):
    end(owner, open_link(), status)
    page.reload()
    check(state)


@in_every_look
def test_a_wrong_code_a_spent_limit_and_a_check_without_a_file_are_for_everyone(open_link, site, page, spent, check):
    open_link(verify_email=True)
    link = page.url
    go_on(page, "Send the code")
    page.get_by_label("Code").fill("12")
    go_on(page, "Open the contract")
    check("code")
    with spent(link.rpartition("/")[2], at="127.0.0.1"):
        page.goto(link)
    check("limited")
    page.goto(f"{site.url}/verify")
    go_on(page, "Check the file")
    expect(page.locator("#errors a")).to_have_text("Choose a PDF.")
    check("verify")


@pytest.mark.parametrize("width", ["phone"])
@pytest.mark.parametrize("state", FILES)
def test_every_answer_of_verify_is_for_everyone(state, site, page, check):
    page.goto(f"{site.url}/verify")
    file = {"name": "a.pdf", "mimeType": "application/pdf", "buffer": FILES[state]()}
    page.locator("#f-file").set_input_files(file)
    go_on(page, "Check the file")
    check(state)


@pytest.mark.parametrize("width", ["phone"])
@pytest.mark.parametrize(
    "language", ["ar", *(pytest.param(one, marks=pytest.mark.long) for one in sorted(CATALOGUES.keys() - {"ar"}))]
)
def test_every_language_fits_a_phone(language, page, open_link, organization, owner):
    owner.execute("update app.organizations set name = %s where id = %s", [LONG_WORD, organization.id])
    open_link(language=language)
    with page.expect_navigation():
        page.locator("#form button.primary").click()
    expect(page.locator("html")).to_have_attribute("dir", CATALOGUES[language].direction)
    assert faults(page) == {}


@pytest.mark.parametrize("width", ["phone"])
def test_an_email_holds_a_long_name_and_a_message_of_another_script(page):
    signer = {**SIGNER, "organization": LONG_WORD, "message": "Call me.", "language": "ar", "status": "sent"}
    page.set_content(letter(signer, "sign", "https://sales.example").html)
    overflow = [page.locator(part).evaluate("(one) => one.scrollWidth - one.clientWidth") for part in ("html", ".card")]
    assert overflow == [0, 0]
    assert page.get_by_text("Call me.").evaluate("(one) => getComputedStyle(one).direction") == "ltr"
