from playwright.sync_api import expect

from tests.forms.accessible import faults
from tests.forms.browsing import GIVEN, go_on, saved
from tests.interviews.language import condition, question, template

NOTE_SAVES = """globalThis.saves = [];
const { fetch } = globalThis;
globalThis.fetch = (address, request) => {
  if (request?.method === "PATCH") saves.push(JSON.parse(request.body));
  return fetch(address, request);
};"""
# Faster than any driver would type one after the other.
TYPE_AT_ONCE = """texts => Object.entries(texts).forEach(([key, text]) => {
  const field = document.getElementById(`f-${key}`);
  field.value = text;
  field.dispatchEvent(new Event("input", { bubbles: true }));
})"""
RANKED = [{"value": value, "label": value.upper()} for value in "abc"]
DEFAULTS = template(
    question("later", default="Maybe"),
    question("seats", "number", default=5),
    question("many", "yes_no", label="{{seats}} seats?", default=True, visible_if=condition("seats", "gt", 3)),
    question("order", "ranking", options=RANKED, default=["c", "a"]),
    question("why", visible_if=condition("later", "empty")),
    pages=[{"key": "one", "questions": ["later"]}, {"key": "two", "questions": ["seats", "many", "order", "why"]}],
)
CLOUD = {"value": "a", "label": "Cloud for {{company}}"}
PIPED = template(
    question("company", label="Company?"),
    question("seats", "number", label="Seats for {{company|your company}}?"),
    question("product", "single_choice", label="Which of {{seats}}?", display="select", options=[CLOUD]),
    question("sso", "yes_no", label="SSO for {{product|it}}?", help="*For {{seats|some}} seats*"),
)
NASTY = "<b>Acme</b> {{seats}}"


def test_a_browser_that_shows_the_form_has_opened_it(organization, site, page, invite):
    with page.expect_response(lambda answer: answer.url.endswith("/opened")) as told:
        page.goto(site.interview(invite))
    assert told.value.status == 204
    record = organization.member.get(f"/api/interview-invites/{invite['id']}", status=200).json
    assert (record["opened_at"] is None, record["status"]) == (False, "pending")


def test_questions_come_and_go_with_the_answers_they_depend_on(site, page, invite):
    page.goto(f"{site.interview(invite)}?step=needs")
    expect(page.locator("#q-seats")).to_be_hidden()
    page.get_by_label("Embedded SDK, built into your devices").check()
    expect(page.locator("#q-units_per_year")).to_be_visible()
    expect(page.get_by_label("QNX")).to_be_visible()
    expect(page.get_by_label("macOS")).to_be_hidden()
    page.get_by_label("License Cloud, run by us").check()
    expect(page.locator("#q-seats")).to_be_visible()
    expect(page.locator("#q-units_per_year")).to_be_hidden()
    expect(page.locator("#q-platforms")).to_be_hidden()


def test_a_burst_of_changes_is_one_request(site, page, invite):
    page.add_init_script(NOTE_SAVES)  # what a request holds cannot be seen from outside of Firefox
    page.goto(site.interview(invite))
    texts = {key: GIVEN[key] for key in ("your_name", "work_email", "phone", "job_title", "company")}
    page.evaluate(TYPE_AT_ONCE, texts)
    saved(page)
    page.evaluate(TYPE_AT_ONCE, {"job_title": "Countess", "phone": ""})
    saved(page)
    assert page.evaluate("saves") == [{"answers": texts}, {"answers": {"job_title": "Countess", "phone": None}}]


def test_defaults_are_shown_and_count_for_the_page_they_stand_on_alone(site, page, organization, answers):
    invite = organization.invite(organization.template(**DEFAULTS))
    page.goto(f"{site.interview(invite)}?step=two")
    expect(page.locator("#q-many legend")).to_contain_text("5 seats?")
    expect(page.locator("#q-many").get_by_label("Yes")).to_be_checked()
    expect(page.locator(".ranked .name")).to_have_text(["1. C", "2. A"])
    expect(page.locator("#q-why")).to_be_visible()  # the default of page one is no answer yet
    assert faults(page) == {}
    page.locator("#f-why").fill("Growth")
    saved(page)
    assert answers(invite) == {"why": "Growth"}
    go_on(page)
    assert answers(invite) == {"seats": 5, "many": True, "order": ["c", "a"], "why": "Growth"}


def test_a_text_follows_the_answer_on_the_same_page_and_is_the_same_after_a_reload(site, page, organization):
    page.goto(site.interview(organization.invite(organization.template(**PIPED))))
    label = page.locator("label[for=f-seats]")
    expect(label).to_contain_text("Seats for your company?")
    page.locator("#f-company").fill(NASTY)
    expect(label).to_contain_text(f"Seats for {NASTY}?")
    page.locator("#f-seats").fill("1500")
    expect(page.locator("#q-sso em")).to_have_text("For 1,500 seats")
    page.get_by_role("combobox").click()
    page.get_by_role("option").first.click()
    expect(page.locator("#q-sso legend")).to_contain_text(f"SSO for Cloud for {NASTY}?")
    page.get_by_label("Yes").check()
    expect(page.get_by_role("button", name=f"Clear the answer to: SSO for Cloud for {NASTY}?")).to_be_visible()
    assert faults(page) == {}
    saved(page)
    live = page.locator("#form").inner_text()
    page.reload()
    assert page.locator("#form").inner_text() == live
    page.locator("#f-company").fill("")
    expect(label).to_contain_text("Seats for your company?")


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
    described = {"key": "one", "title": "One", "description": "Briefly:\n\n- at once", "questions": ["office"]}
    form = template(question("office", label="Office?"), pages=[described])
    made = organization.template(**form, translations={"ar": {"pages.one.title": "الأول"}})
    page.goto(site.interview(organization.invite(made)) + "?lang=ar")
    texts = ("h1 bdi", ".lead p", ".label bdi")
    assert len({page.locator(text).evaluate(RIGHT) for text in texts}) == 1
