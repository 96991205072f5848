"""The log of the worker's command contains no token."""

import os
import sys
import urllib.request
from pathlib import Path

import pytest

from development.ports import free_port
from tests.waiting import SECONDS, started, wait_until

ROOT = Path(__file__).resolve().parents[2]
# Where each queue has a process, their parent shows what they count; what an alert asks for begins with zero.
SHOWN = (
    'pipeline_mails_total{status="sent"} ',
    'pipeline_delivery_seconds_count{event="email",outcome="postponed"} ',
    'pipeline_delivery_age_seconds_count{event="invite_email"} ',
    'pipeline_queue_tasks{queue="mail"} ',
    'pipeline_job_last_end{name="fold_record_counts"} ',
    'pipeline_job_failures_total{name="expire_invites"} 0.0',
)


@pytest.fixture
def port():
    """Where the worker shows what it counts."""
    return free_port()


@pytest.fixture
def log(words, settings, server, login_url, redis_url, port, tmp_path):
    """The log of the command with these words, which works until the end of the test."""
    environ = {
        "PATH": os.environ["PATH"],
        "DATABASE_URL": login_url("pipeline_app"),
        "REDIS_URL": redis_url,
        "JWT_SECRET": settings.jwt_secret,
        "SMTP_URL": server.url,
        "MAIL_FROM": "mail@pipeline.example",
        "PUBLIC_URL": settings.public_url,
        "MAIL_TRANSPORT": "smtp",
        "WORKER_METRICS": f"127.0.0.1:{port}",
        "WORKER_STOP_SECONDS": "0",
    }
    path = tmp_path / "log"
    command = [sys.executable, "-m", "pipeline", "worker", *words]
    with path.open("w") as output, started(command, cwd=ROOT, env=environ, stdout=output, stderr=output) as worker:
        yield path
        # The processes of one that is killed would take events of the next test.
        worker.terminate()
        worker.wait(SECONDS)


def metrics(port):
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=SECONDS) as answer:
        return answer.read().decode()


def delivered(log, invite):
    """Whether the log tells that the email of an invite is delivered."""
    key = f"email:invite_email:{invite['id']} "
    return any("delivered" in line and key in line for line in log.read_text().splitlines())


@pytest.mark.parametrize("words", [("--queue", "mail"), pytest.param((), marks=pytest.mark.long)], ids=["mail", "all"])
def test_the_log_of_an_email_that_is_refused_and_then_sent_holds_no_token(log, server, organization, port):
    server.refuse["CONTENT"] = "451 Later."
    invite = organization.invite(send_email=True)
    wait_until(lambda: "451 Later." in log.read_text(), log.read_text)
    server.refuse.clear()
    wait_until(lambda: delivered(log, invite), log.read_text)
    assert any(invite["token"] in message.get_body(["plain"]).get_content() for message in server.messages)
    assert invite["token"] not in log.read_text()
    wait_until(lambda: all(line in metrics(port) for line in SHOWN), log.read_text)
