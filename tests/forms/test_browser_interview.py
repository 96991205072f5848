"""A prospect answers an interview in a real browser; the whole of it: test_browser_access.py."""

from playwright.sync_api import expect

from tests.forms.browsing import GIVEN, saved

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


def test_an_exclusive_option_gives_way_to_another(site, page, invite, answers):
    page.goto(f"{site.interview(invite)}?step=plans")
    page.get_by_label("None of these").check()
    page.get_by_label("SOC 2").check()
    expect(page.get_by_label("None of these")).not_to_be_checked()
    saved(page)
    assert answers(invite) == {"compliance": ["soc_2"]}
