import json
import re

import psycopg
import pytest
from playwright.sync_api import expect

from tests.forms.accessible import violations
from tests.forms.browsing import eventually, go_on, kept, retype, review, saved, state
from tests.interviews.language import question, template
from tests.support import interview

TEN = [f"question_{number}" for number in range(10)]
GIVEN = {key: f"answer to {key}" for key in TEN}


@pytest.fixture
def ten(organization):
    return organization.invite(organization.template(**template(*map(question, TEN))))


@pytest.mark.parametrize("closed", [False, True])
def test_ten_answers_given_offline_arrive_later_or_from_another_tab_and_leave_the_device(
    site, page, context, ten, answers, closed
):
    page.goto(site.interview(ten))
    context.set_offline(True)
    for key, text in GIVEN.items():
        page.locator(f"#f-{key}").fill(text)
    state(page, "offline")
    assert answers(ten) == {}
    assert kept(page) == {key: json.dumps(text) for key, text in GIVEN.items()}
    assert ten["token"] not in page.evaluate("JSON.stringify(localStorage)")
    if closed:
        page.close()
        page = context.new_page()
    context.set_offline(False)
    if closed:
        page.goto(f"{site.interview(ten)}?step=check-answers")
        expect(page.get_by_text("answer to question_9")).to_be_visible()
    eventually(page, lambda: (answers(ten), kept(page)), (GIVEN, {}))


def test_text_typed_when_an_invite_expires_stays_on_the_device_until_renewal(site, page, organization, ten, answers):
    page.goto(site.interview(ten))
    organization.expire_by_time(ten)
    page.locator("#f-question_0").fill("typed too late")
    expect(page.locator("body")).to_have_attribute("data-state", "expired")
    expect(page.locator("#device")).to_be_visible()
    assert violations(page) == []
    organization.member.post(f"/api/interview-invites/{ten['id']}/renew", {}, status=200)
    page.goto(site.interview(ten))
    expect(page.locator("#f-question_0")).to_have_value("typed too late")
    eventually(page, lambda: (answers(ten), kept(page)), ({"question_0": "typed too late"}, {}))


def test_two_tabs_that_answer_different_questions_lose_nothing_and_show_it_once_they_save(site, context, ten, answers):
    first, second = context.new_page(), context.new_page()
    first.goto(site.interview(ten))
    second.goto(site.interview(ten))
    first.locator("#f-question_0").fill("first")
    saved(first)
    second.locator("#f-question_1").fill("second")
    expect(second.locator("#f-question_0")).to_have_value("first")
    go_on(second)
    go_on(first)
    assert answers(ten) == {"question_0": "first", "question_1": "second"}


@pytest.mark.long
def test_a_server_killed_during_a_save_loses_nothing(own_site, page, ten, answers, organization, owner_url):
    page.goto(own_site.interview(ten))
    page.locator("#f-question_0").fill("shown as saved")
    saved(page)
    with psycopg.connect(owner_url) as blocking:
        blocking.execute("select from app.interview_invites where id = %s for update", [ten["id"]])
        with page.expect_request(lambda request: request.method == "PATCH"):
            page.locator("#f-question_1").fill("on its way")
        expect(page.locator("#save-state")).not_to_have_text(re.compile("^Saved"))
        own_site.kill()
    state(page, "offline")
    assert answers(ten) == {"question_0": "shown as saved"}
    page.locator("#f-question_2").fill("while it was down")
    own_site.start()
    saved(page)
    assert answers(ten) == {
        "question_0": "shown as saved",
        "question_1": "on its way",
        "question_2": "while it was down",
    }


@pytest.mark.browsers
def test_the_tab_that_typed_last_wins(site, context, ten, answers):
    first, second = context.new_page(), context.new_page()
    for tab in (first, second):
        tab.route("**", lambda route: route.abort() if route.request.method == "PATCH" else route.fallback())
    first.goto(site.interview(ten))
    first.locator("#f-question_0").fill("old")
    state(first, "offline")
    second.goto(site.interview(ten))  # finds "old" on the device
    first.locator("#f-question_0").fill("new")
    for tab in (first, second):
        tab.unroute("**")
    saved(first)
    eventually(second, lambda: kept(second), {})
    assert answers(ten) == {"question_0": "new"}


def test_an_answer_that_would_replace_a_valid_one_is_refused_at_its_field_in_the_pages_language_at_once(
    site, page, invite, answers
):
    page.goto(f"{site.interview(invite)}?step=you&lang=de")
    email, label = page.locator("#f-work_email"), "Ihre geschäftliche E-Mail-Adresse"
    email.fill("ada@example.com")
    state(page, "saved")
    retype(email, "ada@")
    page.locator("#f-company").fill("Engines")
    state(page, "failed")
    said = f"Bitte geben Sie für „{label}“ eine E-Mail-Adresse wie name@example.com ein."
    expect(page.locator("#e-work_email")).to_have_text(said)
    kept_back = f"Konnte nicht gespeichert werden, die frühere Antwort bleibt: {label}"
    expect(page.locator("#save-state")).to_have_text(kept_back)
    eventually(page, lambda: answers(invite), {"work_email": "ada@example.com", "company": "Engines"})
    go_on(page, "Weiter")
    expect(page.locator("#errors")).to_contain_text(label)
    state(page, "failed")
    expect(page.locator("#kept")).to_have_count(0)  # the state tells it
    assert answers(invite)["work_email"] == "ada@example.com"
    retype(email, "bob@example.com")
    state(page, "saved")
    expect(page.locator("#e-work_email")).to_have_count(0)
    expect(email).not_to_have_attribute("aria-invalid", "true")
    assert answers(invite)["work_email"] == "bob@example.com"


def test_an_interview_that_was_sent_elsewhere_says_so_and_shows_what_was_sent(site, page, ten, anonymous):
    page.goto(site.interview(ten))
    anonymous.post(interview(ten) + "/submit", {"answers": {"question_0": "sent"}}, status=200)
    page.locator("#f-question_1").fill("too late")
    state(page, "failed")
    expect(page.locator("body")).to_have_attribute("data-state", "submitted")
    assert kept(page) == {}


def test_a_spent_rate_limit_keeps_the_text_says_how_long_and_sends_it_later(site, page, ten, spent, answers):
    page.goto(site.interview(ten))
    with spent(ten["token"]):
        page.locator("#f-question_0").fill("patience")
        state(page, "waiting")
        expect(page.locator("#save-state")).to_have_text(re.compile(r"kept on this device.* 10 min"))
        assert answers(ten) == {}
    page.reload()
    saved(page)
    assert answers(ten) == {"question_0": "patience"}


def test_text_is_saved_when_the_tab_is_closed_at_once(site, page, ten, answers):
    page.goto(site.interview(ten))
    page.locator("#f-question_0").fill("and gone")
    page.goto("about:blank")
    eventually(page, lambda: answers(ten), {"question_0": "and gone"})


def test_typed_text_of_a_capture_form_survives_a_reload_and_leaves_the_device_when_sent(site, page, evaluation):
    page.goto(site.capture(evaluation))
    page.get_by_label("License Cloud").check()
    page.locator("#f-seats").fill("12")
    state(page, "kept")
    page.reload()
    expect(page.locator("#f-seats")).to_have_value("12")
    review(page, page.url)
    go_on(page, "Send answers")
    expect(page.get_by_role("heading", name="On its way")).to_be_visible()
    assert page.evaluate("sessionStorage.length") == 0


def test_where_the_browser_keeps_nothing_the_page_says_so_and_still_saves(site, page, context, ten, answers):
    denied = "get() { throw new DOMException('denied', 'SecurityError') }"
    page.add_init_script(f"Object.defineProperty(window, 'localStorage', {{ {denied} }})")
    page.goto(site.interview(ten))
    page.locator("#f-question_0").fill("one")
    saved(page)
    context.set_offline(True)
    page.locator("#f-question_1").fill("two")
    expect(page.locator("#save-state")).to_contain_text("leave this page open")
    context.set_offline(False)
    saved(page)
    assert answers(ten) == {"question_0": "one", "question_1": "two"}


def test_questions_may_be_called_like_anything_that_a_form_or_an_object_has(site, page, organization, answers):
    keys = ["elements", "dataset", "state", "step", "constructor", "asked", "action", "method"]
    invite = organization.invite(organization.template(**template(*map(question, keys))))
    page.goto(site.interview(invite))
    for key in keys:
        page.locator(f"#f-{key}").fill(f"my {key}")
    saved(page)
    page.locator("#f-state").fill("Bavaria")
    go_on(page)
    go_on(page, "Send answers")
    assert answers(invite) == {**{key: f"my {key}" for key in keys}, "state": "Bavaria"}


def test_the_form_goes_on_when_the_module_cannot_be_loaded(site, page, invite, answers):
    page.route("**/form.js", lambda route: route.abort())
    page.goto(f"{site.interview(invite)}?step=needs")
    page.get_by_label("License Cloud, run by us").check()
    go_on(page)
    expect(page.locator("#q-seats")).to_be_visible()
    assert answers(invite) == {"product_line": "license-cloud"}
