"""A process killed while it renders: at the end each contract has both documents of its revision."""

import os
import signal
import sys
from pathlib import Path

import pytest

from tests.contracts.test_documents import stored
from tests.waiting import run_worker

ROOT = Path(__file__).resolve().parents[2]
DELIVER = """
import os, sys
from pipeline.contracts import tasks
from pipeline.database import Database
from pipeline.process.settings import load
from pipeline.worker.delivery import deliver

settings = load({}, os.environ)
database = Database(settings.database_jobs_url, 2, patience=100)
for id in sys.argv[2:]:
    deliver(database, settings, int(sys.argv[1]), int(id))
database.close()
"""


@pytest.fixture
def worker(organization, login_url):
    """worker(chaos=""): a process that delivers the organization's open events; its exit code."""

    def run(chaos=""):
        rows = organization.owner.execute(
            "select id from app.outbox where organization_id = %s and done_at is null order by id", (organization.id,)
        )
        command = [sys.executable, "-c", DELIVER, str(organization.id), *(str(id) for (id,) in rows)]
        environ = {
            **os.environ,
            "PYTHONPATH": str(ROOT),
            "DATABASE_URL": organization.server(login_url("pipeline_app")),
            "PIPELINE_CHAOS": chaos,
            "JWT_SECRET": "a secret of the tests, long enough for HS256",
        }
        return run_worker(command, organization.owner, env=environ).returncode

    return run


@pytest.mark.long
@pytest.mark.parametrize(
    ("point", "left"),
    [("document_rendered", []), ("document_stored", [("pdf", 1)]), ("before_done", [("docx", 1), ("pdf", 1)])],
)
def test_a_killed_worker_leaves_what_was_stored_and_the_next_one_does_the_rest(
    organization, member, contract, worker, point, left
):
    assert worker(chaos=point) == -signal.SIGKILL
    assert stored(organization) == left
    assert worker() == 0
    assert stored(organization) == [("docx", 1), ("pdf", 1)]
    number = member.get(f"/api/contracts/{contract['id']}", status=200).json["contract_number"]
    assert number == "RO-000001"
