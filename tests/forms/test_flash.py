import pytest

from tests.interviews.language import question
from tests.support import Api


@pytest.fixture
def anonymous(with_redis):
    """A stranger to an application with Redis."""
    return Api(with_redis)


@pytest.fixture(params=["invite", "evaluation"])
def paper(request, visit):
    return visit(request.getfixturevalue(request.param))


def test_a_refused_step_redirects_to_a_page_that_shows_its_errors_once(paper):
    sent_to = paper.path.partition("?")[0] + paper.html.find("form")["action"]
    answer = paper.app.post(sent_to, paper.form_pairs("next"), headers=paper.headers, status=303)
    address = answer.headers["Location"]
    assert f"&step={paper.step}&_flash=" in address
    assert (answer.headers["Cache-Control"], answer.headers["Referrer-Policy"]) == ("no-store", "no-referrer")
    paper.app.head(address, status=200)
    assert paper.open(address, status=422).errors()
    assert "_flash=" in paper.path
    assert paper.open(paper.path, status=200).errors() == {}


def test_input_that_is_no_answer_is_shown_once(ask):
    paper = ask(type="number").fill(it="many").press(status=422)
    assert (list(paper.errors()), paper.value("it")) == (["it"], "many")
    assert paper.open(paper.path, status=200).value("it") == ""


def test_back_and_another_language_say_once_that_the_earlier_answer_stays(small):
    pages = [{"key": "first", "questions": ["more"]}, {"key": "second", "questions": ["it"]}]
    arabic = {"ar": {"questions.it.label": "البريد"}}
    paper = small(question("more"), question("it", "email", label="It"), pages=pages, translations=arabic)
    paper.press().fill(it="ada@example.com").press().press("back").fill(it="ada@").press("back", status=200)
    assert (paper.step, paper.text("#kept")) == ("first", ["Could not be saved, the earlier answer stays: It"])
    paper.open(paper.html.select_one("#kept a")["href"], status=200)
    assert (paper.step, paper.value("it"), paper.text("#kept")) == ("second", "ada@example.com", [])
    paper.fill(it="ada@").press("speak:ar", status=200)
    assert (paper.value("it"), paper.text("#kept")) == ("ada@", ["تعذر الحفظ، وتبقى الإجابة السابقة: البريد"])


def test_a_review_that_is_not_complete_says_so_once(visit, invite):
    paper = visit(invite, "?step=check-answers").press("submit", status=422)
    assert (paper.step, bool(paper.text("#errors"))) == ("check-answers", True)
    assert paper.open(paper.path, status=200).text("#errors") == []
