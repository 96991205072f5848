"""One event: its effect happens once, a failure brings it back later, and some failures are final."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from pipeline.database import effects
from tests.support import interview
from tests.worker import handlers


def test_an_event_is_delivered_to_a_handler_that_learns_what_it_needs_and_closed(outbox, delivering, settings):
    id = outbox.add(name="Pat", nested={"amount": 1})
    assert delivering(id) is True
    assert outbox.subjects() == [outbox.key(id)]
    assert outbox.state(id)[:3] == (1, None, True)
    (event,) = handlers.calls
    assert (event.organization_id, event.id, event.key) == (outbox.organization_id, id, outbox.key(id))
    assert event.payload == {"name": "Pat", "nested": {"amount": 1}}
    assert (event.attempts, event.last_try, event.settings) == (0, False, settings)
    assert event.begins_at.tzinfo


def test_three_deliveries_at_once_do_the_effect_once(outbox, delivering):
    id = outbox.add(seconds=0.3)
    with ThreadPoolExecutor(3) as threads:
        closed = list(threads.map(delivering, [id] * 3))
    assert sorted(closed) == [False, False, True]
    assert outbox.effects() == 1


def test_a_failure_undoes_the_effect_and_postpones_the_event(outbox, delivering, owner):
    id = outbox.add(fails="no route to host")
    assert delivering(id) is False
    attempts, error, done, due_in = outbox.state(id)
    assert (attempts, error, done) == (1, "RuntimeError: no route to host", False)
    assert 0 < due_in <= 1
    assert outbox.effects() == 0
    delivering(id)
    assert outbox.state(id)[0] == 1
    owner.execute("""update app.outbox set due_at = now(), payload = '{}' where id = %s""", (id,))
    assert delivering(id) is True
    assert outbox.state(id)[:3] == (2, None, True)


def test_a_separate_commit_of_a_handler_stays_when_it_fails(outbox, delivering):
    id = outbox.add(separate=True, fails="after that")
    delivering(id)
    assert outbox.subjects() == [f"separate {outbox.key(id)}"]


def test_a_refusal_gives_up_at_once_and_is_shown_without_nul(outbox, delivering):
    id = outbox.add(refused="There is no such… mailbox.")
    assert delivering(id) is True
    assert outbox.state(id)[:3] == (1, "There is no such mailbox.", True)
    assert outbox.subjects() == [f"given up {outbox.key(id)}: There is no such mailbox."]


def test_after_a_day_a_failing_event_is_given_up_and_one_that_succeeds_delivered(outbox, delivering):
    id = outbox.add(age="24 hours", fails="still no route")
    assert delivering(id) is True
    assert handlers.calls[0].last_try is True
    assert outbox.state(id)[:3] == (1, "RuntimeError: still no route", True)
    assert outbox.subjects() == [f"given up {outbox.key(id)}: {effects.UNEXPECTED}"]
    succeeding = outbox.add(age="3 days")
    assert delivering(succeeding) is True
    assert outbox.state(succeeding)[1] is None


def test_giving_up_that_fails_is_tried_again(outbox, delivering):
    id = outbox.add(refused="never", stubborn=True)
    assert delivering(id) is False
    attempts, error, done, due_in = outbox.state(id)
    assert (attempts, error, done) == (1, "RuntimeError: cannot even give up", False)
    assert due_in > 1800
    assert outbox.effects() == 0


def test_an_event_that_this_release_does_not_know_waits(outbox, delivering):
    id = outbox.add(event="raised_by_a_newer_release")
    assert delivering(id) is False
    told = "UnknownEvent: No handler is registered for the event raised_by_a_newer_release."
    assert outbox.state(id)[1:3] == (told, False)


def test_a_handler_whose_statement_fails_is_a_failure_like_any_other(outbox, delivering):
    # After the second one the connection is replaced.
    failing = {"DivisionByZero": "select 1 / 0", "FeatureNotSupported": "select distinct id from emails for update"}
    for expected, statement in failing.items():
        id = outbox.add(statement=statement)
        assert delivering(id) is False
        attempts, error, done, _ = outbox.state(id)
        assert (attempts, error.partition(":")[0], done) == (1, expected, False)


@pytest.mark.parametrize(("attempts", "longest"), [(1, 1), (2, 2), (5, 16), (12, 2048), (13, 3600), (10_000, 3600)])
def test_pauses_double_up_to_an_hour_and_are_scattered(attempts, longest):
    assert effects.backoff(attempts, lambda: 0.0) == longest / 2
    assert effects.backoff(attempts, lambda: 1.0) == longest
    assert longest / 2 <= effects.backoff(attempts) <= longest


def test_an_event_knows_the_request_that_raised_it_or_the_event_whose_handler_did(
    organization, anonymous, outbox, delivering, owner
):
    path, answers = f"{interview(organization.invite())}/submit", {"answers": {"product_line": "server"}}
    anonymous.post(path, answers, headers={"X-Request-Id": "asked-41"}, status=200)
    delivering(outbox.add(request_id="asked-42", raises="first"))
    delivering(outbox.add(raises="second"))
    statement = "select request_id from app.outbox where organization_id = %s and %s in (event, key)"
    for name, request in (("interview_submitted", "asked-41"), ("first", "asked-42"), ("second", None)):
        assert owner.execute(statement, (organization.id, name)).fetchall() == [(request,)]
