"""Receivers, a name server, and an organization's webhooks with the worker's part."""

import dataclasses

import pytest
from standardwebhooks import Webhook

from pipeline.changes.webhooks import addresses
from pipeline.changes.webhooks.following import follow_all
from pipeline.changes.webhooks.sending import send
from pipeline.database import loads, queries
from tests.waiting import wait_for_writers
from tests.webhooks.receiver import NameServer, Receiver

WEBHOOKS = "/api/webhooks"


@pytest.fixture
def receiver():
    """A Receiver that accepts everything."""
    running = Receiver()
    yield running
    running.stop()


@pytest.fixture
def names(monkeypatch):
    """The NameServer for all hosts."""
    server = NameServer()
    resolver = server.resolver()
    monkeypatch.setattr(addresses, "resolver", lambda: resolver)
    addresses._own_addresses.cache_clear()
    yield server
    server.close()
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
        while follow_all(self.jobs, self.settings):
            pass

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
                send(self.jobs, self.settings, self.organization.id, id)

    def deliveries(self, **query):
        """The records, oldest first."""
        text = "&".join(f"{name}={value}" for name, value in {"per_page": 100, **query}.items())
        return self.client.get(f"{self.path}/deliveries?{text}", status=200).json["data"][::-1]

    def set(self, **columns):
        """Set columns of its deliveries; values are SQL."""
        values = ", ".join(f"{name} = {value}" for name, value in columns.items())
        self.organization.owner.execute(f"update app.webhook_deliveries set {values} where webhook_id = %s", [self.id])

    def hurry(self):
        """Make pending retries due now."""
        due = "update app.webhook_deliveries set next_attempt_at = now() where webhook_id = %s and status = 'pending'"
        self.organization.owner.execute(due, [self.id])

    def verified(self, message):
        """The message as its receiver reads it; raises WebhookVerificationError."""
        Webhook(self.secret).verify(message.body, message.headers)
        return loads(message.body)


@pytest.fixture
def hook(organization, jobs, settings, receiver):
    """hook(*events, url=…): a Hook to the receiver."""
    return lambda *events, url=receiver.url, **fields: Hook(organization, jobs, settings, url, list(events), **fields)
