"""A prospect answers an interview in a real browser."""

from playwright.sync_api import expect

from tests.forms.browsing import GIVEN, go_on, saved


def answer_you(page):
    for key in ("your_name", "work_email", "phone", "job_title", "company", "website"):
        page.locator(f"#f-{key}").fill(GIVEN[key])


def answer_needs(page):
    page.get_by_label("License Server, for your own data centre").check()
    page.get_by_label("Linux").check()
    page.get_by_label("Other", exact=True).check()
    page.locator("[name=platforms__other]").fill("Plan 9")
    page.get_by_label("Floating licenses").check()
    page.get_by_label("Usage reports").check()
    page.get_by_label("Yearly").check()
    page.locator("#f-seats").fill("1 500")
    for label in ("Security", "Fits our build and release tools", "Price"):
        page.get_by_role("button", name=label, exact=True).click()


def answer_plans(page):
    page.get_by_label("Yes", exact=True).check()
    page.locator("#f-competitors").fill("Difference Inc")
    page.get_by_label("This quarter").check()
    page.locator("#f-start_date").fill("2031-02-03")
    page.get_by_label("GDPR").check()
    page.get_by_label("None of these").check()
    page.locator("[data-question=fit]").get_by_label("2", exact=True).check()
    page.get_by_role("radiogroup", name="Setting it up").get_by_label("Happy", exact=True).check()
    page.get_by_role("radiogroup", name="Help when something breaks").get_by_label("Unhappy").check()


def answer_finish(page):
    page.locator("#f-notes").fill("Steam.")
    page.locator("#f-papers").set_input_files({"name": "tender.csv", "mimeType": "text/csv", "buffer": b"a,b"})
    go_on(page, "Upload")
    expect(page.locator(".files")).to_contain_text("tender.csv")
    page.get_by_label("Street and number").fill("12 St James's Square")
    page.get_by_label("Town or city").fill("London")
    page.get_by_role("combobox", name="Country").fill("united king")
    page.keyboard.press("Enter")
    page.get_by_role("checkbox").check()


NOTE_SAVES = """globalThis.saves = [];
const { fetch } = globalThis;
globalThis.fetch = (address, request) => {
  if (request?.method === "PATCH") saves.push(JSON.parse(request.body));
  return fetch(address, request);
};"""


def type_at_once(page, texts):
    """Type into several fields faster than any driver would one after the other."""
    page.evaluate(
        """texts => Object.entries(texts).forEach(([key, text]) => {
          const field = document.getElementById(`f-${key}`);
          field.value = text;
          field.dispatchEvent(new Event("input", { bubbles: true }));
        })""",
        texts,
    )


STEPS = (answer_you, answer_needs, answer_plans, answer_finish)


def test_the_whole_interview_by_mouse(site, page, invite, answers):
    page.goto(site.interview(invite))
    for answer in STEPS:
        answer(page)
        go_on(page)
    expect(page.get_by_text("Plan 9")).to_be_visible()
    go_on(page, "Send answers")
    expect(page.get_by_role("heading", name="Thank you")).to_be_visible()
    given = answers(invite)
    assert [file["filename"] for file in given.pop("papers")] == ["tender.csv"]
    assert given == GIVEN


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


def test_the_page_says_that_it_saves_while_one_types_only_where_it_does(site, open_context, invite):
    pages = [open_context(java_script_enabled=script).new_page() for script in (True, False)]
    for page, sentence in zip(pages, ("as you type", "each time you continue"), strict=True):
        page.goto(site.interview(invite))
        expect(page.locator("#save-state")).to_have_text(f"Your answers are saved {sentence}.")


def test_a_burst_of_changes_is_one_request(site, page, invite):
    page.add_init_script(NOTE_SAVES)  # what a request holds cannot be seen from outside of Firefox
    page.goto(site.interview(invite))
    texts = {key: GIVEN[key] for key in ("your_name", "work_email", "phone", "job_title", "company")}
    type_at_once(page, texts)
    saved(page)
    type_at_once(page, {"job_title": "Countess", "phone": ""})
    saved(page)
    assert page.evaluate("saves") == [{"answers": texts}, {"answers": {"job_title": "Countess", "phone": None}}]


def test_an_exclusive_option_stands_alone(site, page, invite, answers):
    page.goto(f"{site.interview(invite)}?step=plans")
    page.get_by_label("GDPR").check()
    page.get_by_label("None of these").check()
    expect(page.get_by_label("GDPR")).not_to_be_checked()
    page.get_by_label("SOC 2").check()
    expect(page.get_by_label("None of these")).not_to_be_checked()
    saved(page)
    assert answers(invite) == {"compliance": ["soc_2"]}
