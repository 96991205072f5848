"""Hidden fields: values of a link, their use in conditions and for reps, and their limits."""

from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest

from pipeline.interviews.links import Link
from tests.interviews.language import check_template, condition, question, template
from tests.support import codes, interview, wait_until_waiting

FIELDS = ["campaign", "utm_source"]
FLAG = {"flag": "fair", "label": "Met at the fair", "when": condition("campaign", "eq", "fair")}
SHOWN = condition("campaign", "contains", "fair")
BODY = {
    **template(question("name"), question("stand", required=True, visible_if=SHOWN)),
    "hidden_fields": FIELDS,
    "hints": {"rep_flags": [FLAG]},
}


@pytest.fixture
def invite(organization):
    return organization.invite(organization.template(**BODY))


@pytest.fixture
def read(organization):
    """read(invite): what the rep sees."""
    return lambda invite: organization.member.get(f"/api/interview-invites/{invite['id']}/responses", status=200).json


def violations(**fields):
    return {found.name: found.code for found in check_template(template(question("a"), **fields))}


def test_conditions_of_every_kind_may_look_at_a_hidden_field():
    rule = {"target": "license_type", "value": "trial", "when": SHOWN}
    pages = [{"key": "page", "questions": ["name", "stand"], "visible_if": SHOWN}]
    assert check_template({**BODY, "pages": pages, "field_map": [rule]}) == []


@pytest.mark.parametrize(
    ("fields", "place", "code"),
    [
        ({"hidden_fields": ["a"]}, "hidden_fields.0", "duplicate_key"),
        ({"hidden_fields": ["b", "b"]}, "hidden_fields.1", "repeated"),
        ({"hidden_fields": ["B"]}, "hidden_fields.0", "invalid_format"),
        ({"hidden_fields": ["q.a"]}, "hidden_fields.0", "invalid_format"),
        ({"hidden_fields": ["lang"]}, "hidden_fields.0", "reserved"),
        ({"hidden_fields": [f"f{number}" for number in range(21)]}, "hidden_fields", "too_long"),
        (
            {"hidden_fields": ["b"], "hints": {"lead_fields": {"notes": "b"}}},
            "hints.lead_fields.notes",
            "unknown_question",
        ),
        (
            {"hidden_fields": ["b"], "pages": [{"key": "p", "questions": ["a", "b"]}]},
            "pages.0.questions.1",
            "unknown_question",
        ),
        (
            {"hidden_fields": ["b"], "hints": {"rep_flags": [{"flag": "f", "when": condition("b", "gt", 1)}]}},
            "hints.rep_flags.0.when.op",
            "operator_misfit",
        ),
    ],
)
def test_a_hidden_field_is_a_name_of_its_own_and_no_question(fields, place, code):
    assert violations(**fields) == {place: code}


@pytest.mark.parametrize(
    ("query", "kept"),
    [
        ([("campaign", " fair ")], {"campaign": "fair"}),
        ([("campaign", "x" * 500)], {"campaign": "x" * 200}),
        ([("campaign", "a"), ("campaign", "b"), ("utm_source", "mail")], {"utm_source": "mail"}),
        ([("campaign", "a\x00"), ("utm_source", "a\nb")], {}),
        ([("campaign", ""), ("utm_source", " \u200b")], {}),
        ([("foreign", "x"), ("Campaign", "x"), ("campaign ", "x"), ("q.campaign", "x")], {}),
    ],
)
def test_a_value_is_given_once_cut_and_clean_and_everything_else_counts_for_nothing(query, kept):
    assert Link(carried=tuple(query)).hidden(FIELDS) == kept


def test_looking_keeps_nothing_and_saving_keeps_what_the_link_brings(invite, read, anonymous):
    path = interview(invite)
    shown = anonymous.get(f"{path}?campaign=fair&foreign=1", status=200).json
    assert shown["hidden_fields"] == {"campaign": "fair"}
    assert "hidden_fields" not in shown["template"]
    assert read(invite)["hidden_fields"] == {}
    anonymous.patch(f"{path}?campaign=fair&foreign=1", {"answers": {"stand": "7"}}, status=200)
    saved = anonymous.patch(f"{path}?utm_source=mail", {"answers": {"name": "Ada"}}, status=200).json
    assert saved["hidden_fields"] == {"campaign": "fair", "utm_source": "mail"}
    kept = read(invite)
    assert kept["hidden_fields"] == {"campaign": "fair", "utm_source": "mail"}
    assert kept["answers"] == {"name": "Ada", "stand": "7"}
    assert kept["rep_flags"] == ["fair"]


def test_what_a_hidden_field_shows_must_be_answered(invite, read, anonymous):
    anonymous.post(f"{interview(invite)}/submit?campaign=fair", {"answers": {}}, status=422)
    anonymous.post(f"{interview(invite)}/submit", {"answers": {"stand": "7"}}, status=200)
    assert (read(invite)["answers"], read(invite)["rep_flags"]) == ({}, [])


@pytest.mark.parametrize(
    "answers", [{"campaign": "fair"}, {"hidden_fields": {"campaign": "fair"}}, {"campaign__other": "x"}]
)
def test_no_answer_sets_a_hidden_field(answers, invite, read, anonymous):
    anonymous.patch(interview(invite), {"answers": answers}, status=422)
    anonymous.patch(interview(invite), {"answers": {}, "hidden_fields": {"campaign": "fair"}}, status=422)
    assert read(invite)["hidden_fields"] == {}


def test_a_link_that_saves_while_another_submits_decides_what_must_be_answered(invite, anonymous, owner):
    with ThreadPoolExecutor(1) as pool:
        with owner.transaction():
            save = """update app.interview_invites set hidden_fields = '{"campaign": "fair"}' where id = %s"""
            owner.execute(save, [invite["id"]])
            submit = pool.submit(anonymous.post, f"{interview(invite)}/submit", {"answers": {}})
            wait_until_waiting(owner)
        assert codes(submit.result()) == [("answers.stand", "required")]


def test_after_the_submit_no_link_changes_anything(invite, read, anonymous, owner):
    anonymous.post(f"{interview(invite)}/submit?utm_source=mail", {}, status=200)
    anonymous.patch(f"{interview(invite)}?campaign=fair", {"answers": {}}, status=409)
    assert anonymous.get(f"{interview(invite)}?campaign=fair").json["hidden_fields"] == {"utm_source": "mail"}
    with pytest.raises(psycopg.DatabaseError, match="cannot change"):
        owner.execute("update app.interview_invites set hidden_fields = '{}' where id = %s", [invite["id"]])
    assert read(invite)["hidden_fields"] == {"utm_source": "mail"}


def test_a_public_form_keeps_them_with_its_response(organization, read, anonymous):
    body = {**BODY, "lead_capture_enabled": True, "public_slug": organization.name}
    template = organization.template(**body, field_map=[{"target": "license_type", "value": "trial", "when": SHOWN}])
    path = f"/api/public/interview/capture/{template['public_slug']}"
    assert anonymous.get(f"{path}?campaign=fair", status=200).json["hidden_fields"] == {"campaign": "fair"}
    anonymous.post(f"{path}/submit?campaign=fair", {"answers": {"stand": "7"}}, status=201)
    (response,) = organization.member.get("/api/interview-invites", status=200).json["data"]
    kept = read(response)
    assert (kept["hidden_fields"], kept["rep_flags"]) == ({"campaign": "fair"}, ["fair"])
    table = organization.member.get(f"/api/interview-invites/{response['id']}/responses.csv", status=200).text
    assert ",campaign,campaign,fair,," in table
