"""What a request leaves for the worker: an event that knows which request has raised it."""

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


def test_a_request_id_may_come_again_and_again(organization):
    for _ in range(40):
        organization.member.get("/api/leads", headers={"X-Request-Id": "the-same"}, status=200)


def test_an_event_raised_outside_of_a_request_has_no_request_id(outbox, owner):
    id = outbox.add()
    assert owner.execute("select request_id from app.outbox where id = %s", (id,)).fetchone() == (None,)
