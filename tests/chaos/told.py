"""The receiver of a webhook during the faults, and the conditions for its messages."""

import time
from collections import Counter, defaultdict
from datetime import UTC, datetime

from standardwebhooks import Webhook

from pipeline.changes.webhooks.events import EVENTS, SUBJECTS
from pipeline.database import loads
from tests.chaos.client import Client
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

SIGNATURES = """
    select r.id, r.status, (select count(*) from app.signature_signers s where s.organization_id = r.organization_id
        and s.request_id = r.id and s.status = 'signed')
    from app.signature_requests r where r.organization_id = %s"""


def subscribe(place, ledger, receiver):
    """Make a webhook of all events; answers its record, with the secret."""
    client = Client(place, ledger)
    body = {"url": receiver.url, "events": list(EVENTS)}
    made, _ = client.insist("webhook", "POST", "/api/webhooks", body, good=(201,))
    client.close()
    return made.body


def refuse(handler, _number):
    respond(handler, 503)


def slow(handler, _number):
    time.sleep(0.5)
    respond(handler, 200)


def unread(handler, _number):
    """Take the message and break off before the answer."""
    handler.close_connection = True


class Told:
    """The messages of a Receiver beside the database; `rows(statement)` has the organization as its one parameter."""

    def __init__(self, rows, receiver, secret):
        self.rows, self.received, self.secret = rows, receiver.received, secret

    def violations(self):
        """A sentence for each message that is missing, invented, changed or out of order."""
        known = {message_id: (id, *rest) for message_id, id, *rest in self.rows(MESSAGES)}
        yield from self._invented(known)
        came = {message.headers["webhook-id"] for message in self.received}
        for message_id, (_, _, type, id, status, error) in known.items():
            if status != "delivered" or message_id not in came:
                yield f"a message about {type} {id} is {status}, came: {message_id in came}, {error}"
        yield from self._missing()
        yield from self._disorder(known)

    def _invented(self, known):
        for message in self.received:
            delivery = known.get(message.headers["webhook-id"])
            if delivery is None or delivery[1] != message.body.decode():
                yield f"the message {message.headers['webhook-id']} is not the service's"
            # `verify` would find it too old by now.
            at = datetime.fromtimestamp(int(message.headers["webhook-timestamp"]), UTC)
            signature = Webhook(self.secret).sign(message.headers["webhook-id"], at, message.body.decode())
            if message.headers["webhook-signature"] != signature:
                yield f"the message {message.headers['webhook-id']} is not signed with the secret"

    def _missing(self):
        events = {message.headers["webhook-id"]: loads(message.body) for message in self.received}
        told = Counter((event["type"], event["data"]["id"]) for event in events.values())
        for type, id, action, times in self.rows(CHANGED):
            subject = SUBJECTS.get(type)
            if subject not in (None, "interview", "signature") and told[f"{subject}.{action}", id] != times:
                yield f"{subject}.{action} of {id} was told {told[f'{subject}.{action}', id]} times, not {times}"
        submitted = self.rows(
            # Those of the measurements before are older than the webhook.
            """select invite.id from app.interview_invites as invite join app.webhooks as hook using (organization_id)
               where organization_id = %s and invite.status = 'submitted' and submitted_at > hook.created_at"""
        )
        for (id,) in submitted:
            if told["interview.submitted", id] != 1:
                yield f"interview.submitted of {id} was told {told['interview.submitted', id]} times"
        for id, status, signed in self.rows(SIGNATURES):
            found = tuple(told[f"signature.{event}", id] for event in ("sent", "signed", status))
            if found != (1, signed, 1):
                yield f"the signature request {id} was told as sent, signed and {status} {found} times"

    def _disorder(self, known):
        last = defaultdict(int)
        for message in self.received:
            id, _, *record = known.get(message.headers["webhook-id"], (0, "", "", 0, "", ""))[:4]
            if id < last[tuple(record)]:
                yield f"a message about {record} came after a later one"
            last[tuple(record)] = max(id, last[tuple(record)])
