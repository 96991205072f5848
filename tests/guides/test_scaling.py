"""docs/scaling.md, several PostgreSQL servers: an operator types its commands as printed, on two real servers."""

import re
import shlex
from pathlib import Path

import psycopg
import pytest
from webtest import TestApp

from development.postgres import EmbeddedPostgres
from development.sockets import socket_folder
from pipeline.database import open_cells
from pipeline.http.server.application import make_app
from pipeline.process.settings import load
from tests.cells.conftest import LEAD, command
from tests.conftest import PASSWORD
from tests.support import Organization

GUIDE = (Path(__file__).resolve().parents[2] / "docs" / "scaling.md").read_text().partition("## Several PostgreSQL")[2]
COMMANDS = set(re.findall(r"`(pipeline [^`]+)`", GUIDE)) | set(re.findall(r"^    (pipeline .+)$", GUIDE, re.MULTILINE))
FILE = re.search(r"```ini\n(.+?)```", GUIDE, re.DOTALL)[1]
# With all that a URL must escape.
ESCAPED = "it's%20a%20%254%220%40%20riddle"
ADMITTED = "local all postgres trust\nlocal pipeline all scram-sha-256\nlocal postgres all reject\n"


def at(server):
    """A server's address in a URL's query."""
    return f"host={socket_folder(server.folder, '.s.PGSQL.5432')}&port=5432"


def addressed(text, servers):
    """A text of the guide with the addresses and the passwords of this machine."""
    for name, server in servers.items():
        text = text.replace(f"@{name}/pipeline?", f"@/pipeline?{at(server)}&")
        text = text.replace(f"@{name}/pipeline", f"@/pipeline?{at(server)}")
    # The server of the tests is built without TLS.
    return text.replace("…", ESCAPED).replace("sslmode=verify-full", "sslmode=disable")


@pytest.fixture(scope="module")
def pair(tmp_path_factory):
    """{cell: EmbeddedPostgres} that ask for passwords, with an empty database."""
    folder = tmp_path_factory.mktemp("scaling")
    least = ("max_replication_slots", "max_wal_senders", "max_logical_replication_workers")
    needed = {**dict.fromkeys(least, "11"), "max_worker_processes": "21", "wal_level": "logical"}
    needed["log_statement"] = "all"
    with (
        EmbeddedPostgres(folder / "h", durable=False, settings=needed) as home,
        EmbeddedPostgres(folder / "n", durable=False, settings=needed) as north,
    ):
        for server in (home, north):
            with psycopg.connect(server.url(), autocommit=True) as owner:
                owner.execute("create database pipeline encoding 'UTF8' template template0")
                file = Path(owner.execute("show hba_file").fetchone()[0])
                file.write_text(ADMITTED)
                owner.execute("select pg_reload_conf()")
        yield {"home": home, "north": north}


@pytest.fixture(scope="module")
def operator(pair, tmp_path_factory, settings):
    """operator(text): the output of a command of the guide."""
    file = tmp_path_factory.mktemp("etc") / "cells.ini"
    file.write_text(addressed(FILE, pair))
    environ = {
        "DATABASE_URL": addressed("postgresql://pipeline_app:…@home/pipeline", pair),
        "DATABASE_OWNER_URL": addressed("postgresql://postgres:…@home/pipeline", pair),
        "CELLS_FILE": str(file),
        "JWT_SECRET": settings.jwt_secret,
        "PUBLIC_URL": settings.public_url,
        "REDIS_URL": "redis://127.0.0.1:1/0",
        "PIPELINE_ENVIRONMENT": "production",
    }
    typed = set()

    def run(text, exit_code=0, **changes):
        typed.add(text)
        done = command(*shlex.split(text)[1:], environ={**environ, **changes})
        assert exit_code in (done.exit_code, None), (text, done.output, done.exception)
        return done.output

    run.typed, run.environ = typed, environ
    return run


@pytest.fixture(scope="module")
def grown(operator, pair, password_hash):
    """acme, an organization of an installation that has just got its second server."""
    operator("pipeline migrate", CELLS_FILE="")
    operator("pipeline cells add north")
    app = make_app(load({}, operator.environ))
    jobs = open_cells(load({}, operator.environ), load({}, operator.environ).database_jobs_url, 2, "jobs")
    with psycopg.connect(pair["home"].url("postgres", "pipeline"), autocommit=True) as owner:
        acme = Organization(TestApp(app), owner, "acme", password_hash, app.registry.tokens)
        acme.member.post("/api/leads", LEAD, 201)
        yield acme
    for pool in (app.registry.app, app.registry.forms, jobs):
        pool.close()
    app.registry.limits.close()


def test_a_cell_is_added_listed_and_checked(operator, grown):
    assert [line.split()[-1] for line in operator("pipeline cells list").splitlines()[1:]] == ["works", "works"]
    checked = operator("pipeline doctor", exit_code=None)
    assert "home and 1 more: each follows home" in checked


def test_an_organization_moves_and_signs_in(operator, grown):
    assert "rows of" in operator("pipeline cells move acme --to north")
    assert grown.member.get("/api/leads", status=200).json["total"] == 1
    grown.anonymous.post("/api/auth/login", {"email": "admin@acme.example", "password": PASSWORD}, 200)
    assert "is not moving" in operator("pipeline cells move acme --abort", exit_code=1)


def test_migrations_reconciliation_and_backups_know_the_cell(operator, grown, pair, tmp_path):
    operator("pipeline migrate")
    assert "north agrees with the map" in operator("pipeline cells reconcile north")
    owner_url = addressed("postgresql://postgres:…@north/pipeline", pair)
    operator(f"pipeline backup {tmp_path / 'north'}", DATABASE_OWNER_URL=owner_url, CELLS_FILE="")
    assert b"riddle" not in (tmp_path / "north" / "dump" / "toc.dat").read_bytes()
    grown.member.get("/api/leads", status=200)


def test_an_empty_cell_is_removed(operator, grown):
    operator("pipeline cells move acme --to home")
    assert "no cell any more" in operator("pipeline cells remove north")
    assert grown.member.get("/api/leads", status=200).json["total"] == 1


def test_each_command_of_the_guide_was_typed(operator, grown):
    words = {re.sub(r" (north|/\S+)$", "", text) for text in operator.typed}
    assert {re.sub(r" north$", "", text) for text in COMMANDS} <= words


def test_the_replication_login_reads_no_password_and_no_log_has_one(operator, grown, pair):
    operator("pipeline cells add north")
    for name, server in pair.items():
        url = addressed(f"postgresql://replicator:…@{name}/pipeline", pair)
        with psycopg.connect(url) as connection, pytest.raises(psycopg.Error, match="denied"):
            connection.execute("select subconninfo from pg_subscription")
        assert "riddle" not in server.log_file.read_text(errors="replace")
    operator("pipeline cells remove north")
