"""One organization's mail does not delay another's: a real worker, a real mail server, and the worst to be sent."""

import contextlib
import dataclasses
import socket

import pytest

from pipeline import mail
from pipeline.database import Database
from pipeline.database.effects import organization as context
from pipeline.process.settings import load
from tests.mail.mailserver import MailServer
from tests.waiting import SECONDS, wait_until
from tests.worker.running import delivered
from tests.worker.test_worker import start as start


@pytest.fixture
def server():
    with MailServer() as running:
        yield running


@pytest.fixture
def send(postgres):
    """send(outbox, recipient, count): queue emails of an organization."""
    environ = {"DATABASE_URL": postgres.url("pipeline_jobs"), "JWT_SECRET": "x" * 32}
    settings = dataclasses.replace(load({}, environ), mail_from="mail@pipeline.example")
    database = Database(settings.database_url, 2)

    def queue(outbox, recipient, count=1):
        with context(database, outbox.organization_id):
            for number in range(count):
                mail.queue(
                    settings,
                    mail.Letter("Hi", "Hi", "<p>Hi</p>"),
                    to_email=recipient,
                    to_name="Pat",
                    effect_key=f"{recipient} {number}",
                )

    yield queue
    database.close()


def sending(start, url, **environ):
    """A worker that sends to this mail server."""
    options = {"MAIL_TRANSPORT": "smtp", "SMTP_URL": url, "MAIL_FROM": "mail@pipeline.example", **environ}
    return start(**options)


def arrived(server, recipient):
    """Whether the mail server has taken an email to them."""
    return lambda: any(to == recipient for _, to, _ in list(server.accepted))


@pytest.mark.long
def test_500_emails_of_one_organization_do_not_delay_the_email_of_another(start, events, others, server, send):
    sending(start, server.url)
    send(events, "many@prospect.example", 500)
    wait_until(arrived(server, "many@prospect.example"))
    send(others, "one@prospect.example")
    wait_until(arrived(server, "one@prospect.example"))
    assert len(server.accepted) < 400


@pytest.mark.long
def test_addresses_that_the_mail_server_is_slow_about_hold_up_their_own_organization_alone(
    start, events, others, server, send
):
    server.slow["slow@prospect.example"] = 10 * SECONDS
    sending(start, server.url, WORKER_THREADS="4", MAIL_TIMEOUT=str(10 * SECONDS))
    send(events, "slow@prospect.example", 20)
    wait_until(lambda: server.connections == 2)
    for number in range(3):
        send(others, f"{number}@prospect.example")
        wait_until(arrived(server, f"{number}@prospect.example"))
    assert server.connections == 5


def test_while_the_mail_server_is_silent_the_other_effects_of_others_go_on(start, events, others, send):
    with contextlib.closing(socket.create_server(("127.0.0.1", 0))) as silent:
        url = f"smtp://127.0.0.1:{silent.getsockname()[1]}"
        sending(start, url, WORKER_THREADS="4", MAIL_TIMEOUT=str(10 * SECONDS))
        send(events, "pat@prospect.example", 20)
        with contextlib.closing(silent.accept()[0]):
            others.add()
            wait_until(delivered(others, 1))
