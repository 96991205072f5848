"""Any sequence of failures: an email is sent once, or at most twice, and its status is true."""

import uuid

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.mail import tasks

TROUBLE = st.sampled_from(
    [
        *(("drop", moment) for moment in ("connect", "MAIL", "DATA", "unread", "taken")),
        *(("refuse", step) for step in ("MAIL", "RCPT", "DATA", "CONTENT")),
        ("database", "cut"),
        ("event", "again"),
    ]
)
AGAIN = "update app.outbox set done_at = null where organization_id = %s and event = 'email'"


@pytest.mark.long
@given(troubles=st.lists(TROUBLE, max_size=6))
@settings(max_examples=25)
def test_an_email_is_sent_once_and_its_state_tells_the_truth(
    troubles, organization, owner, worker, server, queued, cut, state
):
    key = uuid.uuid4().hex
    id = queued(key=key)
    for kind, detail in [*troubles, (None, None), (None, None)]:
        server.drop = detail if kind == "drop" else None
        server.refuse = {detail: "451 Later"} if kind == "refuse" else {}
        server.seen = cut if kind == "database" else lambda content: None
        if kind == "event":
            owner.execute(AGAIN, (organization.id,))
        worker.run()
    status, error = state(id)
    sent = [content for _, _, content in server.accepted if key.encode() in content]
    lost = [detail for kind, detail in troubles if detail in ("unread", "taken")]
    assert len(sent) <= (2 if "taken" in lost else 1)
    assert len(set(sent)) <= 1
    assert (status, error) in [("sent", None), ("failed", tasks.MAYBE_SENT)]
    assert status == "failed" or sent
    assert status == "sent" or len(lost) >= 2
    assert worker.open() == []
