import psycopg
import pytest
from psycopg import DatabaseError

SUBMITTED = "status = 'submitted', submitted_at = now(), rep_flags = '[]'"
EXPIRED, LATE, ANSWER = "status = 'expired'", "expires_at = now()", "answers = '{\"a\": 1}'"
INVITE = "update app.interview_invites set {} where id = %s"


def refused(owner, statement, row):
    """The code with which the database refuses a statement."""
    with pytest.raises(DatabaseError) as caught, owner.transaction():
        owner.execute(statement, row)
    return caught.value.sqlstate


@pytest.mark.parametrize(
    ("state", "change", "code"),
    [
        (SUBMITTED, ANSWER, "PI001"),
        (SUBMITTED, "rep_flags = null", "PI001"),
        (SUBMITTED, "submitted_at = now() + interval '1s'", "PI001"),
        (SUBMITTED, "status = 'started', submitted_at = null", "PI001"),
        (EXPIRED, "status = 'started'", "PI003"),
        (EXPIRED, ANSWER, "PI003"),
        (LATE, ANSWER, "PI003"),
    ],
)
def test_an_invite_that_is_over_does_not_change(owner, world, state, change, code):
    row = (world["acme"]["interview_invites"],)
    owner.execute(INVITE.format(state), row)
    assert refused(owner, INVITE.format(change), row) == code


@pytest.mark.parametrize("statement", ["update {} set name = 'x' where id = %s", "delete from {} where id = %s"])
def test_a_template_version_never_changes(owner, world, statement):
    version = (world["acme"]["interview_template_versions"],)
    assert refused(owner, statement.format("app.interview_template_versions"), version) == "PI002"


def test_an_invite_keeps_living_when_its_lead_is_deleted_even_after_submission(owner, world):
    row = (world["acme"]["interview_invites"],)
    owner.execute(INVITE.format(SUBMITTED), row)
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
