"""An upgrade from 0.1.0 keeps every row, and the former release works meanwhile. `make upgrade` tries more."""

import shutil
import threading
import uuid
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict
from webtest import TestApp

from pipeline.database import migrations, revisions
from pipeline.http.front.application import make_app
from pipeline.process.settings.database_url import with_login
from tests.homes import Superuser
from tests.operations.kept import Kept, fill
from tests.operations.next_release import ROOT, add_revisions
from tests.support import Organization
from tests.waiting import wait_until, without_timeouts

# tests/cli/test_migrate.py migrates a small database, and tests/operations upgrades a filled one under load.
pytestmark = pytest.mark.long
UNDER_WAY = {
    "an interview in progress": "select from app.interview_invites where status = 'started' and answers <> '{}'",
    "a waiting webhook": "select from app.webhook_deliveries where status = 'pending'",
    "a contract with a file": "select from app.contracts where executed_file_id is not null",
    "many leads": "select from app.leads offset 1000",
}


@pytest.fixture(scope="module")
def database(server_url):
    """database(template): the superuser's URL of a new database; dropped at the end of the module."""
    made = []
    with psycopg.connect(server_url("postgres", "postgres"), autocommit=True) as server:

        def create(template="template0"):
            made.append(f"upgraded_{uuid.uuid4().hex[:8]}")
            server.execute(f"create database {made[-1]} template {template}")
            server.execute(f"grant connect on database {made[-1]} to public")
            return server_url("postgres", made[-1])

        yield create
        for name in made:
            server.execute(f"drop database {name} with (force)")


@pytest.fixture(scope="module")
def first_release(database):
    """The name of a database that 0.1.0 made, filled."""
    url = database()
    migrations.upgrade(url, to="0001")
    fill(url, ROOT, leads=1000)
    return conninfo_to_dict(url)["dbname"]


@pytest.fixture
def filled(first_release, database):
    """The superuser's URL of a copy of that database."""
    return database(first_release)


@pytest.fixture
def next_release(tmp_path, monkeypatch):
    """The revisions of a next release."""
    shutil.copytree(revisions.FOLDER, tmp_path / "alembic", ignore=shutil.ignore_patterns("__pycache__"))
    add_revisions(tmp_path)
    monkeypatch.setattr(migrations, "FOLDER", tmp_path / "alembic")


@pytest.fixture
def former(filled, settings, password_hash):
    """A member's client of the release that runs on the filled database."""
    urls = {
        f"database_{name}url": without_timeouts(with_login(filled, f"pipeline_{login}"))
        for name, login in (("", "app"), ("forms_", "forms"))
    }
    app = make_app(replace(settings, **urls, database_pool=4))
    with Superuser.connected(filled) as owner:
        yield Organization(TestApp(app), owner, "writers", password_hash, app.registry.tokens).member
    app.registry.app.close()
    app.registry.forms.close()
    app.registry.limits.close()


def test_the_filled_database_has_work_under_way(filled):
    with psycopg.connect(filled) as connection:
        found = {name: connection.execute(query).fetchone() for name, query in UNDER_WAY.items()}
    assert [name for name, row in found.items() if row is None] == []
    assert [name for name, rows in Kept(filled).rows.items() if not rows] == []


def test_an_upgrade_from_the_first_release_keeps_every_row(filled, next_release):
    kept = Kept(filled)
    migrations.upgrade(filled)
    with psycopg.connect(filled) as connection:
        assert revisions.current(connection) > revisions.head()
    assert kept.lost() == {}


def test_no_request_to_the_former_release_fails_meanwhile(filled, former, next_release):
    written, over = [], threading.Event()

    def write():
        while not over.is_set():
            lead = {"first_name": "Load", "email": f"{uuid.uuid4().hex}@load.example"}
            written.append(former.post("/api/leads", lead, status=201).json["email"])

    def wait_for_more():
        wanted = len(written) + 20
        wait_until(lambda: len(written) >= wanted or any(writer.done() for writer in writers))

    with ThreadPoolExecutor(4) as threads:
        writers = [threads.submit(write) for _ in range(4)]
        try:
            wait_for_more()
            migrations.upgrade(filled)
            wait_for_more()
        finally:
            over.set()
    assert [writer.result() for writer in writers] == [None] * 4
    with psycopg.connect(filled) as connection:
        stored = {email for (email,) in connection.execute("select email from app.leads")}
    assert set(written) <= stored


def test_a_row_that_an_upgrade_changes_is_missed(filled):
    kept = Kept(filled)
    with psycopg.connect(filled) as connection:
        connection.execute("update app.teams set name = 'Other' where id = (select min(id) from app.teams)")
    assert kept.lost() == {"teams": 1}
