"""The story of an integration, as docs/webhooks.md tells it: a program mirrors an organization's leads.

It has a key with two scopes, a webhook, and the change feed. Another client makes, changes and deletes leads; meanwhile
the program's receiver is slow, out of order, and breaks off. In the end it has been told of everything, in order.
"""

import os
import sys
import time
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from standardwebhooks import Webhook

from pipeline.database import loads
from tests.support import Api
from tests.waiting import SECONDS, started, wait_until
from tests.webhooks.conftest import receiver as receiver
from tests.webhooks.receiver import respond

ROOT = Path(__file__).resolve().parents[2]
LEADS = 60
EVENTS = ["lead.created", "lead.updated", "lead.qualified", "lead.deleted"]
# What waits for its next try is tried at once.
HURRY = """
    update app.webhook_deliveries set next_attempt_at = now()
    where webhook_id = %s and status = 'pending' and next_attempt_at > now()"""
# Open deliveries, and changes that are not followed yet.
LEFT = """
    select (select count(*) from app.webhook_deliveries d where d.organization_id = w.organization_id
            and d.webhook_id = w.webhook_id and d.status = 'pending')
        + (select count(*) from app.changes c where c.organization_id = w.organization_id
           and (c.transaction_id, c.id) > (w.after_transaction, w.after_id))
    from app.webhook_states w where webhook_id = %s"""


@pytest.fixture
def worker(login_url, redis_url, tmp_path):
    environ = {key: value for key, value in os.environ.items() if not key.startswith(("DATABASE_", "PIPELINE_"))}
    environ |= {"DATABASE_URL": login_url("pipeline_app"), "REDIS_URL": redis_url, "JWT_SECRET": "x" * 32}
    environ |= {"PUBLIC_URL": "https://pipeline.example", "MAIL_TRANSPORT": "log", "WEBHOOK_ALLOW_PRIVATE": "true"}
    with (tmp_path / "worker.log").open("w") as log:
        command = [sys.executable, "-m", "tests.worker.handlers", "webhooks"]
        with started(command, cwd=ROOT, env=environ, stdout=log, stderr=log) as process:
            yield process
            process.terminate()
            assert process.wait(SECONDS) == 0, (tmp_path / "worker.log").read_text()[-3000:]


def sometimes(handler, number):
    """Slow now and then, out of order, or broken off before it has answered."""
    if number % 7 == 0:
        time.sleep(0.05)
    if number % 13:
        respond(handler, 503 if number % 11 == 0 else 200)
    else:
        handler.close_connection = True


def live(client, number):
    """The life of a lead: (its id, what is told of it)."""
    id = client.post("/api/leads", {"first_name": f"Lead {number}"}, status=201).json["id"]
    path, told = f"/api/leads/{id}", ["lead.created"]
    if number % 2:
        client.patch(path, {"notes": "Called."}, status=200)
        told.append("lead.updated")
    if number % 5 == 0:
        client.post(f"{path}/qualify", {}, status=200)
        told += ["lead.updated", "lead.qualified"]
    if number % 10 == 1:
        client.delete(path, status=204)
        told.append("lead.deleted")
    return id, told


def messages_of(receiver, secret):
    """({id of a lead: its events}, {id: its latest record}); a message that came again is the same."""
    told, latest = defaultdict(dict), {}
    for message in receiver.received:
        Webhook(secret).verify(message.body, message.headers)
        body = loads(message.body)
        id = body["data"]["id"]
        assert told[id].setdefault(message.headers["webhook-id"], (body["type"], message.body))[1] == message.body
        latest[id] = body["data"]
    return {id: [event for event, _ in messages.values()] for id, messages in told.items()}, latest


def follow_feed(program, after):
    """How many changes of each lead the feed has after a place."""
    told, more = defaultdict(int), True
    while more:
        answer = program.get(f"/api/changes?after={after}&types=leads&limit=1000", status=200).json
        for change in answer["data"]:
            told[change["id"]] += 1
        after, more = answer["next"], answer["more"]
    return told


def test_a_program_is_told_of_everything_in_order(organization, anonymous, owner, worker, receiver):
    key = {"name": "CRM", "role": "admin", "scopes": ["webhooks:write", "changes:read", "leads:read"]}
    made = organization.admin.post("/api/api-keys", key, status=201).json
    program = Api(anonymous.app, Authorization=f"Bearer {made['key']}")
    hook = program.post("/api/webhooks", {"url": receiver.url, "events": EVENTS}, status=201).json
    start = program.get("/api/changes", status=200).json["next"]

    receiver.answer = sometimes
    with ThreadPoolExecutor(4) as others:
        lives = dict(others.map(lambda number: live(organization.member, number), range(LEADS)))
    wait_until(lambda: owner.execute(HURRY, [hook["id"]]) and not owner.execute(LEFT, [hook["id"]]).fetchone()[0])

    told, latest = messages_of(receiver, hook["secret"])
    assert told == lives
    assert len(receiver.received) > sum(map(len, lives.values())), "nothing was sent again"
    # The feed has the changes alone: a qualification is one of them.
    changes = {id: len(events) - events.count("lead.qualified") for id, events in lives.items()}
    assert follow_feed(program, start) == changes
    page = organization.member.get("/api/leads?per_page=100", status=200).json
    assert page["total"] == len([events for events in lives.values() if "lead.deleted" not in events])
    for lead in page["data"]:
        mirrored = latest[lead["id"]]
        assert [mirrored[name] == lead[name] for name in ("first_name", "notes", "status")] == [True] * 3
