"""The pages under the public limits, and the double click."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from webtest import TestApp

from pipeline import make_app
from tests.forms.paper import Paper

PERSON = {"first_name": "Ada", "email": "ada@example.com", "privacy": "yes"}


@pytest.fixture
def counting(settings):
    """A client of an application that counts for real, by itself."""
    app = make_app(replace(settings, rate_limit_factor=1, redis_url="redis://127.0.0.1:1/0", database_pool=2))
    yield TestApp(app, extra_environ={"REMOTE_ADDR": "10.0.0.1"})
    for part in (app.registry.app, app.registry.forms, app.registry.limits):
        part.close()


@pytest.fixture
def review(anonymous, evaluation):
    """The review of the demo's public form."""
    paper = Paper(anonymous.app, f"/forms/capture/{evaluation['public_slug']}")
    return paper.fill(product_line="license-server").press().fill(**PERSON).press()


def submit(review):
    """What the server answers to the review's form."""
    return review.app.post(review.path, dict(review.form_pairs("submit")), headers=review.headers)


def test_beyond_the_limit_a_page_asks_to_wait_and_carries_what_was_typed(counting, invite):
    path = f"/forms/interview/{invite['token']}"
    paper = Paper(counting, path).fill(your_name="Ada & <Co>")
    for _ in range(98):
        counting.get(path, status=200)
    assert paper.press("next", status=422).response.headers["RateLimit"].startswith('"public-forms";r=0')
    paper.fill(work_email="ada@example.com").press("next", status=429)
    assert int(paper.response.headers["Retry-After"]) > 0
    assert (paper.state, paper.value("work_email"), paper.value("_step")) == ("limited", "ada@example.com", "you")
    assert counting.get(path, status=429).html.select_one("main a")["href"] == ""


def test_sending_has_a_limit_of_its_own(counting, invite):
    path = f"/forms/interview/{invite['token']}"
    for _ in range(20):
        counting.post(path, {"_go": "submit", "_step": "check-answers"}, status=422)
    counting.post(path, {"_go": "submit", "_step": "check-answers"}, status=429)
    counting.get(path, status=200)


def test_a_double_click_makes_one_lead_and_thanks_twice(review, organization):
    with ThreadPoolExecutor(4) as threads:
        answers = list(threads.map(lambda _: submit(review), range(4)))
    assert {answer.html.body["data-state"] for answer in answers} == {"done"}
    assert organization.member.get("/api/leads").json["total"] == 1


def test_other_answers_under_the_same_form_are_not_sent_silently(review, organization):
    submit(review)
    review.press("step:needs").fill(product_line="embedded-sdk").press().press("submit", status=422)
    assert review.state == "sent"
    assert organization.member.get("/api/leads").json["total"] == 1
