"""The receiver of a webhook during the faults, and the conditions for its messages."""

import time
from collections import Counter, defaultdict
from datetime import UTC, datetime

from standardwebhooks import Webhook

from pipeline.changes.webhooks.events import SUBJECTS
from pipeline.database import loads
from tests.webhooks.receiver import respond

TROUBLES = ("away", "refuse", "slow", "unread")
# What was committed since the webhook is there; documents that were made are told of by an event of their own.
CHANGED = """
    select type, record_id, action, count(*)
    from app.changes change join app.webhook_states state using (organization_id)
    where organization_id = %s and not coalesce(changed - 'documents' = '{}', false)
        and not pg_visible_in_snapshot(transaction_id::text::xid8, state.since)
    group by type, record_id, action"""

# The service keeps a webhook's newest 10,000 messages and removes older ones each hour, in the midst of a story.
KEEP = """
    create table public.removed_messages (like app.webhook_deliveries);
    create function public.keep_removed() returns trigger
    language plpgsql security definer set search_path = public as
    $$begin insert into removed_messages select old.*; return null; end$$;
    create trigger keep_removed after delete on app.webhook_deliveries
    for each row execute function public.keep_removed()"""
MESSAGES = """
    select message_id, id, body, record_type, record_id, status, error
    from (table app.webhook_deliveries union all table public.removed_messages) as message
    where organization_id = %s"""

# How often each event of a signature request is to be told: as often as the evidence has it.
SIGNATURES = """
    select r.id, e.event, count(*)
    from app.signature_requests r
    join app.signature_events e on e.organization_id = r.organization_id and e.request_id = r.id
    where r.organization_id = %s and e.event in ('sent', 'viewed', 'signed', 'declined', 'completed')
    group by r.id, e.event"""


def refuse(handler, _number):
    respond(handler, 503)


def slow(handler, _number):
    time.sleep(0.5)
    respond(handler, 200)


def unread(handler, _number):
    """Take the message and break off before the answer."""
    handler.close_connection = True


def violations(rows, received, secret):
    """A sentence for each message that is missing, invented, changed or out of order.

    `rows(statement)` has the organization as its one parameter, `received` are a Receiver's messages.
    """
    known = {message_id: (id, *rest) for message_id, id, *rest in rows(MESSAGES)}
    yield from invented(known, received, secret)
    came = {message.headers["webhook-id"] for message in received}
    for message_id, (_, _, type, id, status, error) in known.items():
        if status != "delivered" or message_id not in came:
            yield f"a message about {type} {id} is {status}, came: {message_id in came}, {error}"
    yield from missing(rows, received)
    yield from disorder(known, received)


def invented(known, received, secret):
    for message in received:
        delivery = known.get(message.headers["webhook-id"])
        if delivery is None or delivery[1] != message.body.decode():
            yield f"the message {message.headers['webhook-id']} is not the service's"
        # `verify` would find it too old by now.
        at = datetime.fromtimestamp(int(message.headers["webhook-timestamp"]), UTC)
        signature = Webhook(secret).sign(message.headers["webhook-id"], at, message.body.decode())
        if message.headers["webhook-signature"] != signature:
            yield f"the message {message.headers['webhook-id']} is not signed with the secret"


def missing(rows, received):
    events = {message.headers["webhook-id"]: loads(message.body) for message in received}
    told = Counter((event["type"], event["data"]["id"]) for event in events.values())
    for type, id, action, times in rows(CHANGED):
        subject = SUBJECTS.get(type)
        if subject not in (None, "interview", "signature") and told[f"{subject}.{action}", id] != times:
            yield f"{subject}.{action} of {id} was told {told[f'{subject}.{action}', id]} times, not {times}"
    submitted = "select id from app.interview_invites where organization_id = %s and status = 'submitted'"
    for (id,) in rows(submitted):
        if told["interview.submitted", id] != 1:
            yield f"interview.submitted of {id} was told {told['interview.submitted', id]} times"
    for id, event, times in rows(SIGNATURES):
        found = told[f"signature.{event}", id]
        if found != times:
            yield f"signature.{event} of {id} was told {found} times, not {times}"


def disorder(known, received):
    last = defaultdict(int)
    for message in received:
        id, _, *record = known.get(message.headers["webhook-id"], (0, "", "", 0, "", ""))[:4]
        if id < last[tuple(record)]:
            yield f"a message about {record} came after a later one"
        last[tuple(record)] = max(id, last[tuple(record)])
