"""Rules of the database for invites and template versions."""

import psycopg
import pytest
from psycopg import DatabaseError


def submit(owner, world):
    row = (world["acme"]["interview_invites"],)
    owner.execute(
        "update app.interview_invites set status = 'submitted', submitted_at = now(), rep_flags = '[]' where id = %s",
        row,
    )
    return row


def refused(owner, statement, row, code):
    with pytest.raises(DatabaseError) as caught, owner.transaction():
        owner.execute(statement, row)
    assert caught.value.sqlstate == code


@pytest.mark.parametrize(
    "change",
    [
        "answers = '{\"a\": 1}'",
        "rep_flags = null",
        "submitted_at = now() + interval '1s'",
        "status = 'started', submitted_at = null",
    ],
)
def test_a_submitted_invite_cannot_change(owner, world, change):
    row = submit(owner, world)
    refused(owner, f"update app.interview_invites set {change} where id = %s", row, "PI001")


def test_an_expired_invite_never_becomes_answerable_again(owner, world):
    row = (world["acme"]["interview_invites"],)
    owner.execute("update app.interview_invites set status = 'expired' where id = %s", row)
    for change in ("status = 'started'", "answers = '{\"a\": 1}'"):
        refused(owner, f"update app.interview_invites set {change} where id = %s", row, "PI003")


def test_an_invite_past_its_end_reads_as_expired_and_takes_no_answer(owner, world):
    row = (world["acme"]["interview_invites"],)
    status = owner.execute(
        "update app.interview_invites set expires_at = now() where id = %s "
        "returning app.invite_status(status, expires_at)",
        row,
    ).fetchone()
    assert status == ("expired",)
    refused(owner, "update app.interview_invites set answers = '{\"a\": 1}' where id = %s", row, "PI003")


def test_a_submitted_invite_past_its_end_still_reads_as_submitted(owner):
    assert owner.execute("select app.invite_status('submitted', now() - interval '1 day')").fetchone() == ("submitted",)


@pytest.mark.parametrize(
    "statement",
    [
        "update app.interview_template_versions set name = 'x' where id = %s",
        "delete from app.interview_template_versions where id = %s",
    ],
)
def test_a_template_version_never_changes(owner, world, statement):
    refused(owner, statement, (world["acme"]["interview_template_versions"],), "PI002")


def test_an_invite_keeps_living_when_its_lead_is_deleted_even_after_submission(owner, world):
    row = submit(owner, world)
    owner.execute("delete from app.leads where id = %s", (world["acme"]["leads"],))
    found = owner.execute("select lead_id, status, organization_id from app.interview_invites where id = %s", row)
    assert found.fetchone() == (None, "submitted", world["acme"]["organizations"])


@pytest.mark.parametrize(("token", "seen"), [("its own", ("pipeline_public", 1)), ("x", ("pipeline_forms", None))])
def test_who_enters_an_invite_by_its_token_becomes_its_prospect_and_sees_no_other(login_url, owner, world, token, seen):
    known = "select token from app.interview_invites where id = %s"
    if token == "its own":
        (token,) = owner.execute(known, (world["acme"]["interview_invites"],)).fetchone()
    with psycopg.connect(login_url("pipeline_forms")) as connection:
        entered = connection.execute("select id from app.invite_enter(%s, 'request')", (token,)).fetchone()
        (role,) = connection.execute("select current_user").fetchone()
        count = entered and connection.execute("select count(*) from app.interview_invites").fetchone()[0]
    assert (role, count) == seen
