from datetime import UTC, datetime, timedelta

import pytest

from pipeline.database import queries
from pipeline.database.effects import organization as context
from tests.forms.paper import Paper
from tests.interviews.language import condition, question
from tests.interviews.language import template as interview_of
from tests.support import TEMPLATE, interview

PARTS = [{"value": "speed", "label": "Speed"}, {"value": "price", "label": "Price"}]
QUESTIONS = [
    *TEMPLATE["questions"],
    question("mood", "scale", min=1, max=3),
    question("needs", "multi_choice", allow_other=True, options=PARTS, visible_if=condition("mood", "gte", 2)),
]
PAGES = [
    {"key": "one", "title": "One", "questions": ["product_line", "seats"]},
    {"key": "two", "questions": ["notes", "mood", "needs"]},
]
ANSWERS = {"product_line": "server", "mood": 3, "needs": ["speed", "other"], "needs__other": "peace"}


@pytest.fixture
def template(organization):
    return organization.template(questions=QUESTIONS, pages=PAGES)


@pytest.fixture
def of(organization):
    """of(template, query=""): its statistics."""
    path = "/api/interview-templates/{}/statistics"
    return lambda made, query="": organization.member.get(path.format(made["id"]) + query, status=200).json


@pytest.fixture
def told(of, template):
    return lambda query="": of(template, query)


def counts(told):
    return [told[state] for state in ("invited", "opened", "started", "submitted", "expired")]


def steps(told):
    return [(step["page"], step["reached"], step["left"]) for step in told["steps"]]


def options(told, key):
    return {o["value"]: o["count"] for q in told["answers"] if q["question"] == key for o in q["options"]}


def test_each_invite_counts_for_what_has_become_of_it(organization, template, anonymous, told):
    assert (counts(told()), told()["median_minutes"]) == ([0] * 5, None)
    unseen, opened, begun, reviewing, sent, over = (organization.invite(template) for _ in range(6))
    anonymous.app.get(f"/forms/interview/{unseen['token']}", status=303).follow(status=200)  # nobody shows it
    anonymous.app.post(f"/forms/interview/{opened['token']}/opened", status=204)
    anonymous.patch(interview(begun), {"answers": {"seats": 3}}, status=200)
    anonymous.patch(interview(reviewing), {"answers": {"mood": 1}}, status=200)
    anonymous.post(f"{interview(sent)}/submit", {"answers": ANSWERS}, status=200)
    organization.expire_by_time(over)
    found = told()
    assert counts(found) == [6, 4, 3, 1, 1]
    assert steps(found) == [("one", 4, 1), ("two", 3, 1), (None, 2, 1)]
    assert options(found, "product_line") == {"server": 1, "desktop": 0}
    assert options(found, "mood") == {"1": 0, "2": 0, "3": 1}
    assert options(found, "needs") == {"speed": 1, "price": 0, "other": 1}
    assert found["median_minutes"] == 0


def test_hidden_cleared_and_deleted_answers_do_not_count(organization, template, anonymous, told):
    hidden, cleared, gone = (organization.invite(template) for _ in range(3))
    anonymous.post(f"{interview(hidden)}/submit", {"answers": {**ANSWERS, "mood": 1}}, status=200)
    for answers in ({"seats": 3}, {"seats": None}):
        anonymous.patch(interview(cleared), {"answers": answers}, status=200)
    anonymous.post(f"{interview(gone)}/submit", {"answers": ANSWERS}, status=200)
    organization.admin.delete(f"/api/interview-invites/{gone['id']}", status=204)
    found = told()
    assert (counts(found), options(found, "needs")) == ([2, 2, 2, 1, 0], {"speed": 0, "price": 0, "other": 0})
    assert steps(found) == [("one", 2, 1), ("two", 1, 0), (None, 1, 0)]


def test_the_days_are_those_on_which_invites_were_made(organization, template, told):
    organization.expire_by_time(organization.invite(template))
    today = datetime.now(UTC).date()
    for query, made in (
        (f"?from={today - timedelta(days=1)}&to={today + timedelta(days=1)}", 1),
        (f"?from={today + timedelta(days=2)}", 0),
        (f"?to={today - timedelta(days=2)}", 0),
    ):
        assert counts(told(query)) == [made, 0, 0, 0, made]


def test_half_of_the_submits_took_so_long_at_most(organization, owner, template, anonymous, told):
    for minutes in (1, 4, 250):
        invite = organization.invite(template)
        anonymous.patch(interview(invite), {"answers": {"product_line": "server"}}, status=200)
        owner.execute(
            "update app.interview_invites set started_at = now() - make_interval(mins => %s) where id = %s",
            (minutes, invite["id"]),
        )
        anonymous.post(f"{interview(invite)}/submit", {}, status=200)
    assert told()["median_minutes"] == 4


def test_folding_changes_no_count_and_leaves_a_row_for_each_fact(organization, owner, jobs, template, anonymous, told):
    for _ in range(2):
        for _ in range(2):
            anonymous.post(f"{interview(organization.invite(template))}/submit", {"answers": ANSWERS}, status=200)
        before = told()
        with context(jobs, organization.id):
            queries.interview_tallies_fold()
        assert told() == before
    rows = "select count(*), count(distinct (day, fact, name, value)) from app.interview_tallies"
    many, different = owner.execute(f"{rows} where organization_id = %s", [organization.id]).fetchone()
    assert many == different


ROWS, COLUMNS = [{"value": "r", "label": "Row"}], [{"value": "x", "label": "X"}, {"value": "y", "label": "Y"}]
MORE = [
    question("ready", "yes_no"),
    question("terms", "consent"),
    question("grid", "matrix", rows=ROWS, columns=COLUMNS),
    question("order", "ranking", options=PARTS),
]


def test_yes_no_consents_matrices_and_rankings_have_counts(organization, anonymous, of):
    made = organization.template(**interview_of(*MORE))
    for answers in ({"ready": True, "grid": {"r": "y"}, "order": ["price", "speed"]}, {"ready": False, "terms": True}):
        anonymous.post(f"{interview(organization.invite(made))}/submit", {"answers": answers}, status=200)
    found = of(made)
    assert options(found, "ready") == options(found, "terms") == {"true": 1, "false": 1}
    assert options(found, "grid") == {"x": 0, "y": 1}
    (ranking,) = (one for one in found["answers"] if one["question"] == "order")
    assert [(one["value"], one["places"]) for one in ranking["options"]] == [("speed", [0, 1]), ("price", [1, 0])]


def test_removed_options_questions_and_pages_are_named(organization, anonymous, template, told):
    anonymous.post(f"{interview(organization.invite(template))}/submit", {"answers": ANSWERS}, status=200)
    needs = {**QUESTIONS[-1], "options": PARTS[1:], "visible_if": None}
    path = f"/api/interview-templates/{template['id']}"
    organization.admin.patch(
        path, {"questions": [needs], "pages": [{"key": "new", "questions": ["needs"]}]}, status=200
    )
    found = told()
    gone = {
        (one["question"], o["value"], o["label"]) for one in found["answers"] for o in one["options"] if o["removed"]
    }
    assert gone == {("needs", "speed", "Speed"), ("product_line", "server", "Server"), ("mood", "3", "3")}
    assert steps(found) == [("new", 0, 0), ("one", 1, 0), ("two", 1, 0), (None, 1, 0)]
    assert [step["title"] for step in found["steps"] if step["removed"]] == ["One", None]


def test_an_option_that_comes_back_is_not_removed_and_keeps_its_count(organization, anonymous, template, told):
    anonymous.post(f"{interview(organization.invite(template))}/submit", {"answers": ANSWERS}, status=200)
    path = f"/api/interview-templates/{template['id']}"
    for parts in (PARTS[1:], PARTS):
        changed = [*QUESTIONS[:-1], {**QUESTIONS[-1], "options": parts}]
        organization.admin.patch(path, {"questions": changed}, status=200)
    found = told()
    assert options(found, "needs") == {"speed": 1, "price": 0, "other": 1}
    assert not any(o["removed"] for one in found["answers"] for o in one["options"])


def test_a_renewed_invite_counts_once_by_its_newest_state(organization, template, anonymous, told):
    invite = organization.invite(template)
    anonymous.patch(interview(invite), {"answers": {"mood": 1}}, status=200)
    organization.expire_by_time(invite)
    assert counts(told()) == [1, 1, 1, 0, 1]
    organization.member.post(f"/api/interview-invites/{invite['id']}/renew", {}, status=200)
    assert counts(told()) == [1, 1, 1, 0, 0]
    anonymous.post(f"{interview(invite)}/submit", {"answers": ANSWERS}, status=200)
    assert (counts(told()), steps(told())) == ([1, 1, 1, 1, 0], [("one", 1, 0), ("two", 1, 0), (None, 1, 0)])


def test_a_hidden_page_is_not_reached(organization, anonymous, of):
    asked = [question("a", "yes_no"), question("b", visible_if=condition("a", "eq", True)), question("c")]
    pages = [{"key": key, "questions": [key]} for key in "abc"]
    made = organization.template(questions=asked, pages=pages)
    anonymous.post(f"{interview(organization.invite(made))}/submit", {"answers": {"a": False}}, status=200)
    found = of(made)
    assert steps(found) == [("a", 1, 0), ("b", 0, 0), ("c", 1, 0), (None, 1, 0)]


def test_a_public_form_counts_drafts_from_the_first_step_until_they_are_sent(organization, anonymous, of):
    pages = [{"key": key, "questions": [key]} for key in ("your_name", "why")]
    asked = [question("your_name", required=True), question("why")]
    form = organization.public_form(questions=asked, pages=pages)
    first, second = (Paper(anonymous.app, f"/forms/capture/{form['public_slug']}").fill(your_name="Ada") for _ in "ab")
    first.press()
    page = second.press()
    assert (counts(of(form)), steps(of(form))) == ([0, 2, 2, 0, 0], [("your_name", 2, 0), ("why", 2, 2), (None, 0, 0)])
    page.press().press("submit")
    assert (counts(of(form)), steps(of(form))) == ([0, 2, 2, 1, 0], [("your_name", 2, 0), ("why", 2, 1), (None, 1, 0)])
