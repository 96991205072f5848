import pytest

from tests.interviews.language import condition, question

OPTIONS = [{"value": "a", "label": "A"}, {"value": "b", "label": "B"}]
SEATS = question("seats", "number", default=5)
EMAIL = question("email", "email")
FORM = {
    "questions": [
        SEATS,
        question("many", "yes_no", visible_if=condition("seats", "gt", 3)),
        EMAIL,
        question("needs", "multi_choice", default=["b"], options=OPTIONS),
        question("why", visible_if=condition("needs", "contains", "b")),
    ],
    "pages": [
        {"key": "one", "questions": ["seats", "many", "email"]},
        {"key": "two", "questions": ["needs"]},
        {"key": "three", "questions": ["why"]},
    ],
}


@pytest.fixture(params=["interview", "capture"])
def paper(request, organization, visit):
    """A form with defaults, as an invite and as a public form."""
    form = organization.public_form(**FORM)
    return visit(form if request.param == "capture" else organization.invite(form))


def test_a_default_is_shown_with_what_depends_on_it_and_saved_by_continue(paper):
    assert (paper.value("seats"), paper.shown()) == ("5", ["seats", "many", "email"])
    paper.fill(email="a@a.example").press().press()
    assert paper.step == "three"
    assert paper.press().text("dd:not(.change)") == ["5", "Not answered", "a@a.example", "B", "Not answered"]


def test_a_cleared_default_stays_cleared(paper):
    paper.fill(seats="", email="half@").press(status=422)
    assert paper.value("seats") == ""
    paper.fill(email="a@a.example").press().fill(needs=[]).press()
    assert (paper.state, paper.text("dd:not(.change)")) == ("review", ["Not answered", "a@a.example", "Not answered"])
    paper.press("back").press("back")
    assert (paper.step, paper.value("seats")) == ("one", "")


def test_a_default_of_another_page_counts_for_nothing_before_it_is_saved(small):
    assert small(**FORM, query="?step=check-answers").text("dd:not(.change)") == ["Not answered"] * 3


def test_a_link_goes_before_a_default(organization, visit):
    paper = visit(organization.public_form(**FORM), "?q.seats=2")
    assert (paper.value("seats"), paper.shown()) == ("2", ["seats", "email"])


def test_a_cleared_default_stays_cleared_behind_an_emailed_link(organization, visit):
    paper = visit(organization.public_form(**FORM)).fill(seats="", _email="a@a.example")
    assert paper.press("later").state == "later"
    (invite,) = organization.member.get("/api/interview-invites", status=200).json["data"]
    assert visit(invite, "?step=one").value("seats") == ""


def test_a_default_of_a_new_question_is_shown_after_a_mistake(small):
    later = {**SEATS, "visible_if": condition("email", "answered"), "required": True}
    paper = small(EMAIL, later, question("x", "number"))
    paper.fill(email="a@a.example", x="many").press(status=422)
    assert (paper.shown(), paper.value("seats")) == (["email", "seats", "x"], "5")
