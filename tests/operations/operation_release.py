"""An upgrade while clients work: the old release, both, the new one alone, and the way back; nobody notices.

The database is that of 0.1.0 with 100,000 leads, and work under way. Nobody touches its rows, so all must stay.
"""

import json
import signal
import subprocess
import threading
import time
import urllib.error
import urllib.request

import psycopg
import pytest

from experiments.chaos.processes import ROOT, wait_until
from pipeline.database import revisions
from tests.mail.mailserver import MailServer
from tests.operations.kept import Kept, fill, finish
from tests.operations.load import Load
from tests.operations.service import Service, copied

CLIENTS, BETWEEN = 16, 400
# {a set of Load: the rows that it promises}
PROMISED = {
    "leads": "select email from app.leads",
    "changed": "select email from app.leads where first_name = 'Loaded'",
    "submitted": "select recipient_email from app.interview_invites where status = 'submitted'",
}

FIRST = "v0.1.0"
# Columns of tables in use, which none of ours has, and an index.
NEXT = (
    'migrations.owned("alter table app.leads add column test_city text")',
    'migrations.owned("alter table app.interview_invites add column test_time timestamptz")',
    'migrations.owned("alter table app.emails add column test_weight integer not null default 1")',
    'migrations.index("leads_city", "on app.leads (organization_id, test_city)")',
)
REVISION = """'''A revision as a release may have it while the former one works.'''

from pipeline.database import migrations

revision = "{revision:04}"
down_revision = "{before:04}"


def upgrade():
    {statement}
"""

pytestmark = pytest.mark.timeout(1200)


@pytest.fixture
def releases(tmp_path):
    """The folders of two releases: 0.1.0 and this one. As long as this is 0.1.0: this one and a next one."""
    folder = tmp_path / "other"
    if revisions.head() == "0001":
        copied(folder)
        for number, statement in enumerate(NEXT, 2):
            text = REVISION.format(revision=number, before=number - 1, statement=statement)
            (folder / "alembic" / "versions" / f"{number:04}_next.py").write_text(text)
        return ROOT, folder
    folder.mkdir()
    archive = subprocess.run(["git", "archive", FIRST], cwd=ROOT, capture_output=True, check=True).stdout
    subprocess.run(["tar", "-x", "-C", folder], input=archive, check=True)
    return folder, ROOT


@pytest.fixture
def installed(tmp_path, releases):
    """A Service of the former release, filled."""
    former = releases[0]
    with MailServer() as mail, Service(tmp_path, mail.url, root=former) as service:
        fill(service.owner_url, former, leads=100_000)
        finish(service.owner_url, former, service.environ(root=former))
        yield service


class Balancer:
    """Gives clients the ports of the web services in turn, in which a service stays as long as it is ready."""

    def __init__(self, *services):
        self.services, self.turn, self.lock = list(services), 0, threading.Lock()

    def port(self):
        with self.lock:
            self.turn += 1
            return self.services[self.turn // 16 % len(self.services)].port

    def add(self, service):
        """Let clients come, as soon as the service is ready."""
        assert readiness(service)["status"] == "ready"
        with self.lock:
            self.services.append(service)

    def remove(self, service, load):
        """Let no further clients come, and end the service in order when they have gone."""
        with self.lock:
            self.services.remove(service)
        load.wait_for(5 * CLIENTS)
        end(service)


def end(program):
    """End a program as its supervisor does; it must end in order."""
    program.process.send_signal(signal.SIGTERM)
    assert program.process.wait(60) == 0


def newest(folder):
    """The newest revision of the release in a folder."""
    return max(file.name[:4] for file in (folder / "alembic" / "versions").glob("[0-9]*.py"))


def readiness(service):
    with urllib.request.urlopen(f"http://127.0.0.1:{service.port}/readyz", timeout=10) as response:
        return json.load(response)


def refusal(service):
    """The reason why a service is not ready, None when it is."""
    try:
        readiness(service)
    except urllib.error.HTTPError as error:
        return json.load(error)["reason"]
    return None


def broken_promises(load, owner):
    """{a set of Load: how many of its addresses have no such row}."""
    stored = {name: {email for (email,) in owner.execute(query)} for name, query in PROMISED.items()}
    missing = {name: len(getattr(load, name) - emails) for name, emails in stored.items()}
    return {name: number for name, number in missing.items() if number}


def test_an_upgrade_and_the_way_back_cost_no_request_and_no_row(installed, releases):
    service, (former, released) = installed, releases
    old, new = service.environ(root=former), service.environ(root=released)
    first, worker = service.serve(old, "web1", former), service.work(old, "worker1", former)
    kept = Kept(service.owner_url)
    customers, balancer, before = service.organizations(first.port, 4), Balancer(first), readiness(first)["schema"]
    with Load(customers, CLIENTS, balancer.port) as load:
        load.wait_for(BETWEEN)
        begun = time.monotonic()
        service.run("migrate", environ=new, root=released)
        migrated = time.monotonic() - begun
        told = readiness(first)
        assert (told["release"], told["schema"]) == (before, newest(released))
        load.wait_for(BETWEEN)
        # Both releases, then the new one.
        second, newer = service.serve(new, "web2", released), service.work(new, "worker2", released)
        balancer.add(second)
        load.wait_for(BETWEEN)
        balancer.remove(first, load)
        end(worker)
        load.wait_for(BETWEEN)
        # The way back: the former release starts on the new schema.
        third = service.serve(old, "web3", former)
        workers = [worker, newer, service.work(old, "worker3", former)]
        balancer.add(third)
        balancer.remove(second, load)
        end(newer)
        load.wait_for(BETWEEN)
    rows = sum(sum(table.values()) for table in kept.rows.values())
    print(f"{load.answers.total()} requests, failures: {load.failures}; {migrated:.0f} s to migrate; {rows} rows")
    assert load.failures == {}
    assert kept.lost() == {}
    assert [one.name for one in workers if '"delivered"' not in one.printed()] == []
    with psycopg.connect(service.owner_url) as owner:
        assert broken_promises(load, owner) == {}


def test_a_release_that_takes_something_away_sends_the_older_one_out_of_the_rotation(service):
    web = service.serve(service.environ())
    newer = f"{int(revisions.head()) + 1:04}"
    with psycopg.connect(service.owner_url) as owner:
        owner.execute("update public.alembic_version set version_num = %s, serves = %s", (newer, newer))
    wait_until(lambda: refusal(web) == "schema", 10, "the service leaves the rotation")
