"""A restored backup is complete: roles, rights, row-level security, and every row."""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile

import psycopg
import pytest

from development.postgres import EmbeddedPostgres
from tests.cli.conftest import operator
from tests.waiting import SECONDS, started, wait_until

COPIES = "select datname from pg_database where starts_with(datname, 'pipeline_drill_')"
DRILLING = "select from pg_stat_activity where starts_with(application_name, 'pipeline_drill_')"
FILLING = f"{COPIES.replace('pg_database', 'pg_stat_activity')} and application_name = 'pg_restore'"
LOGINS = """
select a.rolname, a.rolpassword, r.rolconfig from pg_authid a join pg_roles r using (oid)
where r.rolname in ('pipeline_app', 'pipeline_forms', 'pipeline_jobs') order by 1"""
LOGIN = f"select * from ({LOGINS}) as logins where rolname = 'pipeline_app'"


@pytest.fixture
def elsewhere(tmp_path):
    """The superuser's URL of an empty database on a server that has none of our roles."""
    with EmbeddedPostgres(tmp_path / "elsewhere", durable=False) as server:
        yield server.url()


@pytest.fixture(scope="module")
def backup(tmp_path_factory, demo_url, redis_url):
    """(The folder of a backup of the demo, what the command has said.)"""
    folder = tmp_path_factory.mktemp("made") / "backup"
    return folder, operator(demo_url, redis_url).run("backup", str(folder)).stdout


@pytest.fixture(scope="module")
def filled(tmp_path_factory, backup, redis_url):
    """The superuser's URL of a restored database, on a server that nobody else uses."""
    with EmbeddedPostgres(tmp_path_factory.mktemp("filled"), durable=False) as server:
        operator(server.url(), redis_url).run("restore", str(backup[0]))
        yield server.url()


def drilling(terminal, folder, *before, **options):
    """The process of a drill with a folder for temporary files."""
    environ = {**os.environ, **terminal.environ, "TMPDIR": str(folder)}
    return started([*before, sys.executable, "-m", "pipeline", "drill"], env=environ, text=True, **options)


def test_a_restore_on_another_server_has_all_and_the_doctor_finds_nothing(redis_url, elsewhere, backup):
    folder, said = backup
    rows = json.loads((folder / "manifest.json").read_text())["rows"]
    assert rows["leads"] >= 200
    assert said.startswith(f"{sum(rows.values())} rows of revision ")
    there = operator(elsewhere, redis_url)
    assert "as many in each table as there were" in there.run("restore", str(folder)).stdout
    assert "TO DO" not in there.run("doctor").stdout
    with psycopg.connect(elsewhere) as connection:
        bound = "select count(*) from pg_class where relnamespace = 'app'::regnamespace and relforcerowsecurity"
        public = "select has_database_privilege('pipeline_forms', current_database(), 'temporary')"
        assert connection.execute(bound).fetchone()[0] > 30
        assert connection.execute(public).fetchone() == (False,)
        # Whatever this server's transactions are numbered, what they change comes after what was restored.
        latest = "select max(transaction_id) from app.changes"
        assert connection.execute(latest).fetchone()[0] < 0
        followed = connection.execute("select after_transaction from app.webhook_states")
        assert {number for (number,) in followed if number > 0} == set()
    assert "The database is not empty" in there.run("restore", str(folder), exit_code=1).output


def test_the_drill_restores_beside_compares_and_leaves_nothing(production, demo):
    said = production.run("drill").stdout
    assert "TO DO" not in said
    assert "as many rows in each of" in said
    assert demo.execute(COPIES).fetchall() == []


@pytest.fixture
def beside(redis_url, elsewhere):
    """(A superuser's connection to a server with a service's login, a Terminal with another password for it)."""
    with psycopg.connect(elsewhere, autocommit=True) as connection:
        connection.execute("create role pipeline_app login noinherit password 'of the service'")
        connection.execute("alter role pipeline_app set statement_timeout = '7s'")
        there = operator(elsewhere, redis_url)
        there.environ["DATABASE_URL"] = there.environ["DATABASE_URL"].replace("pipeline_app@", "pipeline_app:other@")
        yield connection, there


def test_a_restore_beside_a_service_leaves_the_logins_of_the_server_as_they_are(beside, backup):
    connection, there = beside
    before = connection.execute(LOGIN).fetchone()
    said = there.run("restore", str(backup[0])).stdout
    assert connection.execute(LOGIN).fetchone() == before
    assert "Not changed, since the server had them: the logins pipeline_app and their passwords." in said
    settings = "select rolconfig::text from pg_roles where rolname = 'pipeline_forms'"
    assert "statement_timeout=5s" in connection.execute(settings).fetchone()[0]


@pytest.mark.long
def test_only_a_flag_that_names_the_danger_lets_a_restore_change_a_password(beside, backup):
    connection, there = beside
    before = connection.execute(LOGIN).fetchone()
    there.run("restore", str(backup[0]), "--reset-login-passwords")
    assert connection.execute(LOGIN).fetchone() != before


@pytest.mark.long
def test_a_drill_changes_no_login_and_finds_a_database_with_a_long_history_healthy(redis_url, filled):
    with psycopg.connect(filled, autocommit=True) as connection:
        for number in range(60):
            connection.execute("update app.leads set job_title = %s", (f"Title {number}",))
        assert connection.execute("select count(*) > 10000 from app.changes").fetchone() == (True,)
        connection.execute("select pg_stat_force_next_flush()")
        connection.execute("analyze")
        connection.execute("alter role pipeline_forms set statement_timeout = '6s'")
        before = connection.execute(LOGINS).fetchall()
        assert "ok     statistics" in operator(filled, redis_url).run("drill").stdout
        assert connection.execute(LOGINS).fetchall() == before


@pytest.mark.long
@pytest.mark.parametrize("moment", ["folder", "rows"])
def test_the_doctor_names_what_a_killed_drill_leaves_and_the_next_drill_removes_it(
    redis_url, filled, tmp_path, monkeypatch, moment
):
    place = tmp_path / "temporary"
    place.mkdir()
    there = operator(filled, redis_url)
    with psycopg.connect(filled, autocommit=True) as connection:
        begun = {
            "folder": lambda: list(place.glob("pipeline-drill-*")),
            "rows": lambda: connection.execute(FILLING).fetchall(),
        }
        with drilling(there, place, stdout=subprocess.DEVNULL) as process:
            wait_until(begun[moment])
            process.kill()
        wait_until(lambda: not connection.execute(DRILLING).fetchall())
        copies = [name for (name,) in connection.execute(COPIES)]
        monkeypatch.setattr(tempfile, "tempdir", str(place))
        left = [*copies, *map(str, place.iterdir())]
        said = there.run("doctor", exit_code=1).stdout
        assert left
        assert [name for name in left if name not in said] == []
        assert "removed" in there.run("drill").stdout
        assert connection.execute(COPIES).fetchall() == []
        assert list(place.iterdir()) == []


@pytest.mark.long
def test_a_drill_that_is_under_way_is_no_leftover(redis_url, filled, tmp_path):
    there = operator(filled, redis_url)
    with (
        psycopg.connect(filled, autocommit=True) as connection,
        drilling(there, tmp_path, stdout=subprocess.PIPE) as process,
    ):
        wait_until(lambda: connection.execute(COPIES).fetchall())
        assert "ok     leftovers" in there.run("doctor").stdout
        printed, _ = process.communicate(timeout=SECONDS)
    assert process.returncode == 0, printed


def test_a_restore_that_lacks_something_says_where_and_what_to_drop(redis_url, new_database, backup, tmp_path):
    copied, url = shutil.copytree(backup[0], tmp_path / "copied"), new_database()
    manifest = json.loads((copied / "manifest.json").read_text())
    manifest["rows"]["leads"] += 1
    (copied / "manifest.json").write_text(json.dumps(manifest))
    said = operator(new_database(), redis_url).run("restore", str(copied), exit_code=1).output
    assert "The restore is incomplete; compare the rows of leads." in said
    for file in (copied / "dump").glob("*.gz"):
        file.unlink()
    said = operator(url, redis_url).run("restore", str(copied), exit_code=1).output
    name = psycopg.conninfo.conninfo_to_dict(url)["dbname"]
    assert f"The database {name} is incomplete: drop it (dropdb {name}) and start again." in said


def test_a_login_under_row_level_security_makes_no_backup(production, tmp_path):
    production.environ["DATABASE_OWNER_URL"] = production.environ["DATABASE_URL"]
    said = production.run("backup", str(tmp_path / "backup"), exit_code=1).output
    assert "Row-level security binds the login pipeline_app" in said


@pytest.mark.long
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_drill_that_is_ended_leaves_no_copy_of_the_data(production, demo, tmp_path, number):
    # A shell lets its background jobs ignore SIGINT.
    with drilling(production, tmp_path, "env", "--default-signal", stderr=subprocess.PIPE) as process:
        wait_until(lambda: demo.execute(COPIES).fetchall())
        process.send_signal(number)
        errors = process.communicate(timeout=SECONDS)[1]
    assert (process.returncode, errors) == (1, "Error: A signal ended the command before it finished.\n")
    assert demo.execute(COPIES).fetchall() == []
    assert list(tmp_path.iterdir()) == []
