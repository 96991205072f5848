"""A release while clients work: old and new processes side by side on the new schema, and back; nobody notices."""

import json
import signal
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request

import psycopg
import pytest

from pipeline.database import revisions
from tests.chaos.processes import ROOT, wait_until
from tests.operations.load import Load
from tests.operations.next_release import REVISIONS, add_revisions
from tests.operations.service import copied

CLIENTS, BETWEEN = 16, 400

pytestmark = pytest.mark.timeout(600)


@pytest.fixture
def released(tmp_path):
    """The folder of a release that is some revisions newer."""
    return add_revisions(copied(tmp_path / "released"))


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


def test_a_release_and_the_way_back_cost_no_client_a_request(service, released, capsys):
    old, new = service.environ(), service.environ(root=released)
    first, second = service.serve(old, "web1"), service.serve(old, "web2")
    working = service.work(old, "worker1")
    customers, balancer = service.organizations(first.port, 4), Balancer(first, second)
    before = readiness(first)["schema"]
    with Load(customers, CLIENTS, balancer.port) as load:
        load.wait_for(BETWEEN)
        begun = time.monotonic()
        service.run("migrate", environ=new, root=released)
        migrated = time.monotonic() - begun
        told = readiness(first)
        assert (told["release"], told["schema"]) == (before, f"{int(before) + len(REVISIONS):04}")
        load.wait_for(BETWEEN)
        third = service.serve(new, "web3", released)
        newer = service.work(new, "worker2", released)
        assert readiness(third)["release"] == told["schema"]
        balancer.add(third)
        balancer.remove(first, load)
        end(working)
        load.wait_for(BETWEEN)
        # Back: the release before starts on the new schema, and takes over.
        fourth = service.serve(old, "web4")
        service.work(old, "worker3")
        balancer.add(fourth)
        balancer.remove(third, load)
        end(newer)
        load.wait_for(BETWEEN)
    with capsys.disabled():
        print(f"\n{load.answers.total()} requests, failures: {load.failures}; {migrated:.0f} s to migrate")
    assert load.failures == {}
    with psycopg.connect(service.owner_url) as owner:
        stored = {email for (email,) in owner.execute("select email from app.leads")}
    assert load.leads <= stored


def test_a_release_that_takes_something_away_sends_the_older_one_out_of_the_rotation(service):
    web = service.serve(service.environ())
    newer = f"{int(revisions.head()) + 1:04}"
    with psycopg.connect(service.owner_url) as owner:
        owner.execute("update public.alembic_version set version_num = %s, serves = %s", (newer, newer))
    wait_until(lambda: refusal(web) == "schema", 10, "the service leaves the rotation")
    command = [sys.executable, "-m", "pipeline", "serve"]
    options = {"capture_output": True, "text": True, "env": service.environ(), "check": False}
    refused = subprocess.run(command, cwd=ROOT, **options)
    assert f"The schema is at {newer}, which no longer serves this release" in refused.stderr
