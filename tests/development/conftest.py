"""Processes that use an embedded server, for tests that end them in every way a process can end."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from development.account import choose_account
from development.postgres import EmbeddedPostgres
from tests.waiting import SECONDS, wait_until

REPOSITORY = Path(__file__).parents[2]
USER = """
import sys
from pathlib import Path
from development.postgres import EmbeddedPostgres
with EmbeddedPostgres(Path(sys.argv[1]), durable=False):
    print("up", flush=True)
    sys.stdin.read()
"""


class User:
    """A process that uses the server in `folder` until it is ended."""

    def __init__(self, folder: Path, prefix: tuple[str, ...], environment: dict[str, str]) -> None:
        self.process = subprocess.Popen(
            [*(prefix or (sys.executable,)), "-c", USER, str(folder)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=os.environ | {"PYTHONPATH": str(REPOSITORY)} | environment,
        )

    def up(self) -> "User":
        """Wait until the server answers."""
        assert self.process.stdout.readline() == "up\n"
        return self

    def leave(self) -> int:
        """End as a program ends that has nothing more to do; returns the exit status."""
        self.process.stdin.close()
        return self.process.wait(SECONDS)

    def end(self, number: int) -> int:
        """End by a signal; returns the exit status."""
        self.process.send_signal(number)
        return self.process.wait(SECONDS)


class Machine:
    """The processes of this machine, by their numbers."""

    def postmaster(self, folder: Path) -> int:
        """The PostgreSQL server in `folder`."""
        return int((folder / "data" / "postmaster.pid").read_text().split()[0])

    def keeper(self, folder: Path) -> int:
        """The keeper of that server."""
        return psutil.Process(self.postmaster(folder)).ppid()

    def processes(self, folder: Path) -> list[int]:
        """Servers and keepers of `folder` and what lies in it."""
        found = psutil.process_iter(["pid", "cmdline"])
        return [each.pid for each in found if self._serves(each.info["cmdline"] or [], str(folder))]

    def _serves(self, arguments: list[str], folder: str) -> bool:
        return "-c" not in arguments and any(folder in argument for argument in arguments)

    def kill(self, *numbers: int) -> None:
        """SIGKILL, one after the other."""
        for number in numbers:
            os.kill(number, signal.SIGKILL)


@pytest.fixture
def user():
    """A function that starts a process using the server in a folder."""
    started = []

    def start(folder, prefix=(), **environment):
        started.append(User(folder, prefix, environment))
        return started[-1]

    yield start
    for each in started:
        each.process.kill()
        each.process.wait()
        each.process.stdin.close()
        each.process.stdout.close()


@pytest.fixture
def machine():
    """What to ask about the processes of this machine."""
    return Machine()


@pytest.fixture
def folder(tmp_path, machine):
    """A folder for one server; no process may be left in it at the end."""
    yield tmp_path / "server"
    wait_until(lambda: not machine.processes(tmp_path))


@pytest.fixture
def server(folder):
    """A running server, used by this process."""
    with EmbeddedPostgres(folder, durable=False) as running:
        yield running


@pytest.fixture
def lower_account(tmp_path):
    """The command that runs Python as a normal user, and a folder of that user."""
    home = tmp_path / "home"
    account = choose_account(home, Path(sys.executable))
    return account.command(home, Path(sys.executable)), home
