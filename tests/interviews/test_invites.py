"""Invites: creation, filters, expiry, responses."""

import re

import pytest

from tests.support import codes, interview


@pytest.fixture
def invite(organization):
    return organization.invite()


def test_an_invite_has_a_random_token_and_the_page_to_send(organization):
    template = organization.template()
    first, second = organization.invite(template), organization.invite(template)
    assert re.fullmatch("[0-9a-f]{64}", first["token"])
    assert first["token"] != second["token"]
    assert first["public_url"] == f"https://pipeline.example/forms/interview/{first['token']}"
    assert (first["status"], first["created_by"]) == ("pending", organization.users["member"])


def test_an_invite_expires_after_30_days_by_default(invite, owner):
    query = "select expires_at - created_at = interval '30 days' from app.interview_invites where id = %s"
    assert owner.execute(query, (invite["id"],)).fetchone()[0]


def test_the_given_expiry_is_kept_to_the_microsecond(organization):
    assert organization.invite(expires_at="2099-12-31T23:59:59.123456+02:00")["expires_at"] == (
        "2099-12-31T21:59:59.123456Z"
    )


@pytest.mark.parametrize("field", ["lead_id", "deal_id"])
def test_a_record_of_another_organization_is_unknown(field, organization, new_organization):
    other = new_organization()
    strange = {"lead_id": lambda: lead(other), "deal_id": lambda: deal(other)}[field]()
    body = {"template_id": organization.template()["id"], "recipient_email": "a@b.example", field: strange}
    answer = organization.member.post("/api/interview-invites", body, status=422)
    assert codes(answer) == [(field, "unknown_reference")]


def test_an_invite_whose_time_has_passed_reads_as_expired_everywhere(organization, invite, anonymous):
    organization.expire_by_time(invite)
    member = organization.member
    assert member.get(f"/api/interview-invites/{invite['id']}").json["status"] == "expired"
    assert member.get("/api/interview-invites?status=pending").json["data"] == []
    assert len(member.get("/api/interview-invites?status=expired").json["data"]) == 1
    assert member.get(f"/api/interview-invites/{invite['id']}/responses").json["status"] == "expired"
    assert anonymous.get(interview(invite), status=410).json["code"] == "invite_expired"


def test_expiring_works_once_and_again(organization, invite):
    path = f"/api/interview-invites/{invite['id']}/expire"
    assert organization.member.put(path, status=200).json["status"] == "expired"
    assert organization.member.put(path, status=200).json["status"] == "expired"


def test_a_submitted_invite_cannot_be_expired(organization, invite, anonymous):
    anonymous.post(interview(invite) + "/submit", {"answers": {"product_line": "server"}}, status=200)
    answer = organization.member.put(f"/api/interview-invites/{invite['id']}/expire", status=409)
    assert answer.json["code"] == "invite_submitted"


def test_an_email_asked_for_is_an_outbox_row_of_the_same_transaction(organization, owner):
    invite = organization.invite(send_email=True, personal_note="Dear Pat")
    assert invite["email_status"] == "queued"
    rows = owner.execute(
        "select event, key, payload from app.outbox where organization_id = %s", (organization.id,)
    ).fetchall()
    assert rows == [("invite_email", f"invite_email:{invite['id']}", {"invite_id": invite["id"]})]


def test_answers_in_progress_are_shown_with_their_status_and_flags(organization, anonymous):
    hints = {
        "rep_flags": [
            {"flag": "big", "label": "Big", "when": {"question": "seats", "op": "gte", "value": 100}},
            {"flag": "server", "label": "Server", "when": {"question": "product_line", "op": "eq", "value": "server"}},
        ]
    }
    invite = organization.invite(organization.template(hints=hints))
    anonymous.patch(interview(invite), {"answers": {"product_line": "server", "seats": 100}}, status=200)
    answer = organization.member.get(f"/api/interview-invites/{invite['id']}/responses", status=200).json
    assert answer == {
        "invite_id": invite["id"],
        "template_id": invite["template_id"],
        "status": "started",
        "answers": {"product_line": "server", "seats": 100},
        "consents": [],
        "hidden_fields": {},
        "rep_flags": ["big", "server"],
        "submitted_at": None,
        "copy_error": None,
    }


def test_the_flags_are_frozen_at_submit(organization, anonymous, owner):
    hints = {"rep_flags": [{"flag": "any", "label": "Any", "when": {"question": "seats", "op": "empty"}}]}
    invite = organization.invite(organization.template(hints=hints))
    anonymous.post(interview(invite) + "/submit", {"answers": {"product_line": "server"}}, status=200)
    frozen = owner.execute("select rep_flags from app.interview_invites where id = %s", (invite["id"],)).fetchone()
    assert frozen == (["any"],)
    assert organization.member.get(f"/api/interview-invites/{invite['id']}/responses").json["rep_flags"] == ["any"]


def lead(organization, **values):
    """A lead's id."""
    return organization.insert("leads", first_name="Pat", **values)


def deal(organization):
    """A deal's id."""
    stage = organization.insert("deal_stages", name="New", position=1)
    return organization.insert("deals", title="Deal", stage_id=stage, currency="USD")
