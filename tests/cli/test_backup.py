"""A backup comes back whole: roles, rights, row-level security, and every row."""

import json
import os
import signal
import subprocess
import sys

import psycopg
import pytest

from development.postgres import EmbeddedPostgres
from tests.cli.conftest import Terminal
from tests.waiting import SECONDS, started, wait_until


@pytest.fixture
def elsewhere(tmp_path):
    """The superuser's URL of an empty database on a server that has none of our roles."""
    with EmbeddedPostgres(tmp_path / "elsewhere", durable=False) as server:
        yield server.url()


def moved(production, url):
    """The operator's Terminal for the database of this superuser's URL."""
    login = url.replace("postgres@", "pipeline_app@")
    return Terminal(production.environ | {"DATABASE_OWNER_URL": url, "DATABASE_URL": login})


def test_a_restore_on_another_server_has_all_and_the_doctor_finds_nothing(production, elsewhere, tmp_path):
    folder = tmp_path / "backup"
    said = production.run("backup", str(folder)).stdout
    rows = json.loads((folder / "manifest.json").read_text())["rows"]
    assert rows["leads"] >= 200
    assert said.startswith(f"{sum(rows.values())} rows of revision ")
    there = moved(production, elsewhere)
    assert "as many in each table as there were" in there.run("restore", str(folder)).stdout
    assert "TO DO" not in there.run("doctor").stdout
    with psycopg.connect(elsewhere) as connection:
        bound = "select count(*) from pg_class where relnamespace = 'app'::regnamespace and relforcerowsecurity"
        public = "select has_database_privilege('pipeline_jobs', current_database(), 'temporary')"
        assert connection.execute(bound).fetchone()[0] > 30
        assert connection.execute(public).fetchone() == (False,)
        # Whatever this server's transactions are numbered, what they change comes after what was restored.
        latest = "select max(transaction_id) from app.changes"
        assert connection.execute(latest).fetchone()[0] < 0
        for place in ("after_transaction from app.webhook_states", "last_transaction from app.change_tallies"):
            assert {number for (number,) in connection.execute(f"select {place}") if number > 0} == set()
    assert "The database is not empty" in there.run("restore", str(folder), exit_code=1).output


def test_the_drill_restores_beside_compares_and_leaves_nothing(production, demo):
    said = production.run("drill").stdout
    assert "TO DO" not in said
    assert "as many rows in each of" in said
    # Other tests make databases at the same time.
    left = "select datname from pg_database where starts_with(datname, 'pipeline_drill_')"
    assert demo.execute(left).fetchall() == []


def test_a_folder_without_its_manifest_is_no_backup(production, empty_database, tmp_path):
    there = moved(production, empty_database)
    assert "is no complete backup" in there.run("restore", str(tmp_path), exit_code=1).output


def test_a_restore_that_lacks_a_row_says_where(production, empty_database, tmp_path):
    folder = tmp_path / "backup"
    production.run("backup", str(folder))
    manifest = json.loads((folder / "manifest.json").read_text())
    manifest["rows"]["leads"] += 1
    (folder / "manifest.json").write_text(json.dumps(manifest))
    said = moved(production, empty_database).run("restore", str(folder), exit_code=1).output
    assert "Not all rows are back; compare leads." in said


def test_who_is_bound_by_row_level_security_makes_no_backup(production, tmp_path):
    production.environ["DATABASE_OWNER_URL"] = production.environ["DATABASE_URL"]
    said = production.run("backup", str(tmp_path / "backup"), exit_code=1).output
    assert "Row-level security binds the login pipeline_app" in said


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_drill_that_is_ended_leaves_no_copy_of_the_data(production, demo, tmp_path, number):
    copies = "select datname from pg_database where datname like 'pipeline\\_drill\\_%'"
    environ = {**os.environ, **production.environ, "TMPDIR": str(tmp_path)}
    command = [sys.executable, "-m", "pipeline", "drill"]
    with started(command, env=environ, stderr=subprocess.PIPE, text=True) as process:
        wait_until(lambda: demo.execute(copies).fetchall())
        process.send_signal(number)
        errors = process.communicate(timeout=SECONDS)[1]
    assert (process.returncode, errors) == (1, "Error: Ended by a signal before it was done.\n")
    assert demo.execute(copies).fetchall() == []
    assert list(tmp_path.iterdir()) == []
