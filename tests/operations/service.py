"""The service in separate processes, as in production, with working organizations."""

import json
import shutil
import subprocess
import sys
import uuid

from pipeline.http.core.security import Tokens
from pipeline.process.settings import load
from tests.chaos.client import Place
from tests.chaos.processes import ROOT, Web, Worker, wait_until
from tests.chaos.system import Postgres, Redis, production
from tests.homes import Superuser
from tests.http import processes
from tests.support import TEMPLATE, Organization

# A program is ready in seconds; on a machine that others keep busy it may take minutes.
READY_SECONDS = 300
# There a lock's holder may get no processor for longer than the two seconds for which our logins wait.
PATIENCE = "options=-c%20lock_timeout%3D20s%20-c%20statement_timeout%3D10min"


class Service:
    """PostgreSQL, Redis, web and worker in `folder`; a context manager that ends all of it.

    postgres: what is started, ended and asked for URLs as a Postgres is, in the place of one. root: the release that
    creates the schema.
    """

    def __init__(self, folder, mail_url, postgres=None, root=ROOT):
        self.folder, self.mail_url, self.root = folder, mail_url, root
        self.postgres, self.redis, self.programs = postgres or Postgres(folder), Redis(folder, "no"), []

    @property
    def owner_url(self):
        """The superuser's URL."""
        return self.postgres.url()

    def __enter__(self):
        try:
            self.postgres.start_and_wait()
            self.run("migrate", environ=self.environ(root=self.root), root=self.root)
            self.redis.start_and_wait()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_error):
        for program in [*self.programs, self.redis]:
            program.kill()
        self.postgres.close()

    def environ(self, url=None, root=ROOT):
        """The settings (environment) of code in `root` whose logins connect to `url(login)`."""
        url = url or (lambda login: f"{self.postgres.url(login)}&{PATIENCE}")
        return production(url("pipeline_app"), self.redis.url, self.mail_url, root) | {
            "DATABASE_OWNER_URL": self.owner_url,
            "WEB_THREADS": "8",
            "WORKER_METRICS": "off",
        }

    def start(self, *programs):
        """Start programs side by side, and return when all are ready."""
        for program in programs:
            self.programs.append(program)
            program.start()
        for program in programs:
            wait_until(program.is_ready, READY_SECONDS, f"{program.name} is ready")

    def serve(self, environ, name="web", root=ROOT):
        """A running web service of the code in `root` with two processes."""
        web = Web(self.folder, environ)
        web.name, web.log = name, self.folder / f"{name}.log"
        return self._start_in(root, web)

    def work(self, environ, name="worker", root=ROOT):
        """A running worker of the code in `root`."""
        return self._start_in(root, Worker(name, self.folder, environ))

    def _start_in(self, root, program):
        program.command = [str(root) if word == str(ROOT) else word for word in program.command]
        self.start(program)
        return program

    def run(self, *words, environ=None, root=ROOT, exit_code=0):
        """What a command of ours prints."""
        command = [sys.executable, "-m", "pipeline", *words]
        options = {"capture_output": True, "text": True, "check": False}
        done = subprocess.run(command, env=environ or self.environ(), cwd=root, **options)
        assert done.returncode == exit_code, done.stdout + done.stderr
        return done.stdout

    def organizations(self, port, number):
        """The Places of so many new organizations, made in the database."""
        tokens, made = Tokens(load({}, self.environ())), []
        with Superuser.connected(self.owner_url) as owner:
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
    """The record that a POST makes."""
    status, text = processes.ask(place.port, "POST", path, body, **place.headers)
    assert status == 201, text
    return json.loads(text)
