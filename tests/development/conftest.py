"""Processes that use an embedded server, for tests that end them in every way a process can end."""

import contextlib
import os
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from development.postgres import EmbeddedPostgres
from tests.waiting import SECONDS, Program, wait_until

REPOSITORY = Path(__file__).parents[2]
USER = """
import sys
from pathlib import Path
from development.postgres import EmbeddedPostgres
with EmbeddedPostgres(Path(sys.argv[1]), durable=False):
    print("up", flush=True)
    sys.stdin.read()
"""


class User(Program):
    """A process that uses a server until its input ends."""

    def up(self):
        self.wait_for("up")
        return self

    def leave(self):
        """End as a program ends that has nothing more to do."""
        self.process.stdin.close()
        assert self.process.wait(SECONDS) == 0


@pytest.fixture
def user():
    """user(folder): a User of the server in a folder."""
    with contextlib.ExitStack() as started:

        def start(folder, prefix=(), **environment):
            command = [*(prefix or (sys.executable,)), "-c", USER, str(folder)]
            environment = os.environ | {"PYTHONPATH": str(REPOSITORY)} | environment
            made = User(command, stdin=subprocess.PIPE, env=environment)
            started.callback(made.process.stdin.close)
            started.callback(made.close)
            return made

        yield start


def postmaster(folder):
    return psutil.Process(int((folder / "data" / "postmaster.pid").read_text().split()[0]))


def processes(folder):
    """Servers and keepers of `folder` and what lies in it."""
    commands = ((each, each.info["cmdline"] or []) for each in psutil.process_iter(["cmdline"]))
    return [each for each, words in commands if "-c" not in words and any(str(folder) in word for word in words)]


def has_no_rights_of_root(number):
    """Whether a process has at most the capabilities to read its own files below a closed folder."""
    status = Path(f"/proc/{number}/status").read_text()
    lines = dict(line.split(":\t", 1) for line in status.splitlines() if ":\t" in line)
    return int(lines["CapEff"], 16) & ~(1 << 1 | 1 << 2) == 0


@pytest.fixture
def folder(tmp_path):
    """A folder for one server; no process may be left in it at the end."""
    yield tmp_path / "server"
    wait_until(lambda: not processes(tmp_path))


@pytest.fixture
def server(folder):
    with EmbeddedPostgres(folder, durable=False) as running:
        yield running
