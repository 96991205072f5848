import re

import pytest

from tests.interviews.language import condition
from tests.support import codes, interview


def test_an_invite_has_a_random_token_and_the_page_to_send_for_30_days_or_as_given_to_the_microsecond(
    organization, owner
):
    template = organization.template()
    first, second = organization.invite(template), organization.invite(template)
    assert re.fullmatch("[0-9a-f]{64}", first["token"])
    assert first["token"] != second["token"]
    assert first["public_url"] == f"https://pipeline.example/forms/interview/{first['token']}"
    assert (first["status"], first["created_by"]) == ("pending", organization.users["member"])
    query = "select expires_at - created_at = interval '30 days' from app.interview_invites where id = %s"
    assert owner.execute(query, (first["id"],)).fetchone()[0]
    given = organization.invite(template, expires_at="2099-12-31T23:59:59.123456+02:00")
    assert given["expires_at"] == "2099-12-31T21:59:59.123456Z"


@pytest.mark.parametrize(
    ("field", "table", "values"), [("lead_id", "leads", {"first_name": "Pat"}), ("deal_id", "deals", {"title": "Deal"})]
)
def test_a_record_of_another_organization_is_unknown(field, table, values, organization, new_organization):
    strange = new_organization().insert(table, **values)
    body = {"template_id": organization.template()["id"], "recipient_email": "a@b.example", field: strange}
    answer = organization.member.post("/api/interview-invites", body, status=422)
    assert codes(answer) == [(field, "unknown_reference")]


def test_an_invite_whose_time_has_passed_reads_as_expired_everywhere(organization, invite, anonymous):
    organization.expire_by_time(invite)
    member = organization.member
    assert member.get(f"/api/interview-invites/{invite['id']}").json["status"] == "expired"
    assert member.get("/api/interview-invites?status=pending").json["data"] == []
    assert len(member.get("/api/interview-invites?status=expired").json["data"]) == 1
    assert organization.responses(invite)["status"] == "expired"
    assert anonymous.get(interview(invite), status=410).json["code"] == "invite_expired"


def test_an_invite_is_expired_once_and_again_but_not_after_its_submit(organization, invite, anonymous):
    for _ in range(2):
        expired = organization.member.put(f"/api/interview-invites/{invite['id']}/expire", status=200).json
        assert expired["status"] == "expired"
    other = organization.invite({"id": invite["template_id"]})
    anonymous.post(interview(other) + "/submit", {"answers": {"product_line": "server"}}, status=200)
    answer = organization.member.put(f"/api/interview-invites/{other['id']}/expire", status=409)
    assert answer.json["code"] == "invite_submitted"


def test_expiring_an_invite_whose_time_has_passed_changes_nothing(organization, invite):
    organization.expire_by_time(invite)
    path = f"/api/interview-invites/{invite['id']}"
    before = organization.member.get(path, status=200).json
    assert organization.member.put(f"{path}/expire", status=200).json == before


def test_answers_in_progress_are_shown_with_their_status_and_flags(organization, anonymous):
    big = {"flag": "big", "label": "Big", "when": condition("seats", "gte", 100)}
    server = {"flag": "server", "label": "Server", "when": condition("product_line", "eq", "server")}
    invite = organization.invite(organization.template(hints={"rep_flags": [big, server]}))
    answers = {"product_line": "server", "seats": 100}
    anonymous.patch(interview(invite), {"answers": answers}, status=200)
    assert organization.responses(invite) == {
        "invite_id": invite["id"],
        "template_id": invite["template_id"],
        "status": "started",
        "answers": answers,
        "consents": [],
        "hidden_fields": {},
        "rep_flags": ["big", "server"],
        "submitted_at": None,
        "copy_error": None,
    }


def test_the_flags_are_frozen_at_submit(organization, anonymous, owner):
    flag = {"flag": "any", "label": "Any", "when": condition("seats", "empty")}
    invite = organization.invite(organization.template(hints={"rep_flags": [flag]}))
    anonymous.post(interview(invite) + "/submit", {"answers": {"product_line": "server"}}, status=200)
    frozen = owner.execute("select rep_flags from app.interview_invites where id = %s", (invite["id"],)).fetchone()
    assert frozen == (["any"],)
    assert organization.responses(invite)["rep_flags"] == ["any"]


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({}, 200),
        ({"expires_at": None}, 200),
        ({"expires_at": "2999-01-01T00:00:00+02:00"}, 200),
        ({"expires_at": "2020-01-01T00:00:00Z"}, 422),
        ({"expires_at": "2999-01-01"}, 422),
        ({"expires_at": 1}, 422),
        ({"status": "started"}, 422),
    ],
)
def test_an_expired_invite_is_renewed_until_a_time_to_come(organization, anonymous, body, status):
    invite = organization.invite()
    organization.expire_by_time(invite)
    organization.member.post(f"/api/interview-invites/{invite['id']}/renew", body, status=status)
    anonymous.get(interview(invite), status=200 if status == 200 else 410)


@pytest.mark.parametrize("over", ["expire_by_time", "expire"])
def test_a_renewed_invite_keeps_its_answers_and_is_mailed_again(organization, anonymous, over):
    invite = organization.invite()
    path = f"/api/interview-invites/{invite['id']}"
    anonymous.patch(interview(invite), {"answers": {"seats": 3}}, status=200)
    organization.expire_by_time(invite) if over == "expire_by_time" else organization.member.put(f"{path}/expire", {})
    anonymous.get(interview(invite), status=410)
    renewed = organization.member.post(f"{path}/renew", {"expires_at": "2999-01-01T00:00:00Z"}, status=200).json
    assert (renewed["status"], renewed["email_status"], renewed["expires_at"][:4]) == ("started", "queued", "2999")
    assert anonymous.get(interview(invite), status=200).json["answers"] == {"seats": 3}
    anonymous.post(f"{interview(invite)}/submit", {"answers": {"product_line": "server"}}, status=200)
    organization.member.post(f"{path}/renew", {}, status=409)
