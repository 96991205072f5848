from datetime import UTC, datetime, timedelta

import pytest

from pipeline.database import queries
from pipeline.database.effects import organization as context
from tests.interviews.language import condition, question
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
def told(organization, template):
    path = f"/api/interview-templates/{template['id']}/statistics"
    return lambda query="": organization.member.get(path + query, status=200).json


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


def test_what_is_hidden_cleared_or_deleted_counts_no_longer(organization, template, anonymous, told):
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
