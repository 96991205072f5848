"""A refused step is shown once after the redirect, where Redis is there to keep it."""

import pytest

from tests.forms.paper import Paper


@pytest.fixture(params=["invite", "evaluation"])
def paper(request, app, organization):
    """The first page of an interview, and of a public form."""
    form = request.getfixturevalue(request.param)
    path = f"interview/{form['token']}" if request.param == "invite" else f"capture/{form['public_slug']}"
    return Paper(app, f"/forms/{path}")


def send(paper):
    """What the server answers to the step as it is."""
    address = paper.path.partition("?")[0] + paper.html.find("form")["action"]
    return paper.app.post(address, paper.form_pairs("next"), headers=paper.headers, status="*")


def test_a_refused_step_redirects_and_nobody_keeps_the_answer(paper):
    answer = send(paper)
    assert answer.status_int == 303
    assert f"&step={paper.step}&_flash=" in answer.headers["Location"]
    assert (answer.headers["Cache-Control"], answer.headers["Referrer-Policy"]) == ("no-store", "no-referrer")


def test_its_errors_are_shown_once_and_then_what_is_stored(paper):
    assert paper.press(status=422).errors()
    assert "_flash=" in paper.path
    assert paper.open(paper.path, status=200).errors() == {}


def test_input_that_is_no_answer_is_shown_once(ask, app):
    paper = ask(type="number")
    paper.app = app
    paper.fill(it="many").press(status=422)
    assert (list(paper.errors()), paper.value("it")) == (["it"], "many")
    assert paper.open(paper.path, status=200).value("it") == ""


def test_a_head_leaves_the_errors_for_the_page(paper):
    address = send(paper).headers["Location"]
    paper.app.head(address, status=200)
    assert paper.open(address, status=422).errors()


def test_a_review_that_is_not_complete_says_so_once(app, invite):
    paper = Paper(app, f"/forms/interview/{invite['token']}?step=check-answers").press("submit", status=422)
    assert (paper.step, bool(paper.text("#errors"))) == ("check-answers", True)
    assert paper.open(paper.path, status=200).text("#errors") == []
