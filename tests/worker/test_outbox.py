"""An event of a request stores the request's id."""

from tests.support import interview


def raised_by(owner, organization_id, event):
    """The id of the request that has raised an organization's event of this kind, or of this key."""
    statement = "select request_id from app.outbox where organization_id = %s and %s in (event, key)"
    return owner.execute(statement, (organization_id, event)).fetchone()[0]


def test_an_event_knows_the_request_that_raised_it(organization, anonymous, owner):
    path, answers = f"{interview(organization.invite())}/submit", {"answers": {"product_line": "server"}}
    anonymous.post(path, answers, headers={"X-Request-Id": "asked-42"}, status=200)
    assert raised_by(owner, organization.id, "interview_submitted") == "asked-42"


def test_an_event_that_a_handler_raises_keeps_the_request_id_and_one_without_has_not_that_of_another(
    outbox, delivering, owner
):
    delivering(outbox.add(request_id="asked-42", raises="first"))
    delivering(outbox.add(raises="second"))
    assert [raised_by(owner, outbox.organization_id, key) for key in ("first", "second")] == ["asked-42", None]
