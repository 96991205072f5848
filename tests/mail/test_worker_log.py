"""What the worker's command writes down while it delivers: no token, whatever the mail server says."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def log(transport, settings, server, login_url, redis_url, tmp_path):
    """The log of the command, which works until the end of the test."""
    environ = {
        "PATH": os.environ["PATH"],
        "DATABASE_URL": login_url("pipeline_app"),
        "REDIS_URL": redis_url,
        "JWT_SECRET": settings.jwt_secret,
        "SMTP_URL": server.url,
        "MAIL_FROM": "mail@pipeline.example",
        "PUBLIC_URL": settings.public_url,
        "MAIL_TRANSPORT": transport,
    }
    path = tmp_path / "log"
    with path.open("w") as output:
        process = subprocess.Popen(
            [sys.executable, "-m", "pipeline", "worker"], cwd=ROOT, env=environ, stdout=output, stderr=output
        )
        yield path
        process.kill()
        process.wait()


def wait_until(condition, log):
    end = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < end, log.read_text()
        time.sleep(0.05)


def delivered(log, invite):
    """Whether the log tells that the email of an invite is delivered."""
    key = f"email:invite_email:{invite['id']} "
    return any("delivered" in line and key in line for line in log.read_text().splitlines())


@pytest.mark.parametrize("transport", ["smtp"])
def test_no_log_line_about_an_email_that_is_refused_and_then_sent_holds_its_token(log, server, organization):
    server.refuse["CONTENT"] = "451 Later."
    invite = organization.invite(send_email=True)
    wait_until(lambda: "451 Later." in log.read_text(), log)
    server.refuse.clear()
    wait_until(lambda: delivered(log, invite), log)
    assert any(invite["token"] in message.get_body(["plain"]).get_content() for message in server.messages)
    assert invite["token"] not in log.read_text()


@pytest.mark.parametrize("transport", ["log"])
def test_no_log_line_about_an_email_that_is_only_kept_holds_its_token(log, organization):
    invite = organization.invite(send_email=True)
    wait_until(lambda: delivered(log, invite), log)
    assert "email kept, not sent" in log.read_text()
    assert invite["token"] not in log.read_text()
