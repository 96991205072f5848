"""What an invite and a template's version allow, whoever asks."""

import psycopg
import pytest

from tests.database.conftest import short, told

SUBMITTED = "status = 'submitted', submitted_at = now(), rep_flags = '[]'"
EXPIRED, LATE, ANSWER = "status = 'expired'", "expires_at = now()", "answers = '{\"a\": 1}'"
VERSION = "app.interview_template_versions {} where id = acme.interview_template_versions"


def invite(change):
    return f"update app.interview_invites set {change} where id = acme.interview_invites"


@pytest.mark.parametrize(
    ("state", "change", "code"),
    [
        (SUBMITTED, invite(ANSWER), "PI001"),
        (SUBMITTED, invite("rep_flags = null"), "PI001"),
        (SUBMITTED, invite("submitted_at = now() + interval '1s'"), "PI001"),
        (SUBMITTED, invite("status = 'started', submitted_at = null"), "PI001"),
        (EXPIRED, invite("status = 'started'"), "PI003"),
        (EXPIRED, invite(ANSWER), "PI003"),
        (LATE, invite(ANSWER), "PI003"),
        (LATE, "update " + VERSION.format("set name = 'x'"), "PI002"),
        (LATE, "delete from " + VERSION.format(""), "PI002"),
    ],
    ids=short,
)
def test_an_invite_that_is_over_does_not_change_nor_does_a_version(owner, world, state, change, code):
    with pytest.raises(psycopg.DatabaseError) as refused:
        told(owner, world, change, invite(state))
    assert refused.value.sqlstate == code


def test_an_invite_keeps_living_when_its_lead_is_deleted_even_after_submission(owner, world):
    left = "select lead_id, status from app.interview_invites where id = acme.interview_invites"
    deleted = f"{invite(SUBMITTED)}; delete from app.leads where id = acme.leads"
    assert told(owner, world, left, deleted) == "None submitted"


@pytest.mark.parametrize(
    ("token", "seen"), [("token acme", ("pipeline_public", 1)), ("unknown", ("pipeline_forms", None))]
)
def test_a_token_opens_its_own_invite_alone(login_url, world, token, seen):
    with psycopg.connect(login_url("pipeline_forms")) as connection:
        enter = "select id from app.invite_enter(encode(sha256(%s), 'hex'), 'request')"
        entered = connection.execute(enter, (token.encode(),)).fetchone()
        (role,) = connection.execute("select current_user").fetchone()
        count = entered and connection.execute("select count(*) from app.interview_invites").fetchone()[0]
    assert (role, count) == seen
