"""A public form's draft that ends, or whose template changes."""

from decimal import Decimal

import pytest

from pipeline.forms.questions.fitting import fitted
from tests.forms.paper import Paper
from tests.interviews.language import question

AB = [{"value": value, "label": value.upper()} for value in "ab"]
PAGES = [{"key": key, "questions": [key]} for key in ("name", "pick", "why")]
QUESTIONS = [question("name"), question("pick", "single_choice", options=AB), question("why")]


@pytest.fixture
def form(organization):
    return organization.public_form(questions=QUESTIONS, pages=PAGES)


@pytest.fixture
def paper(form, anonymous):
    """A draft on its third step."""
    page = Paper(anonymous.app, f"/forms/capture/{form['public_slug']}").fill(name="Ada").press()
    return page.fill(pick="a").press()


def lapse(organization, by="-1s"):
    change = "update app.capture_drafts set expires_at = now() + %s::interval where organization_id = %s"
    organization.owner.execute(change, [by, organization.id])


def left(organization):
    """The hours until the draft ends."""
    hours = "select extract(epoch from expires_at - now()) / 3600 from app.capture_drafts where organization_id = %s"
    return round(organization.owner.execute(hours, [organization.id]).fetchone()[0])


def test_a_lost_draft_is_told_and_what_was_typed_last_stays(organization, paper):
    lapse(organization)
    page = paper.fill(why="Speed").press()
    assert (page.step, len(page.text("#lost"))) == ("name", 1)
    again = page.fill(name="Eve").press().press()
    assert (again.value("why"), again.text("#lost")) == ("Speed", [])


def test_the_address_of_a_lost_draft_tells_it(organization, paper):
    lapse(organization)
    page = paper.open(paper.path)
    assert (page.step, len(page.text("#lost"))) == ("name", 1)


def test_each_save_prolongs_a_draft_to_thirty_days_at_most(organization, paper):
    lapse(organization, "1h")
    paper.press("back")
    assert left(organization) == 24
    older = "update app.capture_drafts set created_at = now() - interval '29 days 20 hours' where organization_id = %s"
    organization.owner.execute(older, [organization.id])
    paper.press()
    assert left(organization) == 4


def test_a_form_that_closes_meanwhile_says_so_and_keeps_what_was_typed(organization, form, paper):
    path = f"/api/interview-templates/{form['id']}"
    organization.admin.patch(path, {"lead_capture_enabled": False}, status=200)
    page = paper.fill(why="Speed").press()
    assert (page.state, page.value("why"), page.response.status_int) == ("closed", "Speed", 404)


def test_a_changed_template_says_what_it_no_longer_offers_until_it_is_given_again(organization, form, paper):
    changed = [QUESTIONS[0], {**QUESTIONS[1], "options": AB[1:]}, QUESTIONS[2]]
    organization.admin.patch(f"/api/interview-templates/{form['id']}", {"questions": changed}, status=200)
    page = paper.press()
    assert page.text("#misfits li") == ["pick : your choice is no longer offered: a"]
    page = page.open(page.html.select_one("#misfits a")["href"].partition("#")[0]).fill(pick="b").press()
    assert page.text("#misfits") == []


def test_a_consent_whose_text_changed_says_so_until_it_is_given_again(organization, anonymous):
    consent = {**question("ok", "consent"), "label": "I agree to the terms of 2025"}
    pages = [{"key": "one", "questions": ["ok"]}, {"key": "two", "questions": ["why"]}]
    form = organization.public_form(questions=[consent, question("why")], pages=pages)
    page = Paper(anonymous.app, f"/forms/capture/{form['public_slug']}").fill(ok=["yes"]).press()
    changed = [{**consent, "label": "I agree to the terms of 2026"}, question("why")]
    organization.admin.patch(f"/api/interview-templates/{form['id']}", {"questions": changed}, status=200)
    page = page.press("back")
    (told,) = page.text("#misfits li")
    assert "2026" in told
    assert "reads differently now" in told
    assert page.html.select("[name=ok][checked]") == []
    assert page.fill(ok=["yes"]).press().text("#misfits") == []


@pytest.mark.parametrize(
    ("asked", "kept", "carried", "lost"),
    [
        (question("q", "multi_choice", options=AB), "a", ["a"], None),
        (question("q", "single_choice", options=AB), ["b"], "b", None),
        (question("q", "single_choice", options=AB), ["a", "b"], None, "a, b"),
        (question("q", "multi_choice", options=AB), ["a", "c"], ["a"], "a, c"),
        (question("q"), 12, "12", None),
        (question("q", "number"), "1 500", 1500, None),
        (question("q", "number"), "many", None, "many"),
        (question("q", "matrix", rows=AB, columns=AB), {"a": "b", "c": "a"}, {"a": "b"}, "b, a"),
        (question("q", "yes_no"), "yes", None, "yes"),
        (question("q", max_length=2), "long", None, "long"),
        (question("q"), "two\nlines", "two\nlines", None),
        (question("q", "long_text"), ["a"], "a", None),
        (question("q", "scale", min=1, max=5), 9, 9, None),
        (question("q", "scale", min=1, max=5), "3", 3, None),
        (question("q", "number"), "1,234.5", Decimal("1234.5"), None),
        (question("q", "number", min=0), -1, -1, None),
        (question("q", "date"), "soon", "soon", None),
        (question("q", "email"), "ada@example", "ada@example", None),
        (question("q", "email"), "ada@acme.example", "ada@acme.example", None),
        (question("q", "ranking", options=AB), ["a", "c", "b"], ["a", "b"], "a, c, b"),
        (question("q", "address"), "Way 1", None, "Way 1"),
        (question("q", "consent"), "yes", None, "yes"),
    ],
)
def test_an_answer_is_carried_over_where_it_fits_else_named(asked, kept, carried, lost):
    answers, misfits = fitted([asked], {"q": kept})
    assert (answers.get("q"), [misfit.answer for misfit in misfits]) == (carried, [lost] if lost else [])
