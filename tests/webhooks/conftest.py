import dataclasses
from types import SimpleNamespace

import dns.exception
import pytest
from standardwebhooks import Webhook

from pipeline.changes.webhooks import addresses
from pipeline.changes.webhooks.following import follow_all
from pipeline.changes.webhooks.sending import send
from pipeline.database import loads, queries
from tests.waiting import wait_for_writers
from tests.webhooks.receiver import Receiver

WEBHOOKS = "/api/webhooks"


@pytest.fixture
def receiver():
    running = Receiver()
    yield running
    running.stop()


class Names:
    """What name servers tell: {host: [addresses of the first look-up, of the second, …]}; the last one repeats."""

    def __init__(self):
        self.names, self.asked = {}, []

    def resolve_name(self, name, lifetime):
        """As dns.resolver.Resolver does."""
        host = name.to_text(omit_final_dot=True)
        self.asked.append(host)
        answers = self.names.get(host, [[]])
        found = answers[min(self.asked.count(host), len(answers)) - 1]
        if not found:
            raise dns.exception.DNSException
        return SimpleNamespace(addresses=lambda: found)


@pytest.fixture
def names(monkeypatch):
    made = Names()
    monkeypatch.setattr(addresses, "resolver", lambda: made)
    addresses._own_addresses.cache_clear()
    yield made
    addresses._own_addresses.cache_clear()


@pytest.fixture
def strict(settings):
    """The settings of production: private addresses are refused."""
    return dataclasses.replace(settings, webhook_allow_private=False)


class Hook:
    """A webhook of the organization with its worker: `work()` follows the changes and sends, once."""

    def __init__(self, organization, jobs, settings, url, events, client=None, **fields):
        self.organization, self.jobs, self.settings = organization, jobs, settings
        self.client = client or organization.admin
        self.record = self.client.post(WEBHOOKS, {"url": url, "events": events, **fields}, status=201).json
        self.id, self.secret = self.record["id"], self.record["secret"]
        self.path = f"{WEBHOOKS}/{self.id}"

    def follow(self):
        """Create deliveries of all changes."""
        wait_for_writers(self.organization.owner)
        while self.follow_once():
            pass

    def follow_once(self):
        return follow_all(self.jobs, self.settings)

    def due(self):
        """The ids of the deliveries that the relay would lease now."""
        with self.jobs.of(self.organization.id).transaction():
            leased = queries.webhook_lease(limit=1000, each=1000, seconds=0)
        return sorted(row["id"] for row in leased if row["organization_id"] == self.organization.id)

    def work(self):
        """Send due deliveries until none is due."""
        self.follow()
        while due := self.due():
            for id in due:
                self.send(id)

    def send(self, id):
        """Whether it was this worker's to send."""
        return send(self.jobs, self.settings, self.organization.id, id)

    def deliveries(self, **query):
        """The records, oldest first."""
        text = "&".join(f"{name}={value}" for name, value in {"per_page": 100, **query}.items())
        return self.client.get(f"{self.path}/deliveries?{text}", status=200).json["data"][::-1]

    def shown(self):
        return self.organization.admin.get(self.path, status=200).json

    def set(self, **columns):
        """Set columns of its deliveries; values are SQL."""
        values = ", ".join(f"{name} = {value}" for name, value in columns.items())
        self.organization.owner.execute(f"update app.webhook_deliveries set {values} where webhook_id = %s", [self.id])

    def hurry(self):
        """Make pending retries due now."""
        self.set(next_attempt_at="case status when 'pending' then now() end")

    def verified(self, message):
        """The message as its receiver reads it; raises WebhookVerificationError."""
        Webhook(self.secret).verify(message.body, message.headers)
        return loads(message.body)


@pytest.fixture
def hook(organization, jobs, settings, receiver):
    """hook(*events, url=…): a Hook to the receiver."""
    return lambda *events, url=receiver.url, **fields: Hook(organization, jobs, settings, url, list(events), **fields)


@pytest.fixture
def crm(hook):
    """A Hook that is told of new leads."""
    return hook("lead.created")


@pytest.fixture
def new_lead(organization):
    """new_lead(**fields): the record of a lead that a member has made."""
    return lambda **fields: organization.member.post("/api/leads", {"first_name": "Pat", **fields}, status=201).json
