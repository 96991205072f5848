"""A mail server, and a worker for it."""

import pytest

from pipeline import mail
from pipeline.database.effects import organization as context
from tests.mail.delivery import Worker, sending_by
from tests.mail.mailserver import MailServer


@pytest.fixture
def server():
    with MailServer() as running:
        yield running


@pytest.fixture
def mail_settings(settings, server):
    """The worker's settings; `dataclasses.replace` changes them."""
    return sending_by(server, settings)


@pytest.fixture
def worker(jobs, mail_settings, organization):
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


@pytest.fixture
def shown(member):
    """shown(invite): the present record of an invite."""
    return lambda invite: member.get(f"/api/interview-invites/{invite['id']}", status=200).json


@pytest.fixture
def cut(owner):
    """cut(…): ends the worker's connections to the database."""
    ours = "select pg_terminate_backend(pid) from pg_stat_activity where usename = 'pipeline_jobs' and datname = %s"
    return lambda *_: owner.execute(ours, (owner.info.dbname,))
