import re
from datetime import date
from types import SimpleNamespace

import pytest

from pipeline.forms.interview import prefill
from tests.interviews.language import condition, question, template

QUESTIONS = [
    question("seats", "number", integer=True, min=1, max=1000),
    question("product", "single_choice", allow_other=True),
    question("needs", "multi_choice"),
    question("mail", "email"),
    question("start", "date"),
    question("home", "address"),
    question("terms", "consent"),
    question("secret", visible_if=condition("seats", "gt", 100)),
]
*FIRST, SECRET = [one["key"] for one in QUESTIONS]
LEAD = {"first_name": "Pat", "last_name": "Doe", "email": "pat@a.example", "company": "A"}
EMAIL = question("email", "email", required=True)


@pytest.fixture
def form(organization):
    """A public form of two pages; the second one asks for what depends on the first."""
    two = {"key": "two", "questions": [SECRET], "visible_if": condition("campaign", "ne", "x")}
    pages = [{"key": "one", "questions": FIRST}, two]
    return organization.public_form(questions=QUESTIONS, pages=pages, hidden_fields=["campaign"])


@pytest.fixture
def follow(visit, form):
    return lambda query: visit(form, f"?{query}")


def test_a_link_fills_in_what_it_names_and_nothing_is_answered_before_its_page_is_sent(follow, organization):
    paper = follow("q.seats=25&q.product=server&q.needs=cloud&q.needs=server&q.mail=a@b.example&q.home.city=Bern&r=1")
    assert (paper.value("seats"), paper.value("mail"), paper.value("home.city")) == ("25", "a@b.example", "Bern")
    checked = [found["value"] for found in paper.html.select("[checked]")]
    assert checked == ["server", "cloud", "server"]
    paper.press().press("submit")
    choices = {"product": "server", "needs": ["cloud", "server"]}
    texts = {"mail": "a@b.example", "home": {"city": "Bern"}}
    assert organization.responses()["answers"] == {"seats": 25, **choices, **texts}


@pytest.mark.parametrize(
    "query",
    [
        "q.terms=yes",
        "q.seats=many&q.mail=half@&q.start=2026-02-30&q.product=none&q.needs=none",
        "q.seats=1001&q.seats=5",
        "q.home.planet=Mars&q.home=Bern&q.seats.x=5",
        "seats=25&q=5&q.=5&Q.seats=5&q%00.seats=5",
        "q._asked=terms&terms=yes&q.terms.x=yes",
        "q._state=%7B%22seats%22:5%7D&_state=%7B%22seats%22:5%7D&q._go=submit&_go=submit",
        "q.foreign=1&q.__proto__=1&q.constructor=1",
        "q.campaign=fair",
        "q.mail=" + "a" * 5000,
        "q.seats=%ff",
        "q.home.city=%00&q.mail=Acme%ff",
    ],
)
def test_a_link_sets_no_consent_nothing_foreign_and_nothing_that_no_answer_could_be(query, follow, organization):
    paper = follow(query)
    assert paper.state == "step"
    assert [paper.value(name) for name in ("seats", "mail", "start", "home.city")] == ["", "", "", ""]
    assert paper.html.select("[checked]") == []
    paper.press().press("submit")
    response = organization.responses()
    assert (response["answers"], response["hidden_fields"]) == ({}, {})


@pytest.mark.parametrize(
    ("kind", "value", "filled"),
    [
        ("phone", "+49301234567", "+49301234567"),
        ("phone", "%2B49301234567", "+49301234567"),
        ("phone", "+49+30+1234567", "+49 30 1234567"),
        ("phone", "%20030+1234567", "030 1234567"),
        ("email", "ada+news@engine.example", "ada+news@engine.example"),
        ("short_text", "Ada+Lovelace", "Ada Lovelace"),
        ("short_text", "%00", ""),
        ("short_text", "Acme%ff", ""),
    ],
)
def test_a_plus_of_a_number_or_an_address_stays_a_plus(kind, value, filled, organization, visit):
    form = organization.public_form(**template(question("it", kind)))
    assert visit(form, f"?q.it={value}").value("it") == filled


def test_a_link_answers_no_question_that_is_never_shown(follow, organization):
    paper = follow("q.secret=x&q.seats=5").press()
    assert paper.state == "review"
    paper.press("submit")
    assert organization.responses()["answers"] == {"seats": 5}


def test_a_question_that_is_shown_later_is_filled_in_then(follow, organization):
    paper = follow("q.secret=x").fill(seats="500").press()
    assert (paper.step, paper.value("secret")) == ("two", "x")
    paper.fill(secret="y").press().press("submit")
    assert organization.responses()["answers"] == {"seats": 500, "secret": "y"}


def test_hidden_fields_decide_which_pages_there_are_and_go_into_the_response(follow, organization):
    assert follow("campaign=x&q.seats=500").press().state == "review"
    paper = follow("campaign=fair&foreign=1&q.seats=500").press()
    assert (paper.step, paper.press().state) == ("two", "review")
    assert "campaign=fair" in paper.path
    assert "foreign" not in paper.path
    paper.press("submit")
    assert organization.responses()["hidden_fields"] == {"campaign": "fair"}


def test_an_interview_takes_hidden_fields_and_no_answers_of_its_link(organization, form, visit):
    paper = visit(organization.invite(form), "?campaign=fair&q.seats=25")
    assert paper.value("seats") == ""
    assert paper.path.endswith("?step=one&campaign=fair")
    paper.fill(seats="5").press()
    response = organization.responses()
    assert (response["hidden_fields"], response["answers"]) == ({"campaign": "fair"}, {"seats": 5})


def test_each_name_of_a_link_is_looked_at_once_however_many_questions_there_are(monkeypatch):
    split, looked = re.split, []
    monkeypatch.setattr(prefill.re, "split", lambda *given, **options: looked.append(given) or split(*given, **options))
    template = {"questions": [question(f"a{number}") for number in range(20)], "language": "en"}
    form = SimpleNamespace(template=template, today=date.today())
    assert len(prefill.prefilled(form, [(f"q.a{number}", "x") for number in range(1000)])) == 20
    assert len(looked) == 1000


def test_the_lead_fills_in_what_is_known_and_continue_saves_it(small):
    more = question("more", "yes_no", visible_if=condition("email", "answered"))
    hints = {"lead_fields": {"name": "your_name"}}
    phone = question("phone", "phone")
    lead = {**LEAD, "phone": "+49 30 1234567"}
    paper = small(question("your_name", required=True), EMAIL, more, phone, lead=lead, hints=hints)
    assert [paper.value(name) for name in ("your_name", "email", "phone")] == ["Pat Doe", "pat@a.example", ""]
    assert paper.shown() == ["your_name", "email", "more", "phone"]
    assert paper.press().state == "review"
    assert paper.text("dd:not(.change)") == ["Pat Doe", "pat@a.example", "Not answered", "Not answered"]
    assert "pat@<wbr>a.<wbr>example" in paper.response.text


def test_an_unfit_value_is_not_prefilled(small):
    asked = question("company", "number"), question("email", "multi_choice"), question("first_name", "date")
    paper = small(*asked, lead={**LEAD, "first_name": "Patricia-Ann"})
    assert (paper.value("company"), paper.value("first_name")) == ("", "")
    assert paper.press().state == "review"


@pytest.mark.parametrize("kind", ["interview", "capture"])
def test_nothing_but_the_public_form_is_in_any_page(kind, organization, visit):
    form = organization.public_form(
        hints={"rep_tips": {"seats": "SECRET tip"}, "rep_flags": []},
        field_map=[{"target": "license_type", "value": "SECRET"}],
    )
    lead = organization.insert("leads", **LEAD, notes="SECRET", phone="12345")
    paper = visit(form if kind == "capture" else organization.invite(form, lead_id=lead))
    for page in (paper.response, paper.fill(product_line="server").press().response, paper.press("submit").response):
        for word in ("SECRET", "12345", "hints", "field_map", "organization_id", "rep_", f"@{organization.name}"):
            assert word not in page.text
