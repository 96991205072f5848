"""An event of a request stores the request's id."""

from tests.support import interview

ANSWERS = {"answers": {"product_line": "server"}}


def test_an_event_knows_the_request_that_raised_it(organization, anonymous, owner):
    invite = organization.invite()
    path = f"{interview(invite)}/submit"
    anonymous.post(path, ANSWERS, headers={"X-Request-Id": "asked-42"}, status=200)
    row = owner.execute(
        "select request_id from app.outbox where organization_id = %s and event = 'interview_submitted'",
        (organization.id,),
    ).fetchone()
    assert row == ("asked-42",)


def test_an_event_that_a_handler_raises_keeps_the_request_id(outbox, delivering, owner):
    delivering(outbox.add(request_id="asked-42", raises="follow-up"))
    row = owner.execute(
        "select request_id from app.outbox where organization_id = %s and key = 'follow-up'", (outbox.organization_id,)
    ).fetchone()
    assert row == ("asked-42",)


def test_an_event_without_a_request_is_delivered_without_the_id_of_another(outbox, delivering, owner):
    delivering(outbox.add(request_id="asked-42"))
    delivering(outbox.add(raises="follow-up"))
    row = owner.execute(
        "select request_id from app.outbox where organization_id = %s and key = 'follow-up'", (outbox.organization_id,)
    ).fetchone()
    assert row == (None,)
