"""An email whose worker is killed, overtaken, or loses the database."""

import os
import signal
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import pytest

from pipeline.database import effects
from pipeline.mail import tasks
from tests.mail.delivery import Worker, raise_event
from tests.waiting import SECONDS, wait_until

ROOT = Path(__file__).resolve().parents[2]
UNDER_WAY = """
    select pid, xact_start from pg_stat_activity
    where usename = 'pipeline_jobs' and datname = current_database() and xact_start is not null"""


@pytest.fixture
def kill_at(organization, worker, login_url, owner):
    """kill_at(point): let a worker process be killed at this point of its way."""

    def run(point):
        environ = {
            **os.environ,
            "PIPELINE_CHAOS": point,
            "DATABASE_URL": login_url("pipeline_jobs"),
            "JWT_SECRET": worker.settings.jwt_secret,
            "SMTP_URL": worker.settings.smtp_url,
            "MAIL_FROM": worker.settings.mail_from,
            "PIPELINE_ENVIRONMENT": "production",
        }
        command = [sys.executable, "-m", "tests.mail.delivery", str(worker.organization_id)]
        before = owner.execute(UNDER_WAY).fetchall()
        killed = subprocess.run(command, timeout=SECONDS, check=False, env=environ, cwd=ROOT)
        assert killed.returncode == -signal.SIGKILL
        # The server ends the transactions of a killed process, and its locks, only a moment later; claims end in time.
        wait_until(lambda: set(owner.execute(UNDER_WAY).fetchall()) <= set(before))
        owner.execute("update app.outbox set claimed_until = now() where organization_id = %s", [organization.id])

    return run


def test_a_worker_killed_before_the_content_is_replaced_by_one_that_sends(worker, server, queued, state, kill_at):
    id = queued()
    kill_at("claimed")
    assert state(id)[0] == "sending"
    assert worker.run() == []
    assert len(server.accepted) == 1
    assert state(id)[0] == "sent"


@pytest.mark.parametrize("point", [pytest.param("before_content", marks=pytest.mark.long), "after_250"])
def test_a_worker_killed_during_the_content_causes_no_second_message(
    point, worker, server, queued, state, kill_at, owner
):
    id = queued()
    kill_at(point)
    assert worker.run()[0].startswith("UnderWay: ")
    owner.execute("update app.emails set transmitting_at = now() - interval '1 hour' where id = %s", (id,))
    worker.run()
    assert len(server.accepted) == (1 if point == "after_250" else 0)
    assert state(id) == ("failed", tasks.MAYBE_SENT)


@pytest.mark.long
def test_an_email_going_out_when_the_day_ended_is_not_called_unsent(worker, queued, state, kill_at, monkeypatch):
    id = queued()
    kill_at("after_250")
    monkeypatch.setattr(effects, "GIVE_UP_AFTER", timedelta())
    worker.run()
    status, error = state(id)
    assert (status, error.startswith(tasks.MAYBE_SENT)) == ("failed", True)


def test_an_answer_that_comes_after_all_replaces_the_doubt(worker, server, queued, state, owner):
    id = queued()
    doubt = "update app.emails set status = 'failed', error = 'maybe' where id = %s"
    server.seen = lambda content: owner.execute(doubt, (id,))
    assert worker.run() == []
    assert state(id) == ("sent", None)


def test_two_workers_at_once_send_one_message(worker, jobs, server, queued, state):
    """The second one comes while the first, whose lock is lost, still talks to the mail server."""
    id = queued()
    other = Worker(jobs, worker.settings, worker.organization_id)
    (event_id,) = worker.open()
    errors = []

    def meanwhile(content):
        raise_event(other, "email", "taken over", email_id=id)
        errors.append(other.deliver(next(one for one in other.open() if one != event_id)))

    server.seen = meanwhile
    assert worker.run() == []
    assert errors[0].startswith("UnderWay: ")
    worker.run()
    assert len(server.accepted) == 1
    assert state(id)[0] == "sent"


def test_a_worker_whose_claim_was_taken_over_does_not_send(worker, server, queued, owner, monkeypatch):
    id = queued()
    note = tasks.note_transmission

    def late(event, email, claim):
        owner.execute("update app.emails set claims = claims + 1 where id = %s", (id,))
        note(event, email, claim)

    monkeypatch.setattr(tasks, "note_transmission", late)
    assert worker.run()[0].startswith("UnderWay: ")
    assert server.accepted == []


def test_an_accepted_email_is_recorded_although_the_database_was_away(worker, server, queued, state, cut):
    id = queued()
    server.seen = cut
    assert worker.run() == []
    assert state(id) == ("sent", None)
    assert len(server.accepted) == 1
