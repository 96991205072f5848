"""The service in separate processes, as in production, with working organizations."""

import json
import shutil
import subprocess
import sys
import uuid

import psycopg

from experiments.chaos.client import Place
from experiments.chaos.processes import ROOT, Web, Worker
from experiments.chaos.system import Postgres, Redis, Servers, production
from pipeline.http.security import Tokens
from pipeline.process.settings import load
from tests.http import processes
from tests.support import TEMPLATE, Organization

# On a busy machine a lock's holder may get no processor for longer than the two seconds for which our logins wait.
PATIENCE = "options=-c%20lock_timeout%3D20s%20-c%20statement_timeout%3D10min"


class Service(Servers):
    """PostgreSQL, Redis, web and worker in `folder`. postgres: what is there instead, and works as a Postgres does."""

    def __init__(self, folder, mail_url, postgres=None, root=ROOT):
        self.folder, self.mail_url, self.root = folder, mail_url, root
        self.postgres, self.redis = postgres or Postgres(folder), Redis(folder, "no")

    @property
    def owner_url(self):
        return self.postgres.url()

    def migrate(self):
        """Create the schema of the release in `root`."""
        self.run("migrate", environ=self.environ(root=self.root), root=self.root)

    def environ(self, url=None, root=ROOT):
        url = url or (lambda login: f"{self.postgres.url(login)}&{PATIENCE}")
        return production(url("pipeline_app"), self.redis.url, self.mail_url, root) | {
            "DATABASE_OWNER_URL": self.owner_url,
            "WEB_THREADS": "8",
            "WORKER_METRICS": "off",
        }

    def start(self, *programs):
        self.programs += programs
        super().start(*programs)

    def serve(self, environ, name="web", root=ROOT):
        """A running web service of the code in `root` with two processes."""
        web = Web(self.folder, environ, name, root)
        self.start(web)
        return web

    def work(self, environ, name="worker", root=ROOT):
        worker = Worker(name, self.folder, environ, root=root)
        self.start(worker)
        return worker

    def run(self, *words, environ=None, root=ROOT, exit_code=0):
        command = [sys.executable, "-m", "pipeline", *words]
        options = {"capture_output": True, "text": True, "check": False}
        done = subprocess.run(command, env=environ or self.environ(), cwd=root, **options)
        assert done.returncode == exit_code, done.stdout + done.stderr
        return done.stdout

    def organizations(self, port, number):
        """The Places of so many new organizations, made in the database."""
        tokens, made = Tokens(load({}, self.environ())), []
        with psycopg.connect(self.owner_url, autocommit=True) as owner:
            for _one in range(number):
                organization = Organization(None, owner, f"org-{uuid.uuid4().hex[:12]}", "", tokens)
                place = Place(port, organization.admin.headers)
                made.append(place._replace(template_id=ask(place, "/api/interview-templates", TEMPLATE)["id"]))
        return made


def copied(folder):
    """The folder (Path), which now holds this release as files that a test may change."""
    for name in ("pipeline", "sql", "alembic"):
        shutil.copytree(ROOT / name, folder / name)
    shutil.copy(ROOT / "production.ini", folder)
    return folder


def ask(place, path, body):
    status, text = processes.ask(place.port, "POST", path, body, **place.headers)
    assert status == 201, text
    return json.loads(text)
