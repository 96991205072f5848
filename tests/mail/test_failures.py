"""An email while the mail server fails at any step."""

import dataclasses
import functools
from datetime import timedelta

import pytest

from pipeline.database import effects
from pipeline.mail import tasks
from tests.mail.delivery import raise_event
from tests.support import held_up


def test_an_effect_has_one_email_however_often_it_is_queued_and_delivered(worker, server, queued):
    id = queued()
    assert queued() is None
    worker.run()
    for number in range(3):
        raise_event(worker, "email", f"again:{number}", email_id=id)
    assert worker.run() == []
    assert len(server.accepted) == 1


@pytest.mark.parametrize(
    ("kind", "detail", "said"),
    [
        ("refuse", "RCPT", "451 4.7.1 Greylisted"),
        ("refuse", "CONTENT", "451 4.7.1 Greylisted"),
        ("drop", "connect", ""),
        ("drop", "DATA", ""),
        ("url", "smtp://127.0.0.1:1", "cannot be used"),
        ("url", "", "SMTP_URL"),
    ],
)
def test_a_failure_before_the_content_is_sent_later(kind, detail, said, worker, server, queued, state):
    id, settings = queued(), worker.settings
    server.refuse = {detail: "451 4.7.1 Greylisted, please come back"} if kind == "refuse" else {}
    server.drop = detail if kind == "drop" else None
    worker.settings = dataclasses.replace(settings, smtp_url=detail) if kind == "url" else settings
    for _ in range(2):
        (error,) = worker.run()
        assert said in error
        assert state(id) in [("queued", error.removeprefix("NotSent: ")), ("queued", None)]
    server.refuse, server.drop, worker.settings = {}, None, settings
    assert worker.run() == []
    assert (len(server.accepted), state(id)) == (1, ("sent", None))


@pytest.mark.parametrize("step", ["RCPT", "CONTENT"])
def test_a_final_refusal_is_shown_and_not_tried_again(step, worker, server, queued, state):
    id = queued()
    server.refuse[step] = "550 5.1.1 No such\x1bmailbox"
    worker.run()
    assert state(id) == ("failed", "The mail server refused the message: 550 5.1.1 No such mailbox")
    assert worker.open() == []


@pytest.mark.parametrize("answer", ["250", "451", "550"])
def test_the_result_of_an_email_takes_its_invite_first_as_a_deletion_does(worker, server, organization, owner, answer):
    invite = organization.invite(send_email=True)
    worker.deliver(*worker.open())
    server.refuse = {} if answer == "250" else {"RCPT": f"{answer} No"}
    held = "select from app.interview_invites where id = %s for update"
    taken = "select from app.emails where invite_id = %s for update nowait"
    sending = functools.partial(worker.deliver, *worker.open())
    held_up(owner, held, [invite["id"]], sending, lambda: owner.execute(taken, [invite["id"]]))


def test_after_a_day_the_last_reason_is_shown_on_the_invite(worker, server, organization, shown, monkeypatch):
    invite = organization.invite(send_email=True)
    server.refuse["MAIL"] = "451 Come back tomorrow"
    worker.run()
    monkeypatch.setattr(effects, "GIVE_UP_AFTER", timedelta())
    worker.run()
    record = shown(invite)
    assert (record["email_status"], record["sent_at"]) == ("failed", None)
    assert record["email_error"] == "The mail server did not take the message: 451 Come back tomorrow"
    assert worker.open() == []


@pytest.mark.parametrize("answered", [True, False])
def test_an_answer_lost_after_the_content_sends_the_same_message_again(answered, worker, server, queued, state):
    id = queued()
    server.drop = "taken"
    assert "broke off before it answered" in worker.run()[0]
    server.drop = None if answered else "taken"
    for _ in range(3):
        worker.run()
    first, second = server.accepted
    assert first == second
    assert state(id) == (("sent", None) if answered else ("failed", tasks.MAYBE_SENT))
    assert worker.open() == []


@pytest.mark.parametrize(("end", "told"), [("refused", "550 Over quota"), ("expired", tasks.MAYBE_SENT)])
def test_an_email_that_may_have_been_sent_is_never_called_unsent(end, told, worker, server, organization, shown):
    invite = organization.invite(send_email=True)
    server.drop = "taken"
    worker.run()
    if end == "refused":
        server.drop, server.refuse["RCPT"] = None, "550 Over quota"
    else:
        organization.expire_by_time(invite)
    worker.run()
    record = shown(invite)
    assert record["email_status"] == "failed"
    assert record["email_error"].startswith(tasks.MAYBE_SENT)
    assert record["email_error"].endswith(told)


def test_a_server_that_never_answers_is_not_waited_for_longer_than_the_timeout(worker, server, queued):
    queued()
    worker.settings = dataclasses.replace(worker.settings, mail_timeout=1)
    server.delay = 1.5
    assert "broke off" in worker.run()[0]


def test_an_address_that_no_server_takes_is_refused(worker, queued, state):
    id = queued("pat@localhost")
    worker.run()
    status, error = state(id)
    assert (status, "not an email address" in error) == ("failed", True)
