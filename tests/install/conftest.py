"""An installation as an operator has it: the wheel in a virtual environment of its own, and servers with passwords."""

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from urllib.parse import quote

import psycopg
import pytest

from development.ports import free_port
from development.postgres import EmbeddedPostgres, binary
from development.redis import EmbeddedRedis

ROOT = Path(__file__).resolve().parents[2]
# What a wheel is made of.
SOURCES = ("setup.py", "production.ini", "CHANGELOG.md", "pipeline", "sql", "alembic", "docs", "clients")
# The servers that Debian's packages have installed: {major version: the folder of the programs}.
DEBIAN = {program.parts[-3]: program.parent for program in Path("/usr/lib/postgresql").glob("*/bin/postgres")}
SERVERS = {"embedded": binary("postgres").parent} | {f"Debian's {major}": DEBIAN[major] for major in sorted(DEBIAN)}
PASSWORD = "p@ss/w%rd:1"


@pytest.fixture(scope="session")
def wheel(tmp_path_factory):
    """The Path of a wheel, built as `make wheel` does from new copies of the files."""
    source, made = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("wheel")
    for name in SOURCES:
        (shutil.copytree if (ROOT / name).is_dir() else shutil.copy)(ROOT / name, source / name)
    pip("wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", str(made), str(source))
    return next(made.iterdir())


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


def pip(*words):
    command = [sys.executable, "-m", "pip", "--quiet", *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


class Server(EmbeddedPostgres):
    """PostgreSQL on TCP, as an operator's: every login needs its password."""

    def __init__(self, folder):
        self.port = free_port()
        super().__init__(folder, durable=False, settings={"listen_addresses": "127.0.0.1", "port": str(self.port)})

    def url(self, user="postgres", database="postgres"):
        return f"postgresql://{user}:{quote(PASSWORD, safe='')}@127.0.0.1:{self.port}/{database}"


@pytest.fixture(
    scope="module",
    params=["embedded", *(pytest.param(kind, marks=pytest.mark.long) for kind in SERVERS if kind != "embedded")],
)
def postgres(request, tmp_path_factory):
    """A Server of each kind, with an empty database `pipeline`."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("POSTGRES_BIN", str(SERVERS[request.param]))
        with Server(tmp_path_factory.mktemp("postgres")) as server:
            with psycopg.connect(server.url(), autocommit=True) as connection:
                connection.execute(f"alter role postgres password '{PASSWORD}'")
                (server.data / "pg_hba.conf").write_text("host all all 127.0.0.1/32 scram-sha-256\n")
                connection.execute("select pg_reload_conf()")
                connection.execute("create database pipeline")
            yield server


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
