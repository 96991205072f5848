import psycopg
import pytest

from pipeline.interviews.public.links import Link
from tests.interviews.language import condition, question, template, violations_of
from tests.support import codes, held_up, interview

FIELDS = ["campaign", "utm_source"]
FLAG = {"flag": "fair", "label": "Met at the fair", "when": condition("campaign", "eq", "fair")}
SHOWN = condition("campaign", "contains", "fair")
RULE = {"target": "license_type", "value": "trial", "when": SHOWN}
BODY = template(
    question("name"),
    question("stand", required=True, visible_if=SHOWN),
    hidden_fields=FIELDS,
    hints={"rep_flags": [FLAG]},
    field_map=[RULE],
)


@pytest.fixture
def invite(organization):
    return organization.invite(organization.template(**BODY))


@pytest.mark.parametrize(
    ("names", "place", "code"),
    [
        (["a"], "hidden_fields.0", "duplicate_key"),
        (["b", "b"], "hidden_fields.1", "repeated"),
        (["B"], "hidden_fields.0", "invalid_format"),
        (["q.a"], "hidden_fields.0", "invalid_format"),
        (["lang"], "hidden_fields.0", "reserved"),
        ([f"f{number}" for number in range(21)], "hidden_fields", "too_long"),
    ],
)
def test_a_hidden_field_has_a_name_of_its_own(names, place, code):
    assert violations_of(question("a"), hidden_fields=names) == {place: code}


def test_a_hidden_field_is_no_question():
    hints = {"lead_fields": {"notes": "b"}, "rep_flags": [{"flag": "f", "when": condition("b", "gt", 1)}]}
    pages = [{"key": "p", "questions": ["a", "b"]}]
    assert violations_of(question("a"), hidden_fields=["b"], hints=hints, pages=pages) == {
        "hints.lead_fields.notes": "unknown_question",
        "hints.rep_flags.0.when.op": "operator_misfit",
        "pages.0.questions.1": "unknown_question",
    }


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
    assert Link(carried=tuple(query)).hidden_values(FIELDS) == kept


def test_looking_keeps_nothing_and_saving_keeps_what_the_link_brings(organization, invite, anonymous):
    path = interview(invite)
    shown = anonymous.get(f"{path}?campaign=fair&foreign=1", status=200).json
    assert shown["hidden_fields"] == {"campaign": "fair"}
    assert "hidden_fields" not in shown["template"]
    assert organization.responses(invite)["hidden_fields"] == {}
    anonymous.patch(f"{path}?campaign=fair&foreign=1", {"answers": {"stand": "7"}}, status=200)
    both = {"campaign": "fair", "utm_source": "mail"}
    saved = anonymous.patch(f"{path}?utm_source=mail", {"answers": {"name": "Ada"}}, status=200).json
    read = organization.responses(invite)
    assert saved["hidden_fields"] == read["hidden_fields"] == both
    assert (read["answers"], read["rep_flags"]) == ({"name": "Ada", "stand": "7"}, ["fair"])
    table = organization.member.get(f"/api/interview-invites/{invite['id']}/responses.csv", status=200).text
    assert ",campaign,campaign,fair,," in table


def test_a_question_shown_by_a_hidden_field_must_be_answered(organization, invite, anonymous):
    anonymous.post(f"{interview(invite)}/submit?campaign=fair", {"answers": {}}, status=422)
    anonymous.post(f"{interview(invite)}/submit", {"answers": {"stand": "7"}}, status=200)
    read = organization.responses(invite)
    assert (read["answers"], read["rep_flags"]) == ({}, [])


def test_no_body_sets_a_hidden_field(organization, invite, anonymous):
    given = {"campaign": "fair"}
    for answers, members in ((given, {}), ({"hidden_fields": given}, {}), ({}, {"hidden_fields": given})):
        anonymous.patch(interview(invite), {"answers": answers, **members}, status=422)
    assert organization.responses(invite)["hidden_fields"] == {}


def test_a_link_that_saves_while_another_submits_decides_what_must_be_answered(invite, anonymous, owner):
    save = """update app.interview_invites set hidden_fields = '{"campaign": "fair"}' where id = %s"""
    refused = held_up(owner, save, [invite["id"]], lambda: anonymous.post(f"{interview(invite)}/submit", {}))
    assert codes(refused) == [("answers.stand", "required")]


def test_after_the_submit_no_link_changes_anything(organization, invite, anonymous, owner):
    anonymous.post(f"{interview(invite)}/submit?utm_source=mail", {}, status=200)
    anonymous.patch(f"{interview(invite)}?campaign=fair", {"answers": {}}, status=409)
    assert anonymous.get(f"{interview(invite)}?campaign=fair").json["hidden_fields"] == {"utm_source": "mail"}
    with pytest.raises(psycopg.DatabaseError, match="cannot change"):
        owner.execute("update app.interview_invites set hidden_fields = '{}' where id = %s", [invite["id"]])
    assert organization.responses(invite)["hidden_fields"] == {"utm_source": "mail"}


def read(member, lead):
    return member.get(f"/api/leads/{lead['id']}", status=200).json["hidden_fields"]


def test_a_lead_shows_the_hidden_fields_of_the_form_that_made_it(organization, member, anonymous):
    form = organization.public_form(**{**BODY, "hints": {"lead_fields": {"name": "name"}}})
    path = f"/api/public/interview/capture/{form['public_slug']}/submit"
    anonymous.post(f"{path}?utm_source=mail&foreign=1", {"answers": {"name": "Ada King"}}, status=201)
    (lead,) = organization.leads()
    assert "hidden_fields" not in lead
    assert read(member, lead) == {"utm_source": "mail"}
    anonymous.post(path, {"answers": {"name": "Bea King"}}, status=201)
    assert read(member, max(organization.leads(), key=lambda lead: lead["id"])) == {}


def test_a_lead_shows_the_hidden_fields_of_its_latest_submitted_response(organization, member, anonymous):
    lead, form = member.post("/api/leads", {"first_name": "Ada"}, status=201).json, organization.template(**BODY)
    assert lead["hidden_fields"] == {}
    first, second, third, _unopened = (interview(organization.invite(form, lead_id=lead["id"])) for _ in range(4))
    anonymous.patch(f"{second}?utm_source=web", {"answers": {}}, status=200)
    anonymous.post(f"{first}/submit?utm_source=mail", {}, status=200)
    assert read(member, lead) == {"utm_source": "mail"}
    anonymous.post(f"{second}/submit", {}, status=200)
    anonymous.post(f"{third}/submit", {}, status=200)
    assert read(member, lead) == {"utm_source": "web"}


def test_no_body_sets_the_hidden_fields_of_a_lead(member):
    lead = member.post("/api/leads", {"first_name": "Ada"}, status=201).json
    changed = member.patch(f"/api/leads/{lead['id']}", {"hidden_fields": {"utm_source": "mail"}}, status=200).json
    assert changed["hidden_fields"] == {}
