"""`python -m experiments.cells`, or `make cells`: a service grows from one server to three while clients work.

Organizations move there and back, the command is killed at each step, servers are killed, one is restored to an earlier
time, and a migration is interrupted between servers. Nothing acknowledged may be lost, the feed has no gap and no
repeat, and nobody reads another organization.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
import uuid
from pathlib import Path

import psycopg

from experiments.chaos.client import Place
from experiments.chaos.processes import ROOT, wait_until
from experiments.chaos.system import Postgres
from pipeline.accounts.passwords import hash_password
from pipeline.http.security import Tokens
from pipeline.process import settings
from tests.cells.conftest import LOGICAL
from tests.conftest import PASSWORD
from tests.mail.mailserver import MailServer
from tests.operations.load import Load
from tests.operations.service import Service, ask
from tests.support import TEMPLATE, Organization
from tests.webhooks.receiver import Receiver

CLIENTS, ORGANIZATIONS, BETWEEN = 4, 4, 100
# Of clients and feed readers: what a write waits for is the move, not the processors.
PAUSE = 0.5
STEPS = (
    "move_before_copy",
    "move_copying",
    "move_fenced",
    "move_before_switch",
    "move_switched",
    "move_compared",
    "move_before_deletion",
)
# The most that writes wait at a switch, at p99 of the moves.
MOST_PAUSE = 0.25
LEADS = "select id, email from app.leads where organization_id = %s"


class Cell(Postgres):
    """A further server."""

    def __init__(self, folder):
        folder.mkdir()
        folder.chmod(0o755)
        super().__init__(folder)
        self.server.settings = LOGICAL


class Grown(Service):
    """A Service whose further servers are `cells` ({name: Cell})."""

    def __init__(self, folder, mail_url):
        home = Postgres(folder)
        home.server.settings = LOGICAL
        super().__init__(folder, mail_url, home)
        self.cells = {name: Cell(folder / name) for name in ("north", "south")}
        self.file = folder / "cells.ini"
        self.file.write_text(
            "".join(
                f"[{name}]\ndatabase_url = {cell.url('pipeline_app')}\ndatabase_owner_url = {cell.url()}\n"
                for name, cell in self.cells.items()
            )
        )
        self.pauses = []

    def server(self, name):
        return self.cells.get(name, self.postgres)

    def environ(self, url=None, root=ROOT, grown=True):
        further = {"CELLS_FILE": str(self.file)} if grown else {}
        return super().environ(url, root) | further | {"WEBHOOK_ALLOW_PRIVATE": "true", "DATABASE_POOL": "12"}

    def move(self, organization, cell, kill=None):
        """Move an organization; with `kill` the command dies there and is called again."""
        environ = self.environ()
        if kill:
            command = [sys.executable, "-m", "pipeline", "cells", "move", organization.name, "--to", cell]
            died = subprocess.run(
                command, env=environ | {"PIPELINE_CHAOS": kill}, cwd=ROOT, capture_output=True, check=False
            )
            assert died.returncode < 0, (kill, died.stdout, died.stderr)
        begun = time.monotonic()
        said = self.run("cells", "move", organization.name, "--to", cell, environ=environ)
        waited = int(re.search(r"waited (\d+) ms", said)[1]) / 1000
        if waited:
            self.pauses.append(waited)
        print(
            f"  {organization.name} to {cell}{f', killed at {kill}' if kill else ''}: "
            f"{time.monotonic() - begun:.1f} s, requests waited {waited * 1000:.0f} ms",
            flush=True,
        )


class Follower(threading.Thread):
    """A program that follows the feed of an organization."""

    def __init__(self, place, port):
        super().__init__(daemon=True)
        self.place, self.port, self.stopping, self.ids = place, port, threading.Event(), []
        self.after = self.read("")["next"]

    def read(self, query):
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port()}/api/changes{query}", headers=self.place.headers
        )
        while True:
            try:
                with urllib.request.urlopen(request, timeout=30) as answer:
                    return json.load(answer)
            except OSError as error:
                # 410: a killed server gives the last numbers again.
                if getattr(error, "code", 503) not in (503, 429, 410):
                    raise
                time.sleep(0.1)
                request.full_url = f"http://127.0.0.1:{self.port()}/api/changes{query}"

    def run(self):
        while True:
            last = self.stopping.is_set()
            page = self.read(f"?after={self.after}&types=leads&limit=1000")
            self.ids += [entry["id"] for entry in page["data"] if entry["action"] == "created"]
            self.after = page["next"]
            if last and not page["data"]:
                return
            time.sleep(PAUSE)


class SignIns(threading.Thread):
    """A person of each organization who signs in again and again; `statuses` counts."""

    def __init__(self, organizations, port):
        super().__init__(daemon=True)
        self.organizations, self.port, self.stopping, self.statuses = organizations, port, threading.Event(), {}

    def run(self):
        while not self.stopping.is_set():
            for organization in self.organizations:
                status = sign_in(self.port(), f"member@{organization.name}.example")
                self.statuses[status] = self.statuses.get(status, 0) + 1
                time.sleep(0.3)


def sign_in(port, email):
    """The status of a login."""
    body = json.dumps({"email": email, "password": PASSWORD}).encode()
    request = urllib.request.Request(
        f"http://127.0.0.1:{port}/api/auth/login", body, {"Content-Type": "application/json"}
    )
    return status_of(request)


def status_of(request):
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            return answer.status
    except urllib.error.HTTPError as error:
        return error.code
    except OSError:
        return None


def get(place, port, path):
    return status_of(urllib.request.Request(f"http://127.0.0.1:{port}{path}", headers=place.headers))


def leads_of(service, organization):
    """{id: email} of the leads in all servers; fails if an organization is in two."""
    found = []
    for server in (service.postgres, *service.cells.values()):
        with psycopg.connect(server.url()) as owner:
            found += owner.execute(LEADS, [organization.id]).fetchall()
    assert len({id for id, _ in found}) == len(found), "a lead is in two servers"
    return dict(found)


def say(text):
    print(f"{time.strftime('%H:%M:%S')} {text}", flush=True)


def main():
    folder = Path(tempfile.mkdtemp(prefix="pipeline-cells-"))
    folder.chmod(0o755)
    say(f"logs in {folder}")
    with MailServer() as mail, Grown(folder, mail.url) as service:
        try:
            story(service)
        finally:
            for cell in service.cells.values():
                cell.close()
    shutil.rmtree(folder, ignore_errors=True)


def story(service):
    tokens = Tokens(settings.load({}, service.environ(grown=False)))
    web = service.serve(service.environ(grown=False), "web-alone")
    worker = service.work(service.environ(grown=False), "worker-alone")
    port = [web.port]
    receiver, organizations, places, program = Receiver(), [], [], {"url": "", "events": ["lead.created"]}
    with psycopg.connect(service.owner_url, autocommit=True) as owner:
        for _ in range(ORGANIZATIONS):
            name = f"org-{uuid.uuid4().hex[:12]}"
            organization = Organization(None, owner, name, hash_password(PASSWORD), tokens)
            place = Place(web.port, organization.admin.headers)
            places.append(place._replace(template_id=ask(place, "/api/interview-templates", TEMPLATE)["id"]))
            ask(place, "/api/webhooks", {**program, "url": f"http://127.0.0.1:{receiver.port}/{name}"})
            organizations.append(organization)
    followers = [Follower(place, lambda: port[0]) for place in places]
    signing_in = SignIns(organizations, lambda: port[0])
    with Load(places, CLIENTS, lambda: port[0], PAUSE) as load:
        for thread in (*followers, signing_in):
            thread.start()
        load.wait_for(BETWEEN)
        grow(service, web, worker, port)
        load.wait_for(BETWEEN)
        moves(service, organizations, load)
        isolated(service, organizations, places, port[0])
        outages(service, organizations, places, load, port)
        interrupted_migration(service, load)
        point_in_time(service, organizations, places, load, port)
        load.wait_for(BETWEEN)
        say(service.run("cells", "list", environ=service.environ()))
    for thread in (*followers, signing_in):
        thread.stopping.set()
        thread.join(60)
    check(service, organizations, load, followers, signing_in, receiver)


def grow(service, web, worker, port):
    say("two servers more")
    for name, cell in service.cells.items():
        cell.start_and_wait()
        service.run("cells", "add", name, environ=service.environ())
    grown = service.serve(service.environ(), "web")
    service.work(service.environ())
    port[0] = grown.port
    time.sleep(1)
    for program in (web, worker):
        program.kill()


def moves(service, organizations, load):
    first, second, third, _ = organizations
    say("moves")
    for organization, cell in (
        (first, "north"),
        (second, "south"),
        (first, "south"),
        (first, "home"),
        (first, "north"),
    ):
        service.move(organization, cell)
        load.wait_for_successes(30, 60)
    say("moves, killed at each step")
    for number, step in enumerate(STEPS):
        service.move(third, ("north", "home")[number % 2], step)
        load.wait_for_successes(30, 60)


def isolated(service, organizations, places, port):
    say("isolation")
    ids = {organization.id: next(iter(leads_of(service, organization))) for organization in organizations}
    for organization, place in zip(organizations, places, strict=True):
        for other, id in ids.items():
            found = get(place, port, f"/api/leads/{id}")
            assert found == (200 if other == organization.id else 404), (organization.id, other, found)


def outages(service, organizations, places, load, port):
    first, second, _, last = range(4)
    for name, away, there in (("north", first, second), ("south", second, first), ("home", last, first)):
        say(f"{name} is killed")
        server = service.server(name)
        server.kill()
        assert get(places[there], port[0], "/api/leads") == 200
        wait_until(lambda away=away: get(places[away], port[0], "/api/leads") == 503, 30, "503")
        if name == "home":
            assert sign_in(port[0], f"member@{organizations[there].name}.example") == 503
        server.start_and_wait()
        wait_until(lambda away=away: get(places[away], port[0], "/api/leads") == 200, 60, "back")
        load.wait_for_successes(50, 60)


def interrupted_migration(service, load):
    say("a migration, killed between two servers")
    root = service.folder / "release"
    shutil.copytree(ROOT, root, ignore=shutil.ignore_patterns(".venv", ".git", ".data", "tests", "docs"))
    last = sorted(path.name for path in (root / "alembic/versions").glob("[0-9]*.py"))[-1][:4]
    (root / "alembic/versions/9000_more.py").write_text(
        f'"""More."""\nfrom pipeline.database import migrations\nrevision = "9000"\ndown_revision = "{last}"\n\n\n'
        'def upgrade():\n    migrations.owned("alter table app.users add more text; '
        "comment on column app.users.more is 'More.'\")\n"
        f'    migrations.serves("{last}")\n'
    )
    environ = service.environ(root=root) | {"PYTHONPATH": str(root)}
    service.run("migrate", environ=environ | {"PIPELINE_CHAOS": "migrate_between_cells"}, root=root, exit_code=-9)
    load.wait_for_successes(50, 60)
    service.run("migrate", environ=environ, root=root)
    for server in (service.postgres, *service.cells.values()):
        with psycopg.connect(server.url()) as owner:
            assert owner.execute("select version_num from public.alembic_version").fetchone() == ("9000",)
    load.wait_for_successes(50, 60)


def point_in_time(service, organizations, places, load, port):
    """North is restored to a time at which it still had an organization that has moved away since."""
    say("north is restored to an earlier time")
    first, north = organizations[0], service.cells["north"]
    # Whatever stays there loses what it has written since.
    service.move(organizations[2], "home")
    data, kept = north.server.data, north.server.folder / "kept"
    north.close()
    shutil.copytree(data, kept, symlinks=True)
    for path in (kept, *kept.rglob("*")):
        os.chown(path, *north.account.owner, follow_symlinks=False)
    north.start_and_wait()
    load.wait_for_successes(30, 60)
    wait_until(lambda: get(places[0], port[0], "/api/leads") == 200, 60, "back")
    service.move(first, "south")
    north.close()
    shutil.rmtree(data)
    kept.rename(data)
    north.start_and_wait()
    said = service.run("cells", "reconcile", "north", environ=service.environ())
    assert f"organization {first.id}: the map says south" in said, said
    assert get(places[0], port[0], "/api/leads") == 200
    with psycopg.connect(north.url(), autocommit=True) as owner:
        assert owner.execute("select app.is_here(%s)", [first.id]).fetchone() == (False,)
        # As docs/scaling.md says.
        owner.execute("set session_replication_role = replica")
        for (table,) in owner.execute(
            "select relname from pg_class c join pg_attribute a on attrelid = c.oid and attname = 'organization_id' "
            "where relnamespace = 'app'::regnamespace and relkind = 'r' and relname <> all('{sessions,refresh_tokens}')"
        ).fetchall():
            owner.execute(f"delete from app.{table} where organization_id = %s", [first.id])
        owner.execute("delete from app.organizations where id = %s", [first.id])
    service.run("cells", "list", environ=service.environ())


def check(service, organizations, load, followers, signing_in, receiver):
    say("comparing")
    stored, emails = {}, set()
    for organization in organizations:
        stored[organization.id] = leads_of(service, organization)
        emails |= set(stored[organization.id].values())
    lost = load.leads - emails
    pauses = sorted(service.pauses)
    p99 = pauses[min(len(pauses) - 1, int(len(pauses) * 0.99))]
    say(f"{len(load.leads)} leads acknowledged, {len(lost)} lost; answers {dict(load.answers)}")
    say(f"{len(pauses)} switches: median {pauses[len(pauses) // 2] * 1000:.0f} ms, most {pauses[-1] * 1000:.0f} ms")
    say(f"sign-ins by status: {signing_in.statuses}")
    assert not lost
    for organization, follower in zip(organizations, followers, strict=True):
        assert len(follower.ids) == len(set(follower.ids)), "the feed repeats"
        missing = set(stored[organization.id]) - set(follower.ids)
        assert not missing, f"the feed lacks {len(missing)}"

    def told():

        return {json.loads(one.body)["data"]["email"] for one in receiver.received}

    wait_until(lambda: load.leads <= told(), 120, "all webhooks have arrived")
    assert 200 in signing_in.statuses
    assert not set(signing_in.statuses) - {200, 503, None}
    assert p99 <= MOST_PAUSE, p99
    say("nothing lost, nothing twice")


if __name__ == "__main__":
    main()
