"""Values in a link: hidden fields and prefilled answers, with their limits."""

import re
from datetime import date
from types import SimpleNamespace

import pytest

from pipeline.forms import prefill
from tests.forms.paper import Paper
from tests.interviews.language import condition, question

SECRET = question("secret", visible_if=condition("seats", "gt", 100))
QUESTIONS = [
    question("seats", "number", integer=True, min=1, max=1000),
    question("product", "single_choice", allow_other=True),
    question("needs", "multi_choice"),
    question("mail", "email"),
    question("start", "date"),
    question("home", "address"),
    question("terms", "consent"),
    SECRET,
]
KEYS = [one["key"] for one in QUESTIONS]


@pytest.fixture
def template(organization):
    """A public form of two pages; the second one asks for what depends on the first."""
    return organization.template(
        questions=QUESTIONS,
        pages=[
            {"key": "one", "questions": KEYS[:-1]},
            {"key": "two", "questions": [*KEYS[-1:]], "visible_if": {"question": "campaign", "op": "ne", "value": "x"}},
        ],
        hidden_fields=["campaign"],
        lead_capture_enabled=True,
        public_slug=organization.name,
    )


@pytest.fixture
def follow(anonymous, template):
    """follow(query): the first page of the form by a link."""
    return lambda query: Paper(anonymous.app, f"/forms/capture/{template['public_slug']}?{query}")


@pytest.fixture
def sent(organization):
    """sent(): the responses to the only lead's form."""

    def responses():
        (invite,) = organization.member.get("/api/interview-invites", status=200).json["data"]
        return organization.member.get(f"/api/interview-invites/{invite['id']}/responses", status=200).json

    return responses


def test_a_link_fills_in_what_it_names_and_nothing_is_answered_before_its_page_is_sent(follow, sent):
    paper = follow("q.seats=25&q.product=server&q.needs=cloud&q.needs=server&q.mail=a@b.example&q.home.city=Bern&r=1")
    assert (paper.value("seats"), paper.value("mail"), paper.value("home.city")) == ("25", "a@b.example", "Bern")
    checked = [found["value"] for found in paper.html.select("[checked]")]
    assert checked == ["server", "cloud", "server"]
    paper.press().press("submit")
    assert sent()["answers"] == {
        "seats": 25,
        "product": "server",
        "needs": ["cloud", "server"],
        "mail": "a@b.example",
        "home": {"city": "Bern"},
    }


@pytest.mark.parametrize(
    "query",
    [
        "q.terms=yes",
        "q.seats=many&q.mail=half@&q.start=2026-02-30&q.product=none&q.needs=none",
        "q.seats=0",
        "q.seats=1001&q.seats=5",
        "q.home.planet=Mars&q.home=Bern&q.seats.x=5",
        "seats=25&q=5&q.=5&Q.seats=5&q%00.seats=5",
        "q._asked=terms&terms=yes&q.terms.x=yes",
        "q._state=%7B%22seats%22:5%7D&_state=%7B%22seats%22:5%7D&q._go=submit&_go=submit",
        "q.foreign=1&q.__proto__=1&q.constructor=1",
        "q.campaign=fair",
        "q.mail=" + "a" * 5000,
        "q.seats=%ff",
    ],
)
def test_a_link_sets_no_consent_nothing_foreign_and_nothing_that_no_answer_could_be(query, follow, organization, sent):
    paper = follow(query)
    assert paper.state == "step"
    assert [paper.value(name) for name in ("seats", "mail", "start", "home.city")] == ["", "", "", ""]
    assert paper.html.select("[checked]") == []
    paper.press().press("submit")
    assert (sent()["answers"], sent()["hidden_fields"]) == ({}, {})


def test_a_link_answers_no_question_that_is_never_shown(follow, sent):
    paper = follow("q.secret=x&q.seats=5").press()
    assert paper.state == "review"
    paper.press("submit")
    assert sent()["answers"] == {"seats": 5}


def test_a_question_that_is_shown_later_is_filled_in_then(follow, sent):
    paper = follow("q.secret=x").fill(seats="500").press()
    assert (paper.step, paper.value("secret")) == ("two", "x")
    paper.fill(secret="y").press().press("submit")
    assert sent()["answers"] == {"seats": 500, "secret": "y"}


def test_hidden_fields_go_from_page_to_page_and_into_the_response(follow, sent):
    paper = follow("campaign=fair&foreign=1&q.seats=500").press().press()
    assert "campaign=fair" in paper.path
    assert "foreign" not in paper.path
    paper.press("submit")
    assert sent()["hidden_fields"] == {"campaign": "fair"}


def test_hidden_fields_decide_which_pages_there_are(follow):
    assert follow("campaign=x&q.seats=500").press().state == "review"
    assert follow("campaign=y&q.seats=500").press().step == "two"


def test_an_interview_takes_hidden_fields_and_no_answers_of_its_link(organization, template, anonymous):
    body = {name: template[name] for name in ("pages", "questions", "hidden_fields")}
    invite = organization.invite(organization.template(**body, slug="invited"))
    paper = Paper(anonymous.app, f"/forms/interview/{invite['token']}?campaign=fair&q.seats=25")
    assert paper.value("seats") == ""
    assert paper.path.endswith("?step=one&campaign=fair")
    paper.fill(seats="5").press()
    read = organization.member.get(f"/api/interview-invites/{invite['id']}/responses", status=200).json
    assert (read["hidden_fields"], read["answers"]) == ({"campaign": "fair"}, {"seats": 5})


def test_each_name_of_a_link_is_looked_at_once_however_many_questions_there_are(monkeypatch):
    split, looked = re.split, []
    monkeypatch.setattr(prefill.re, "split", lambda *given, **options: looked.append(given) or split(*given, **options))
    template = {"questions": [question(f"a{number}") for number in range(20)], "language": "en"}
    form = SimpleNamespace(template=template, today=date.today())
    assert prefill.prefilled(form, [(f"q.a{number}", "x") for number in range(1000)]) == {
        f"a{number}": "x" for number in range(20)
    }
    assert len(looked) == 1000
