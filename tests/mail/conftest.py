"""A mail server, and a worker that sends to it."""

import dataclasses

import pytest

from pipeline.database import Database
from tests.mail.delivery import Worker
from tests.mail.mailserver import MailServer


@pytest.fixture
def server():
    """A mail server on loopback."""
    with MailServer() as running:
        yield running


@pytest.fixture(scope="session")
def jobs(login_url):
    """The pool of the worker's login."""
    database = Database(login_url("pipeline_jobs"), 6)
    yield database
    database.close()


@pytest.fixture
def mail_settings(settings, server):
    """The worker's settings; `dataclasses.replace` changes them."""
    return dataclasses.replace(
        settings, mail_transport="smtp", smtp_url=server.url, mail_from="Pipeline <mail@pipeline.example>",
        mail_timeout=2,
    )


@pytest.fixture
def worker(jobs, mail_settings, organization):
    """The worker of the test's organization."""
    return Worker(jobs, mail_settings, organization.id)
