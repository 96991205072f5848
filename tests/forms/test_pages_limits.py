from concurrent.futures import ThreadPoolExecutor

import pytest

from pipeline.http.fairness import limits
from tests.forms.paper import Paper
from tests.http.counting import used
from tests.interviews.language import question, template
from tests.support import wait_until_waiting

PERSON = {"first_name": "Ada", "email": "ada@example.com", "privacy": "yes"}


@pytest.fixture
def review(visit, evaluation):
    return visit(evaluation).fill(product_line="license-server").press().fill(**PERSON).press()


def test_beyond_the_limit_a_page_asks_to_wait_and_carries_what_was_typed(counting, organization, invite):
    path = f"/forms/interview/{invite['token']}"
    paper = Paper(counting, path).fill(your_name="Ada & <Co>")
    used(counting.app, limits.FORM_INVITE, limits.digest(invite["token"]), 297)
    assert '"form-invite";r=0' in paper.press("next", status=422).response.headers["RateLimit"]
    paper.fill(work_email="ada@example.com").press("next", status=429)
    assert int(paper.response.headers["Retry-After"]) > 0
    assert (paper.state, paper.value("work_email"), paper.value("_step")) == ("limited", "ada@example.com", "you")
    assert paper.text(".lead")[0].endswith("Please wait about 10 min and try again.")
    assert paper.text(".organization") == [organization.name]
    assert counting.get(path, status=429).html.select_one("main a")["href"] == ""
    other = organization.invite(organization.template(slug="other"))
    counting.get(f"/forms/interview/{other['token']}", status=303)  # of another prospect behind the same address


def test_an_address_has_a_limit_of_its_own_whatever_it_asks_for(counting, address):
    used(counting.app, limits.FORM_ADDRESS, address, 1999)
    counting.get("/forms/capture/any", status=404)
    assert counting.get("/forms/capture/any", status=429).html.select(".organization") == []


def test_a_save_by_the_page_does_not_count_as_a_call_of_the_api(counting, invite):
    saving = f"/forms/interview/{invite['token']}/answers"
    counting.patch_json(saving, {"answers": {"your_name": "Ada"}}, status=200)
    answer = counting.get(f"/api/public/interview/{invite['token']}", status=200)
    assert answer.headers["RateLimit"].startswith('"public-forms";r=99')
    assert answer.json["answers"] == {"your_name": "Ada"}


@pytest.mark.parametrize(
    ("headers", "body", "status", "code"),
    [
        ({"Sec-Fetch-Site": "cross-site"}, {"answers": {}}, 403, "forbidden"),
        ({"Content-Type": "text/plain"}, {"answers": {}}, 415, "unsupported_media_type"),
        ({}, {"answers": {"seats": "many"}}, 422, "validation_failed"),
    ],
)
def test_the_page_refuses_what_the_api_refuses(headers, body, status, code, anonymous, invite):
    saving = f"/forms/interview/{invite['token']}/answers"
    answer = anonymous.app.patch_json(saving, body, headers=headers, status=status)
    assert (answer.content_type, answer.json["code"]) == ("application/problem+json", code)
    assert answer.headers["Cache-Control"] == "no-store"


def test_sending_has_a_limit_of_its_own(counting, address, invite):
    path = f"/forms/interview/{invite['token']}"
    used(counting.app, limits.PUBLIC_SUBMITS, address, 19)
    for status in (422, 429):
        counting.post(path, {"_go": "submit", "_step": "check-answers"}, status=status)
    counting.get(path, status=303)


def test_a_double_click_makes_one_lead_and_thanks_twice(review, organization):
    address = review.path.partition("?")[0] + review.html.find("form")["action"]
    sent = dict(review.form_pairs("submit"))
    with ThreadPoolExecutor(4) as threads:
        answers = list(threads.map(lambda _: review.app.post(address, sent, headers=review.headers), range(4)))
    assert {answer.follow().html.body["data-state"] for answer in answers} == {"done"}
    assert review.press("step:needs").state == "done"  # with other answers under the same draft neither
    assert organization.member.get("/api/leads").json["total"] == 1


def test_a_click_that_waited_for_another_one_thanks_and_makes_no_lead(review, evaluation, organization, owner):
    sent = "update app.capture_drafts set submitted = true where template_id = %s"
    with ThreadPoolExecutor(1) as thread:
        with owner.transaction():
            owner.execute(sent, [evaluation["id"]])
            second = thread.submit(review.press, "submit")
            wait_until_waiting(owner)
        assert second.result().state == "done"
    assert organization.member.get("/api/leads").json["total"] == 0


def test_one_address_begins_fifty_drafts_in_ten_minutes_and_goes_on_with_each(counting, address, evaluation, owner):
    path = f"/forms/capture/{evaluation['public_slug']}"
    used(counting.app, limits.FORM_DRAFTS, address, 48)
    first = Paper(counting, path).fill(product_line="license-server").press()
    counting.post(path, {"_step": "needs"}, status=303)
    counting.post(path, {"_step": "needs"}, status=429)
    assert first.fill(first_name="Ada").press("back").press().value("first_name") == "Ada"
    (count,) = owner.execute("select count(*) from app.capture_drafts where template_id = %s", [evaluation["id"]])
    assert count == (2,)


def test_a_draft_takes_no_more_than_its_share_of_the_table(anonymous, organization, owner):
    keys = [f"q{number}" for number in range(60)]
    form = organization.public_form(**template(*(question(key, "long_text") for key in keys)))
    fields = [("_step", "one"), *((key, "x" * 5000) for key in keys), *(("_asked", key) for key in keys)]
    anonymous.app.post(f"/forms/capture/{form['public_slug']}", fields, status=413)
    assert owner.execute("select from app.capture_drafts where template_id = %s", [form["id"]]).fetchall() == []
