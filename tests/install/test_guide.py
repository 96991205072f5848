"""The wheel is complete, and docs/operations.md leads from it to a lead, on servers that start late."""

import contextlib
import json
import re
import signal
import subprocess
import zipfile

import pytest

from development.ports import free_port
from tests.http.processes import ask
from tests.install.conftest import ROOT
from tests.test_release import VERSION
from tests.waiting import SECONDS, Program, started, wait_until

GUIDE = (ROOT / "docs" / "operations.md").read_text().split("## A new installation")[1].split("\n## ")[0]
INSTALLING, SETTINGS, COMMANDS = re.search("```sh\n(.*?)```", GUIDE, re.S)[1].split("\n\n")
# They go on until they are stopped.
SERVICES = [line for line in COMMANDS.splitlines() if line.startswith(("pipeline serve", "pipeline worker"))]
FIRST = [line for line in COMMANDS.splitlines() if line not in SERVICES]
SECRET = "rather violet umbrella 7"
# For what does not differ from server to server.
ON_ONE_SERVER = pytest.mark.parametrize("postgres", ["embedded"], indirect=True, scope="module")


class Service(Program):
    def __init__(self, line, environ, folder):
        super().__init__(["bash", "-c", f"exec {line}"], env=environ, cwd=folder)


@pytest.fixture(scope="module")
def settings(environ, postgres, redis, empty):
    """The guide's settings in the environment, with our servers for its names; nothing else is changed."""
    here = re.sub(r"postgresql://(\w+):…@db/", lambda url: postgres.url(url[1], ""), SETTINGS)
    here = here.replace("redis://:…@queue:6379/0", redis.url())
    here = here.replace("JWT_SECRET=…", "JWT_SECRET=$(openssl rand -hex 32)").replace("…", "secret")
    printed = subprocess.run(
        ["bash", "-euc", f"{here}\nenv -0"], env=environ, cwd=empty, capture_output=True, text=True, check=True
    ).stdout
    return {**dict(pair.split("=", 1) for pair in printed.split("\0") if pair), "PORT": str(free_port())}


@pytest.fixture(scope="module")
def prepared(settings, postgres, empty):
    """What the guide's commands up to `doctor` print; PostgreSQL comes while the first one waits for it."""
    postgres.stop()
    options = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    command = ["bash", "-eu", "-c", "\n".join(FIRST)]
    with started(command, env=settings, cwd=empty, start_new_session=True, **options) as script:
        said = [script.stderr.readline()]
        postgres.start()
        printed, errors = script.communicate(f"{SECRET}\n{SECRET}\n", timeout=3 * SECONDS)
    return printed, said[0] + errors


def test_the_guide_names_the_wheel_and_the_lock(wheel):
    assert f"install --no-deps {wheel.name.replace(VERSION, 'VERSION')}" in INSTALLING
    assert "--require-hashes -r runtime.lock" in INSTALLING
    assert (ROOT / "requirements" / "runtime.lock").is_file()


def test_the_wheel_holds_every_file_of_the_service_and_nothing_else(wheel):
    names = zipfile.ZipFile(wheel).namelist()
    folders = ("pipeline", "sql", "alembic", "docs", "clients", "production.ini", "CHANGELOG.md")
    command = ["git", "ls-files", "-co", "--exclude-standard", *folders]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    wanted = {file if file.startswith("pipeline/") else f"pipeline/_shipped/{file}" for file in listed}
    assert len(wanted) > 250
    assert wanted - {*names} == set()
    assert {name.split("/")[0] for name in names} == {"pipeline", f"pipeline-{VERSION}.dist-info"}
    assert [name for name in names if "development" in name or "__pycache__" in name] == []


def test_the_commands_do_what_they_say_leave_nothing_behind_and_the_doctor_finds_nothing_to_do(prepared, empty):
    printed, errors = prepared
    assert "waiting for PostgreSQL" in errors.splitlines()[0]
    assert "The schema is at" in printed
    assert "ada@acme.com (new, id 1) is admin of acme." in printed
    assert "Traceback" not in errors
    assert list(empty.iterdir()) == []
    checks = [line for line in printed.splitlines() if line.startswith(("ok", "TO DO"))]
    assert len(checks) == 22
    assert [line for line in checks if line.startswith("TO DO")] == []


@pytest.mark.long
def test_the_services_wait_for_their_servers_and_outlive_them(prepared, settings, postgres, redis, empty):
    postgres.stop()
    redis.stop()
    services = [Service(line, settings, empty) for line in SERVICES]
    try:
        for service in services:
            service.wait_for("waiting for PostgreSQL")
        postgres.start()
        for service in services:
            service.wait_for("waiting for Redis")
        redis.start()
        web = Web(settings["PORT"])
        services[1].wait_for("ready.")
        assert web.create_lead("first@prospect.example") == 201
        postgres.stop()
        redis.stop()
        assert web.create_lead("lost@prospect.example") == 503
        postgres.start()
        redis.start()
        wait_until(lambda: web.create_lead("second@prospect.example") == 201)
        assert [service.process.poll() for service in services] == [None, None]
        assert [service.end(signal.SIGTERM) for service in services] == [0, 0]
    finally:
        for server in (postgres, redis):
            if not server.is_ready():
                server.start()
        for service in services:
            service.close()


@ON_ONE_SERVER
@pytest.mark.long
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT], ids=lambda number: number.name)
def test_a_waiting_command_ends_by_a_signal(prepared, settings, empty, number):
    away = {**settings, "DATABASE_URL": "postgresql://pipeline_app@127.0.0.1:1/pipeline"}
    away |= {"DATABASE_JOBS_URL": "postgresql://pipeline_jobs@127.0.0.1:1,127.0.0.1:2/pipeline"}
    services = [Service(line, away, empty) for line in SERVICES]
    for service in services:
        service.wait_for("waiting for PostgreSQL")
    assert [service.end(number) for service in services] == [0, 0]
    assert ["has stopped" in service.lines[-1] for service in services] == [True] * 2


@ON_ONE_SERVER
def test_development_needs_a_checkout(settings, empty):
    environ = settings | {"PIPELINE_ENVIRONMENT": "development"}
    done = subprocess.run(["pipeline", "migrate"], env=environ, cwd=empty, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith("Error: There is no configuration file")


class Web:
    """Ada, who is signed in, as a client of the service."""

    def __init__(self, port):
        self.port, self.url, self.token = port, f"http://127.0.0.1:{port}", None
        wait_until(lambda: self.send("/readyz")[0] == 200)
        status, body = self.send("/api/auth/login", {"email": "ada@acme.com", "password": SECRET})
        assert status == 200, body
        self.token = json.loads(body)["access_token"]

    def create_lead(self, email):
        return self.send("/api/leads", {"first_name": "Bo", "last_name": "Li", "email": email})[0]

    def send(self, path, body=None):
        """(status, text); status 0 when nobody answers."""
        headers = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        with contextlib.suppress(OSError):
            return ask(self.port, "POST" if body else "GET", path, body, **headers)
        return 0, ""
