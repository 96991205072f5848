"""A mail server, and a worker for it."""

import dataclasses

import pytest

from pipeline import mail
from pipeline.database.effects import organization as context
from tests.mail.delivery import Worker
from tests.mail.mailserver import MailServer
from tests.waiting import SECONDS


@pytest.fixture
def server():
    """A mail server on loopback."""
    with MailServer() as running:
        yield running


@pytest.fixture
def mail_settings(settings, server):
    """The worker's settings; `dataclasses.replace` changes them."""
    return dataclasses.replace(
        settings,
        mail_transport="smtp",
        smtp_url=server.url,
        mail_from="Pipeline <mail@pipeline.example>",
        mail_timeout=SECONDS,
    )


@pytest.fixture
def worker(jobs, mail_settings, organization):
    """The worker of the test's organization."""
    return Worker(jobs, mail_settings, organization.id)


@pytest.fixture
def queued(worker):
    """queued(to_email, key): the id of a new email."""

    def queue(to_email="pat@prospect.example", key="test:1"):
        with context(worker.database, worker.organization_id):
            return mail.queue(
                worker.settings, mail.Letter(key, "Hi", "<p>Hi</p>"), to_email=to_email, to_name="Pat", effect_key=key
            )

    return queue


@pytest.fixture
def state(owner):
    """state(id): (status, error) of an email."""
    return lambda id: owner.execute("select status, error from app.emails where id = %s", (id,)).fetchone()
