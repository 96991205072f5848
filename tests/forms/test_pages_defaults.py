"""Default values on the pages: shown, saved by Continue, and cleared for good."""

import pytest

from tests.forms.paper import Paper

QUESTIONS = [
    {"key": "seats", "type": "number", "label": "Seats?", "default": 5},
    {"key": "many", "type": "yes_no", "label": "So many?", "visible_if": {"question": "seats", "op": "gt", "value": 3}},
    {"key": "email", "type": "email", "label": "Email?"},
    {"key": "needs", "type": "multi_choice", "label": "Needs?", "default": ["b"], "options": [
        {"value": "a", "label": "A"}, {"value": "b", "label": "B"}]},
    {"key": "why", "type": "short_text", "label": "Why?",
     "visible_if": {"question": "needs", "op": "contains", "value": "b"}},
]  # fmt: skip
PAGES = [
    {"key": "one", "questions": ["seats", "many", "email"]},
    {"key": "two", "questions": ["needs"]},
    {"key": "three", "questions": ["why"]},
]


@pytest.fixture(params=["interview", "capture"])
def paper(request, small, organization, anonymous):
    """A form with defaults, as an invite and as a public form."""
    if request.param == "interview":
        return small(questions=QUESTIONS, pages=PAGES)
    public = {"lead_capture_enabled": True, "public_slug": organization.name}
    organization.template(questions=QUESTIONS, pages=PAGES, **public)
    return Paper(anonymous.app, f"/forms/capture/{organization.name}")


def test_a_default_is_shown_with_what_depends_on_it_and_saved_by_continue(paper):
    assert (paper.value("seats"), paper.shown()) == ("5", ["seats", "many", "email"])
    paper.fill(email="a@a.example").press().press()
    assert paper.step == "three"
    assert paper.press().text("dd:not(.change)") == ["5", "Not answered", "a@a.example", "B", "Not answered"]


def test_a_cleared_default_stays_cleared(paper):
    paper.fill(seats="", email="a@a.example").press().fill(needs=[]).press()
    assert (paper.state, paper.text("dd:not(.change)")) == ("review", ["Not answered", "a@a.example", "Not answered"])
    paper.press("back").press("back")
    assert (paper.step, paper.value("seats")) == ("one", "")


def test_a_refused_page_keeps_the_cleared_default(paper):
    paper.fill(seats="", email="half@").press(status=422)
    assert paper.value("seats") == ""


def test_a_default_of_another_page_counts_for_nothing_before_it_is_saved(small):
    paper = small(questions=QUESTIONS, pages=PAGES).open("?step=check-answers")
    assert paper.text("dd:not(.change)") == ["Not answered"] * 3


def test_a_link_goes_before_a_default(organization, anonymous):
    public = {"lead_capture_enabled": True, "public_slug": organization.name}
    organization.template(questions=QUESTIONS, pages=PAGES, **public)
    paper = Paper(anonymous.app, f"/forms/capture/{organization.name}?q.seats=2")
    assert (paper.value("seats"), paper.shown()) == ("2", ["seats", "email"])


def test_a_cleared_default_stays_cleared_behind_an_emailed_link(organization, anonymous):
    public = {"lead_capture_enabled": True, "public_slug": organization.name}
    organization.template(questions=QUESTIONS, pages=PAGES, **public)
    paper = Paper(anonymous.app, f"/forms/capture/{organization.name}").fill(seats="", _email="a@a.example")
    assert paper.press("later").state == "later"
    token = organization.owner.execute(
        "select token from app.interview_invites where organization_id = %s", [organization.id]
    ).fetchone()[0]
    assert Paper(anonymous.app, f"/forms/interview/{token}?step=one").value("seats") == ""


def test_a_default_of_a_new_question_is_shown_after_a_mistake(small):
    depends = {"visible_if": {"question": "email", "op": "answered"}}
    questions = [
        QUESTIONS[2],
        {**QUESTIONS[0], **depends, "required": True},
        {"key": "x", "type": "number", "label": "X"},
    ]
    paper = small(questions=questions, pages=[{"key": "one", "questions": ["email", "seats", "x"]}])
    paper.fill(email="a@a.example", x="many").press(status=422)
    assert (paper.shown(), paper.value("seats")) == (["email", "seats", "x"], "5")
