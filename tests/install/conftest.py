"""An installation as an operator has it: the wheel in a virtual environment of its own, and servers with passwords."""

import contextlib
import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from urllib.parse import quote

import psycopg
import pytest

from development.account import choose_account
from development.ports import free_port
from development.postgres import binary
from development.redis import EmbeddedRedis
from tests.waiting import SECONDS, wait_until

ROOT = Path(__file__).resolve().parents[2]
# What a wheel is made of.
SOURCES = ("setup.py", "production.ini", "CHANGELOG.md", "pipeline", "sql", "alembic", "docs", "clients")
# The servers that Debian's packages have installed: {major version: the folder of the programs}.
DEBIAN = {program.parts[-3]: program.parent for program in Path("/usr/lib/postgresql").glob("*/bin/postgres")}
SERVERS = {"embedded": binary("postgres").parent} | {f"Debian's {major}": DEBIAN[major] for major in sorted(DEBIAN)}
PASSWORD = "p@ss/w%rd:1"


@pytest.fixture(scope="session")
def build(tmp_path_factory):
    """build(): the Path of a wheel, built as `make wheel` does from new copies of the files, with this umask."""

    def make(umask=0o022):
        source, made = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("wheel")
        with pytest.MonkeyPatch.context() as patch, masked(umask):
            for name in SOURCES:
                copy(ROOT / name, source / name)
            patch.setenv("SOURCE_DATE_EPOCH", "1700000000")
            pip("wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", str(made), str(source))
        (found,) = made.iterdir()
        return found

    return make


@pytest.fixture(scope="session")
def wheel(build):
    return build()


@pytest.fixture(scope="session")
def programs(wheel, tmp_path_factory):
    """The folder (Path) of the programs of a virtual environment with the wheel, and the packages of the tests."""
    environment = tmp_path_factory.mktemp("installed")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", environment], check=True)
    pip("--python", str(environment / "bin" / "python"), "install", "--no-deps", str(wheel))
    (packages,) = environment.glob("lib/*/site-packages")
    # A path file does not read those of the folder it names, so the checkout is not found through it.
    (packages / "dependencies.pth").write_text(sysconfig.get_path("purelib"))
    return environment / "bin"


@contextlib.contextmanager
def masked(umask):
    """Let this process and its children create files with a umask."""
    before = os.umask(umask)
    try:
        yield
    finally:
        os.umask(before)


def copy(path, target):
    """Copy a file or folder with the current time and umask."""
    if path.is_dir():
        shutil.copytree(path, target, copy_function=shutil.copyfile)
    else:
        shutil.copyfile(path, target)


def pip(*words):
    command = [sys.executable, "-m", "pip", "--quiet", *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


class Server:
    """PostgreSQL on TCP, as an operator's: every login needs its password. `folder` holds the programs."""

    def __init__(self, folder, data):
        self.folder, self.data, self.port, self.process = folder, data, free_port(), None
        self.account = choose_account(data, folder / "postgres")
        how = ("-U", "postgres", "-E", "UTF8", "--no-locale", "--auth=trust", "--no-sync")
        command = self._command("initdb", f"--pgdata={data}", *how)
        subprocess.run(command, check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        self.start()
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute(f"alter role postgres password '{PASSWORD}'")
            (data / "pg_hba.conf").write_text("host all all 127.0.0.1/32 scram-sha-256\n")
            connection.execute("select pg_reload_conf()")
            connection.execute("create database pipeline")

    def url(self, login, database="postgres"):
        return f"postgresql://{login}:{quote(PASSWORD, safe='')}@127.0.0.1:{self.port}/{database}"

    def is_ready(self):
        try:
            psycopg.connect(self.url("postgres"), connect_timeout=SECONDS).close()
        except psycopg.OperationalError:
            return False
        return True

    def start(self):
        options = ("-c", "listen_addresses=127.0.0.1", "-c", f"port={self.port}", "-c", "unix_socket_directories=")
        command = self._command("postgres", "-D", str(self.data), "-c", "fsync=off", *options)
        self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL)
        wait_until(self.is_ready)

    def stop(self):
        if self.process:
            self.process.send_signal(2)  # fast shutdown
            self.process.wait(SECONDS)
            self.process = None

    def _command(self, program, *words):
        return self.account.command(self.data, self.folder / program, *words, end_signal="INT")


@pytest.fixture(
    scope="module",
    params=["embedded", *(pytest.param(kind, marks=pytest.mark.long) for kind in SERVERS if kind != "embedded")],
)
def postgres(request, tmp_path_factory):
    """A Server of each kind, with an empty database `pipeline`."""
    server = Server(SERVERS[request.param], tmp_path_factory.mktemp("postgres"))
    yield server
    server.stop()


@pytest.fixture(scope="module")
def redis(tmp_path_factory):
    with EmbeddedRedis(tmp_path_factory.mktemp("redis"), durable=False) as server:
        yield server


@pytest.fixture(scope="module")
def environ(programs):
    """The environment (dict) of a shell in which only the programs are found, and no setting of ours."""
    return {"PATH": f"{programs}:{os.environ['PATH']}", "LANG": "C.UTF-8", "PYTHONWARNINGS": "ignore"}


@pytest.fixture(scope="module")
def empty(tmp_path_factory):
    return tmp_path_factory.mktemp("empty")
