"""Deliveries: signed, at least once, in order for each record, and given up late."""

import json
from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest
from prometheus_client import REGISTRY
from standardwebhooks import Webhook, WebhookVerificationError

from pipeline.changes.webhooks.following import follow_all
from pipeline.changes.webhooks.sending import PAUSES, send
from pipeline.database import queries
from pipeline.worker.jobs import run
from tests.support import wait_until_waiting
from tests.waiting import wait_for_writers
from tests.webhooks.conftest import Hook
from tests.webhooks.receiver import respond


def make_lead(organization, name="Pat"):
    return organization.member.post("/api/leads", {"first_name": name}, status=201).json


def failing(handler, _number):
    respond(handler, 500, b"Out of order.\0" + b"x" * 2000)


def test_a_message_is_signed_as_the_specification_says(hook, organization, receiver):
    crm = hook("lead.created")
    lead = make_lead(organization)
    crm.work()
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


def test_after_a_rotation_both_secrets_sign_for_a_day(hook, organization, receiver, owner):
    crm = hook("lead.created")
    old = crm.secret
    crm.secret = organization.admin.post(f"{crm.path}/rotate", status=200).json["secret"]
    make_lead(organization)
    crm.work()
    for secret in (old, crm.secret):
        Webhook(secret).verify(receiver.received[0].body, receiver.received[0].headers)
    owner.execute("update app.webhook_secrets set expires_at = now() where expires_at is not null")
    make_lead(organization)
    crm.work()
    crm.verified(receiver.received[1])
    with pytest.raises(WebhookVerificationError):
        Webhook(old).verify(receiver.received[1].body, receiver.received[1].headers)


def test_a_second_rotation_ends_the_oldest_secret_at_once(hook, organization, receiver):
    crm = hook("lead.created")
    secrets = [crm.secret] + [organization.admin.post(f"{crm.path}/rotate").json["secret"] for _ in range(2)]
    make_lead(organization)
    crm.work()
    assert len(receiver.received[0].headers["webhook-signature"].split()) == 2
    with pytest.raises(WebhookVerificationError):
        Webhook(secrets[0]).verify(receiver.received[0].body, receiver.received[0].headers)


def test_a_failure_is_tried_again_after_growing_pauses_and_given_up_in_the_end(hook, organization, receiver, owner):
    crm = hook("lead.created")
    make_lead(organization)
    receiver.answer = failing
    waits = []
    for _ in range(len(PAUSES) + 1):
        crm.work()
        query = "select round(extract(epoch from next_attempt_at - updated_at)) from app.webhook_deliveries"
        waits.append(owner.execute(f"{query} where webhook_id = %s", [crm.id]).fetchone()[0])
        if waits[-1] is not None:
            crm.set(next_attempt_at="now()")
    assert waits == [5, 60, 300, 1800, 7200, 28800, 86400, None]
    (delivery,) = crm.deliveries()
    assert (delivery["status"], delivery["attempts"], delivery["code"]) == ("failed", 8, 500)
    assert delivery["error"] == "The receiver answered 500."
    assert (delivery["answer"][:16], len(delivery["answer"])) == ("Out of order.xxx", 1023)
    assert len({message.headers["webhook-id"] for message in receiver.received}) == 1


def test_a_delivery_is_read_with_its_payload_by_callers_who_may_read_the_record(hook, organization, receiver):
    crm = hook("lead.created")
    make_lead(organization)
    crm.work()
    (listed,) = crm.deliveries()
    path = f"{crm.path}/deliveries/{listed['id']}"
    shown = organization.admin.get(path, status=200).json
    assert shown == {**listed, "payload": json.loads(receiver.received[0].body)}
    for scope, payload in (("leads:read", shown["payload"]), ("records:read", None)):
        key = organization.key("webhooks:read", scope, role="admin")
        assert key.get(path, status=200).json["payload"] == payload
    organization.admin.get(f"{crm.path}/deliveries/9000000000", status=404)


def test_a_redelivery_carries_the_same_id_and_body(hook, organization, receiver):
    crm = hook("lead.created")
    make_lead(organization)
    crm.work()
    delivery = crm.deliveries()[0]
    again = organization.admin.post(f"{crm.path}/deliveries/{delivery['id']}/redeliver", status=200).json
    assert (again["id"], again["status"]) == (delivery["id"], "pending")
    crm.work()
    first, second = receiver.received
    assert (first.headers["webhook-id"], first.body) == (second.headers["webhook-id"], second.body)
    organization.admin.post(f"{crm.path}/deliveries/9000000000/redeliver", status=404)


def test_a_large_message_is_kept_until_it_is_delivered_and_not_sent_again(hook, organization, receiver, owner):
    crm = hook("company.created")
    organization.insert("companies", name="Acme")
    crm.follow()
    crm.set(body="rpad(body, 70000)")
    crm.work()
    (delivery,) = crm.deliveries()
    assert (delivery["status"], len(receiver.received[0].body)) == ("delivered", 70000)
    refused = organization.admin.post(f"{crm.path}/deliveries/{delivery['id']}/redeliver", status=409)
    assert refused.json["code"] == "message_gone"
    assert organization.admin.get(f"{crm.path}/deliveries/{delivery['id']}").json["payload"] is None


def test_the_messages_about_one_record_wait_for_each_other_and_for_no_other_record(hook, organization, receiver):
    crm = hook("lead.created", "lead.updated")
    lead = make_lead(organization)
    organization.member.patch(f"/api/leads/{lead['id']}", {"notes": "Called."}, status=200)
    make_lead(organization, "Kim")
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


def test_a_message_that_is_made_while_the_one_before_it_is_closed_is_not_forgotten(
    hook, organization, owner_url, jobs, settings
):
    crm = hook("lead.created", "lead.updated")
    lead = make_lead(organization)
    crm.follow()
    first = crm.due()
    organization.member.patch(f"/api/leads/{lead['id']}", {"notes": "Called."}, status=200)
    with psycopg.connect(organization.server(owner_url)) as closing, ThreadPoolExecutor(1) as threads:
        statement = "update app.webhook_deliveries set status = 'delivered', next_attempt_at = null where id = %s"
        closing.execute(statement, first)
        following = threads.submit(follow_all, jobs, settings)
        wait_until_waiting(closing)
        closing.commit()
        following.result()
    assert len(crm.due()) == 1
    assert crm.due() != first


def test_an_organization_with_many_webhooks_takes_turns_with_the_others(hook, organization, jobs, settings):
    many = [hook("lead.created") for _ in range(3)]
    make_lead(organization)
    wait_for_writers(organization.owner)
    follow_all(jobs, settings)
    assert len(many[0].due()) <= 1
    many[0].follow()
    assert len(many[0].due()) == 3


def test_a_delivery_that_others_send_is_left_alone_and_taken_over_when_they_are_gone(
    hook, organization, receiver, jobs, settings
):
    crm = hook("lead.created")
    make_lead(organization)
    crm.follow()
    (id,) = crm.due()
    with ThreadPoolExecutor(3) as threads:
        done = list(threads.map(lambda _: send(jobs, settings, organization.id, id), range(3)))
    assert (sorted(done), len(receiver.received)) == ([False, False, True], 1)
    crm.set(status="'pending'", next_attempt_at="now()", completed_at="null", started_at="now()")
    assert crm.due() == []
    assert not send(jobs, settings, organization.id, id)
    crm.set(started_at="now() - interval '16 seconds'")
    assert crm.due() == [id]
    assert send(jobs, settings, organization.id, id)


def lease(owner, organization, each=8):
    """How many deliveries of an organization a relay gets, and their ids."""
    rows = owner.execute("select organization_id, id from app.webhook_lease(1000, %s, '10 s')", [each]).fetchall()
    return [id for found, id in rows if found == organization.id]


def test_five_at_once_for_a_webhook_eight_for_an_organization_and_one_for_what_fails(hook, organization, owner):
    hooks = [hook("lead.created"), hook("lead.created")]
    for number in range(10):
        make_lead(organization, f"Pat {number}")
    for one in hooks:
        one.follow()
    first = lease(owner, organization)
    assert len(first) == 8
    assert max(sum(d["id"] in first for d in one.deliveries()) for one in hooks) <= 5
    assert lease(owner, organization) == []
    for one in hooks:
        one.set(leased_until="null")
        owner.execute("update app.webhook_states set failing_since = now() where webhook_id = %s", [one.id])
    assert len(lease(owner, organization)) == 2


def test_organizations_take_turns(hook, organization, new_organization, jobs, settings, receiver, owner):
    crm = hook("lead.created")
    for _ in range(10):
        organization.insert("leads", first_name="Pat")
    other = new_organization()
    theirs = Hook(other, jobs, settings, receiver.url, ["lead.created"])
    other.insert("leads", first_name="Kim")
    theirs.follow()
    crm.follow()
    owner.execute(
        "update app.webhooks set active = false where organization_id <> all(%s)", [[organization.id, other.id]]
    )
    rows = owner.execute("select organization_id from app.webhook_lease(2, 8, '10 s')").fetchall()
    assert sorted(rows) == sorted([(organization.id,), (other.id,)])


def test_a_receiver_that_is_gone_pauses_its_webhook_at_once(hook, organization, receiver, post):
    crm = hook("lead.created")
    make_lead(organization)
    receiver.answer = lambda handler, number: respond(handler, 410)
    crm.work()
    paused = organization.admin.get(crm.path, status=200).json
    assert (paused["active"], paused["paused_at"] is not None) == (False, True)
    assert [delivery["status"] for delivery in crm.deliveries()] == ["pending"]
    post.deliver(organization)
    (told,) = organization.admin.get("/api/notifications", status=200).json["data"]
    assert told["title"].startswith("Webhook paused")


def test_a_receiver_that_is_gone_does_not_pause_a_webhook_whose_url_has_changed(hook, organization, receiver):
    crm = hook("lead.created")
    make_lead(organization)

    def moving(handler, number):
        organization.admin.patch(crm.path, {"url": f"{receiver.url}/new"}, status=200)
        respond(handler, 410)

    receiver.answer = moving
    crm.work()
    assert organization.admin.get(crm.path, status=200).json["active"] is True
    assert [delivery["status"] for delivery in crm.deliveries()] == ["pending"]


def test_after_five_days_without_a_success_a_webhook_is_paused_and_the_administrators_are_told(
    hook, organization, receiver, owner, post, jobs, settings
):
    crm = hook("lead.created")
    make_lead(organization)
    receiver.answer = failing
    crm.work()
    assert crm.client.get(crm.path).json["failing_since"] is not None
    owner.execute(
        "update app.webhook_states set failing_since = now() - interval '5 days' where webhook_id = %s", [crm.id]
    )
    crm.set(next_attempt_at="now()")
    crm.work()
    paused = organization.admin.get(crm.path, status=200).json
    assert (paused["active"], paused["paused_at"] is not None) == (False, True)
    crm.set(next_attempt_at="now()")
    assert crm.due() == []
    post.deliver(organization)
    titles = [told["title"] for told in organization.admin.get("/api/notifications").json["data"]]
    assert titles == ["Webhook paused: 127.0.0.1"]
    again = organization.admin.patch(crm.path, {"active": True}, status=200).json
    assert (again["paused_at"], again["failing_since"]) == (None, None)


@pytest.mark.parametrize("change", ["scopes = '{webhooks:write}'", "revoked_at = now()", "expires_at = now()"])
def test_a_webhook_is_paused_when_the_key_that_made_it_may_no_longer_read_its_records(
    change, hook, organization, receiver, owner
):
    crm = hook("lead.created")
    organization.key("webhooks:write", "leads:read", role="admin")
    owner.execute(
        "update app.webhooks set created_by = null, created_by_key = (select max(id) from app.api_keys "
        "where organization_id = %s) where id = %s", [organization.id, crm.id]
    )  # fmt: skip
    make_lead(organization)
    crm.work()
    assert len(receiver.received) == 1
    owner.execute(f"update app.api_keys set {change} where organization_id = %s", [organization.id])
    make_lead(organization)
    crm.work()
    assert len(receiver.received) == 1
    assert organization.admin.get(crm.path, status=200).json["active"] is False


def test_a_success_ends_the_count_of_days(hook, organization, receiver, owner):
    crm = hook("lead.created")
    owner.execute(
        "update app.webhook_states set failing_since = now() - interval '4 days' where webhook_id = %s", [crm.id]
    )
    make_lead(organization)
    crm.work()
    assert organization.admin.get(crm.path).json["failing_since"] is None


def test_a_test_message_is_sent_once_and_pauses_nothing(hook, organization, receiver):
    crm = hook("lead.created")
    receiver.answer = failing
    made = organization.admin.post(f"{crm.path}/test", status=200).json
    crm.work()
    assert crm.verified(receiver.received[0])["type"] == "webhook.test"
    (delivery,) = crm.deliveries(status="failed")
    assert (delivery["id"], delivery["attempts"]) == (made["id"], 1)
    assert organization.admin.get(crm.path).json["failing_since"] is None


def test_what_is_old_or_too_much_is_removed(hook, organization, owner, jobs, settings):
    crm, gone = hook("lead.created"), hook("lead.created")
    for _ in range(2):
        make_lead(organization)
    crm.work()
    first = crm.deliveries()[0]["id"]
    owner.execute("update app.webhook_deliveries set completed_at = now() - interval '31 days' where id = %s", [first])
    organization.admin.delete(gone.path, status=204)
    owner.execute("update app.webhooks set deleted_at = now() - interval '1 day' where id = %s", [gone.id])
    run(jobs, settings, "purge_webhook_deliveries")
    assert len(crm.deliveries()) == 1
    left = "select count(*) from app.webhook_secrets where webhook_id = %s"
    assert owner.execute(left, [gone.id]).fetchone()[0] == 0


def tries(outcome):
    """How many attempts this process has counted that became of that outcome."""
    return REGISTRY.get_sample_value("pipeline_webhook_seconds_count", {"outcome": outcome}) or 0


def test_each_attempt_is_counted_by_what_became_of_it(hook, organization, receiver):
    crm, before = hook("lead.created"), [tries(outcome) for outcome in ("delivered", "postponed", "given_up")]
    make_lead(organization)
    crm.work()
    receiver.answer = failing
    make_lead(organization)
    crm.work()
    crm.set(attempts=len(PAUSES))
    crm.hurry()
    crm.work()
    after = [tries(outcome) for outcome in ("delivered", "postponed", "given_up")]
    assert [late - early for late, early in zip(after, before, strict=True)] == [1, 1, 1]


def test_webhooks_are_counted_by_how_they_fare_and_inactive_ones_not_at_all(hook, organization, wsgi):
    def counted():
        with wsgi.registry.app.transaction():
            return {row["state"]: row["webhooks"] for row in queries.webhooks_counted()}

    hooks, before = [hook("lead.created") for _ in range(4)], counted()
    state = "update app.webhook_states set failing_since = now() where webhook_id = any(%s)"
    organization.owner.execute(state, [[hooks[0].id, hooks[1].id]])
    organization.owner.execute("update app.webhooks set active = false, paused_at = now() where id = %s", [hooks[0].id])
    organization.admin.patch(hooks[2].path, {"active": False}, status=200)
    changes = {name: number - before[name] for name, number in counted().items()}
    assert changes == {"failing": 1, "paused": 1, "working": -3}
