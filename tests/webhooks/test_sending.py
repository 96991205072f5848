"""Deliveries: signed, at least once, in order for each record, and given up late."""

import json
from concurrent.futures import ThreadPoolExecutor

import pytest
from prometheus_client import REGISTRY
from standardwebhooks import Webhook, WebhookVerificationError

from pipeline.changes.webhooks.sending import PAUSES
from pipeline.database import queries
from pipeline.worker.jobs import run
from tests.support import held_up
from tests.waiting import wait_for_writers
from tests.webhooks.conftest import Hook
from tests.webhooks.receiver import respond


def failing(handler, _number):
    respond(handler, 500, b"Out of order.\0" + b"x" * 2000)


@pytest.fixture
def failing_since(owner):
    """failing_since(hook, days=0): let a webhook be without a success for so many days."""
    change = "update app.webhook_states set failing_since = now() - make_interval(days => %s) where webhook_id = %s"
    return lambda hook, days=0: owner.execute(change, [days, hook.id])


def test_a_message_is_signed_and_ends_the_count_of_days(crm, new_lead, organization, receiver, failing_since):
    lead = new_lead()
    failing_since(crm, days=4)
    crm.work()
    assert crm.shown()["failing_since"] is None
    (message,) = receiver.received
    assert crm.verified(message) == {
        "type": "lead.created",
        "timestamp": lead["created_at"],
        "data": organization.member.get(f"/api/leads/{lead['id']}").json,
    }
    assert message.headers["content-type"] == "application/json"
    (delivery,) = crm.deliveries()
    assert delivery["message_id"] == message.headers["webhook-id"]
    assert (delivery["status"], delivery["attempts"], delivery["code"]) == ("delivered", 1, 204)


def test_after_a_rotation_both_secrets_sign_for_a_day_and_none_before(crm, new_lead, organization, receiver, owner):
    def sent():
        new_lead()
        crm.work()
        return receiver.received[-1]

    secrets = [crm.secret]
    for signatures in (1, 2, 2):
        message = sent()
        assert len(message.headers["webhook-signature"].split()) == signatures
        for secret in secrets[-2:]:
            Webhook(secret).verify(message.body, message.headers)
        secrets.append(organization.admin.post(f"{crm.path}/rotate", status=200).json["secret"])
    owner.execute("update app.webhook_secrets set expires_at = now() where expires_at is not null")
    message = sent()
    Webhook(secrets[-1]).verify(message.body, message.headers)
    with pytest.raises(WebhookVerificationError):
        Webhook(secrets[-2]).verify(message.body, message.headers)


def test_a_failure_is_tried_again_after_growing_pauses_and_given_up_in_the_end(crm, new_lead, receiver, owner):
    new_lead()
    receiver.answer = failing
    waits = []
    for _ in range(len(PAUSES) + 1):
        crm.work()
        query = "select round(extract(epoch from next_attempt_at - updated_at)) from app.webhook_deliveries"
        waits.append(owner.execute(f"{query} where webhook_id = %s", [crm.id]).fetchone()[0])
        crm.hurry()
    assert waits == [5, 60, 300, 1800, 7200, 28800, 86400, None]
    (delivery,) = crm.deliveries()
    assert (delivery["status"], delivery["attempts"], delivery["code"]) == ("failed", 8, 500)
    assert delivery["error"] == "The receiver answered 500."
    assert (delivery["answer"][:16], len(delivery["answer"])) == ("Out of order.xxx", 1023)
    assert len({message.headers["webhook-id"] for message in receiver.received}) == 1


def test_a_delivery_is_read_by_who_may_read_its_record_and_sent_again_as_it_was(crm, new_lead, organization, receiver):
    new_lead()
    crm.work()
    (listed,) = crm.deliveries()
    path = f"{crm.path}/deliveries/{listed['id']}"
    shown = organization.admin.get(path, status=200).json
    assert shown == {**listed, "payload": json.loads(receiver.received[0].body)}
    for scope, payload in (("leads:read", shown["payload"]), ("records:read", None)):
        key = organization.key("webhooks:read", scope, role="admin")
        assert key.get(path, status=200).json["payload"] == payload
    again = organization.admin.post(f"{path}/redeliver", status=200).json
    assert (again["id"], again["status"]) == (listed["id"], "pending")
    crm.work()
    first, second = receiver.received
    assert (first.headers["webhook-id"], first.body) == (second.headers["webhook-id"], second.body)


def test_a_large_message_is_kept_until_it_is_delivered_and_not_sent_again(hook, organization, receiver):
    crm = hook("company.created")
    organization.insert("companies", name="Acme")
    crm.follow()
    crm.set(body="rpad(body, 70000)")
    crm.work()
    (delivery,) = crm.deliveries()
    assert (delivery["status"], len(receiver.received[0].body)) == ("delivered", 70000)
    path = f"{crm.path}/deliveries/{delivery['id']}"
    assert organization.admin.post(f"{path}/redeliver", status=409).json["code"] == "message_gone"
    assert organization.admin.get(path).json["payload"] is None


def test_messages_about_one_record_wait_for_each_other_alone(hook, new_lead, organization, receiver):
    crm = hook("lead.created", "lead.updated")
    lead = new_lead()
    organization.member.patch(f"/api/leads/{lead['id']}", {"notes": "Called."}, status=200)
    new_lead(first_name="Kim")
    crm.follow()
    assert len(crm.due()) == 2
    receiver.answer = lambda handler, number: respond(handler, 500 if number == 1 else 200)
    crm.work()
    assert [delivery["status"] for delivery in crm.deliveries()] == ["pending", "pending", "delivered"]
    crm.hurry()
    crm.work()
    told = [crm.verified(message) for message in receiver.received]
    about = [message["type"] for message in told if message["data"]["id"] == lead["id"]]
    assert about == ["lead.created", "lead.created", "lead.updated"]


def test_a_message_that_is_made_while_the_one_before_it_is_closed_is_not_forgotten(hook, new_lead, organization):
    crm = hook("lead.created", "lead.updated")
    lead = new_lead()
    crm.follow()
    first = crm.due()
    organization.member.patch(f"/api/leads/{lead['id']}", {"notes": "Called."}, status=200)
    wait_for_writers(organization.owner)
    statement = "update app.webhook_deliveries set status = 'delivered', next_attempt_at = null where id = %s"
    held_up(organization.owner, statement, first, crm.follow_once)
    assert len(crm.due()) == 1
    assert crm.due() != first


def test_an_organization_with_many_webhooks_takes_turns_with_the_others(hook, new_lead, organization):
    many = [hook("lead.created") for _ in range(3)]
    new_lead()
    wait_for_writers(organization.owner)
    many[0].follow_once()
    assert len(many[0].due()) <= 1
    many[0].follow()
    assert len(many[0].due()) == 3


def test_a_webhook_of_another_worker_is_taken_over_only_when_it_is_gone(crm, new_lead, receiver):
    new_lead()
    crm.follow()
    (id,) = crm.due()
    with ThreadPoolExecutor(3) as threads:
        assert sorted(threads.map(crm.send, [id] * 3)) == [False, False, True]
    assert len(receiver.received) == 1
    crm.set(status="'pending'", next_attempt_at="now()", completed_at="null", started_at="now()")
    assert (crm.due(), crm.send(id)) == ([], False)
    crm.set(started_at="now() - interval '16 seconds'")
    assert (crm.due(), crm.send(id)) == ([id], True)


def test_five_at_once_for_a_webhook_eight_for_all_and_one_for_what_fails(hook, new_lead, organization, failing_since):
    hooks = [hook("lead.created"), hook("lead.created")]
    for _ in range(10):
        new_lead()
    for one in hooks:
        one.follow()

    def leased():
        rows = organization.owner.execute("select organization_id, id from app.webhook_lease(1000, 8, '10 s')")
        return [id for found, id in rows.fetchall() if found == organization.id]

    first = leased()
    assert len(first) == 8
    assert max(sum(delivery["id"] in first for delivery in one.deliveries()) for one in hooks) <= 5
    assert leased() == []
    for one in hooks:
        one.set(leased_until="null")
        failing_since(one)
    assert len(leased()) == 2


def test_organizations_take_turns(crm, organization, new_organization, jobs, settings, receiver, owner):
    for _ in range(10):
        organization.insert("leads", first_name="Pat")
    other = new_organization()
    theirs = Hook(other, jobs, settings, receiver.url, ["lead.created"])
    other.insert("leads", first_name="Kim")
    theirs.follow()
    crm.follow()
    both = [organization.id, other.id]
    owner.execute("update app.webhooks set active = false where organization_id <> all(%s)", [both])
    rows = owner.execute("select organization_id from app.webhook_lease(2, 8, '10 s')").fetchall()
    assert sorted(id for (id,) in rows) == sorted(both)


@pytest.mark.parametrize("moves", [False, True])
def test_a_receiver_that_is_gone_pauses_its_webhook_unless_it_moves(crm, new_lead, organization, receiver, moves):
    def gone(handler, _number):
        if moves:
            organization.admin.patch(crm.path, {"url": f"{receiver.url}/new"}, status=200)
        respond(handler, 410)

    new_lead()
    receiver.answer = gone
    crm.work()
    shown = crm.shown()
    assert (shown["active"], shown["paused_at"] is None) == (moves, moves)
    assert shown["paused_reason"] == (None if moves else "receiver_gone")
    assert [delivery["status"] for delivery in crm.deliveries()] == ["pending"]


def test_after_five_days_a_webhook_is_paused_and_told_of(crm, new_lead, organization, receiver, failing_since, post):
    new_lead()
    receiver.answer = failing
    crm.work()
    assert crm.shown()["failing_since"] is not None
    failing_since(crm, days=5)
    crm.hurry()
    crm.work()
    paused = crm.shown()
    assert (paused["active"], paused["paused_at"] is not None, paused["paused_reason"]) == (False, True, "no_success")
    crm.hurry()
    assert crm.due() == []
    post.deliver(organization)
    titles = [told["title"] for told in organization.admin.get("/api/notifications").json["data"]]
    assert titles == ["Webhook paused: 127.0.0.1/hook"]
    again = organization.admin.patch(crm.path, {"active": True}, status=200).json
    assert (again["paused_at"], again["paused_reason"], again["failing_since"]) == (None, None, None)


KEY_LOSSES = {
    "key_revoked": "revoked_at = now()",
    "key_expired": "expires_at = now()",
    "scope_missing": "scopes = '{webhooks:write}'",
}


@pytest.mark.parametrize(("reason", "change"), KEY_LOSSES.items())
def test_a_webhook_is_paused_when_the_key_that_made_it_may_no_longer_read_its_records(
    reason, change, new_lead, organization, receiver, jobs, settings, owner
):
    key = organization.key("webhooks:write", "leads:read", role="admin")
    crm = Hook(organization, jobs, settings, receiver.url, ["lead.created"], client=key)
    new_lead()
    crm.work()
    owner.execute(f"update app.api_keys set {change} where organization_id = %s", [organization.id])
    new_lead()
    crm.work()
    assert len(receiver.received) == 1
    assert (crm.shown()["active"], crm.shown()["paused_reason"]) == (False, reason)


def test_nothing_is_sent_again_after_the_key_has_expired(new_lead, organization, receiver, jobs, settings, owner):
    key = organization.key("webhooks:write", "leads:read", role="admin")
    crm = Hook(organization, jobs, settings, receiver.url, ["lead.created"], client=key)
    receiver.answer = failing
    new_lead()
    crm.work()
    with owner.transaction():
        # Time passes without a change.
        owner.execute("set local session_replication_role = replica")
        owner.execute("update app.api_keys set expires_at = now() where organization_id = %s", [organization.id])
    crm.hurry()
    crm.work()
    assert (len(receiver.received), crm.shown()["active"]) == (1, False)


def test_a_test_message_is_sent_once_and_pauses_nothing(crm, organization, receiver):
    receiver.answer = failing
    made = organization.admin.post(f"{crm.path}/test", status=200).json
    crm.work()
    assert crm.verified(receiver.received[0])["type"] == "webhook.test"
    (delivery,) = crm.deliveries(status="failed")
    assert (delivery["id"], delivery["attempts"]) == (made["id"], 1)
    assert crm.shown()["failing_since"] is None


def test_old_and_deleted_deliveries_are_removed(crm, hook, new_lead, organization, owner, jobs, settings):
    deleted = hook("lead.created")
    for _ in range(2):
        new_lead()
    crm.work()
    first = crm.deliveries()[0]["id"]
    owner.execute("update app.webhook_deliveries set completed_at = now() - interval '31 days' where id = %s", [first])
    organization.admin.delete(deleted.path, status=204)
    owner.execute("update app.webhooks set deleted_at = now() - interval '1 day' where id = %s", [deleted.id])
    run(jobs, settings, "purge_webhook_deliveries")
    assert len(crm.deliveries()) == 1
    left = "select count(*) from app.webhook_secrets where webhook_id = %s"
    assert owner.execute(left, [deleted.id]).fetchone()[0] == 0


@pytest.mark.parametrize(
    ("answer", "attempts", "outcome"), [(None, 0, "delivered"), (failing, 0, "postponed"), (failing, 7, "given_up")]
)
def test_each_attempt_is_counted_by_what_became_of_it(crm, new_lead, receiver, answer, attempts, outcome):
    def counted():
        return REGISTRY.get_sample_value("pipeline_webhook_seconds_count", {"outcome": outcome}) or 0

    before = counted()
    receiver.answer = answer
    new_lead()
    crm.follow()
    crm.set(attempts=attempts)
    crm.work()
    assert counted() - before == 1


def test_webhooks_are_counted_by_how_they_fare_and_inactive_ones_not_at_all(
    hook, failing_since, organization, wsgi, owner
):
    def counted():
        with wsgi.registry.app.transaction():
            return {row["state"]: row["webhooks"] for row in queries.webhooks_counted()}

    (paused, faltering, inactive, _working), before = [hook("lead.created") for _ in range(4)], counted()
    for one in (paused, faltering):
        failing_since(one)
    owner.execute("update app.webhooks set active = false, paused_at = now() where id = %s", [paused.id])
    organization.admin.patch(inactive.path, {"active": False}, status=200)
    changes = {name: number - before[name] for name, number in counted().items()}
    assert changes == {"failing": 1, "paused": 1, "working": -3}


@pytest.mark.parametrize(
    ("code", "retry_after", "waits"),
    [
        (429, "120", 120),
        (503, "120", 120),
        (429, "3600", 3600),
        (429, "86400", 3600),
        (429, "1", 5),
        (503, "Sat, 31 Jan 2099 09:30:00 GMT", 3600),
        (429, "Fri, 31 Jan 2020 09:30:00 GMT", 5),
        (429, "soon", 5),
        (429, "", 5),
        (429, "-7", 5),
        (429, "9" * 5000, 3600),
        (503, "Fri, 31 Dec 9999 23:59:59 -2300", 5),
        (503, "Mon, 1 Jan 2024 00:00:00 +99999999999999", 5),
        (500, "120", 5),
        (302, "120", 5),
    ],
)
def test_a_busy_receiver_says_when_it_is_tried_again(crm, new_lead, receiver, owner, code, retry_after, waits):
    receiver.answer = lambda handler, _number: respond(handler, code, **{"Retry-After": retry_after})
    new_lead()
    crm.work()
    query = "select round(extract(epoch from next_attempt_at - updated_at)) from app.webhook_deliveries"
    assert owner.execute(f"{query} where webhook_id = %s", [crm.id]).fetchone() == (waits,)


@pytest.mark.parametrize("ends", ["in time", "by activation"])
def test_no_other_message_is_sent_while_a_busy_receiver_rests(crm, new_lead, organization, receiver, owner, ends):
    receiver.answer = lambda handler, number: respond(handler, 429 if number == 1 else 204, **{"Retry-After": 600})
    new_lead()
    crm.work()
    new_lead()
    crm.work()
    assert (len(receiver.received), crm.due()) == (1, [])
    if ends == "in time":
        owner.execute("update app.webhook_states set rests_until = now() where webhook_id = %s", [crm.id])
    else:
        for active in (False, True):
            organization.admin.patch(crm.path, {"active": active}, status=200)
    crm.hurry()
    crm.work()
    assert len(receiver.received) == 3
