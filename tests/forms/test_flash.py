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


@pytest.fixture
def second(app, organization):
    """The second page of an interview in two languages, whose address is stored."""
    questions = [{"key": "more", "type": "short_text", "label": "More"}, {"key": "it", "type": "email", "label": "It"}]
    pages = [{"key": "first", "questions": ["more"]}, {"key": "second", "questions": ["it"]}]
    arabic = {"ar": {"questions.it.label": "البريد"}}
    template = organization.template(questions=questions, pages=pages, translations=arabic)
    path = f"/forms/interview/{organization.invite(template)['token']}?step=second"
    return Paper(app, path).fill(it="ada@example.com").press().press("back").fill(it="ada@")


def test_back_says_that_the_earlier_answer_stays(second):
    second.press("back", status=200)
    assert (second.step, second.text("#kept")) == ("first", ["Could not be saved, the earlier answer stays: It"])
    second.open(second.html.select_one("#kept a")["href"], status=200)
    assert (second.step, second.value("it"), second.text("#kept")) == ("second", "ada@example.com", [])


def test_another_language_shows_what_was_refused_and_says_so(second):
    second.press("speak:ar", status=200)
    assert second.text("#kept") == ["تعذر الحفظ، وتبقى الإجابة السابقة: البريد"]
    assert second.value("it") == "ada@"


def test_a_review_that_is_not_complete_says_so_once(app, invite):
    paper = Paper(app, f"/forms/interview/{invite['token']}?step=check-answers").press("submit", status=422)
    assert (paper.step, bool(paper.text("#errors"))) == ("check-answers", True)
    assert paper.open(paper.path, status=200).text("#errors") == []
