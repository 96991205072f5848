"""Migrating: from nothing, again, at the same time, and the snapshot that shows the result."""

import subprocess
import sys

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from development import schema_snapshot
from pipeline.database import migrations

REVISIONS = len(list((migrations.FOLDER / "versions").glob("*.py")))


@pytest.fixture
def empty(owner_url):
    """empty(name): the URL of a new, empty database on the tests' server; dropped at the end."""
    made = []
    with psycopg.connect(owner_url, autocommit=True) as connection:

        def create(name):
            connection.execute(f"create database {name} template template0")
            made.append(name)
            return make_conninfo(**conninfo_to_dict(owner_url) | {"dbname": name})

        yield create
        for name in made:
            connection.execute(f"drop database {name} with (force)")


def test_an_upgrade_reaches_the_newest_revision_and_a_second_one_does_nothing(empty):
    url, told = empty("twice"), []
    migrations.upgrade(url, told.append)
    assert len(told) == REVISIONS
    assert told[0].startswith("0001: ")
    migrations.upgrade(url, told.append)
    assert len(told) == REVISIONS
    with psycopg.connect(url) as connection:
        assert migrations.current(connection) == migrations.head()


def test_an_empty_database_stands_at_no_revision(empty):
    with psycopg.connect(empty("untouched")) as connection:
        assert migrations.current(connection) is None


@pytest.mark.parametrize("role", ["pipeline_app", "pipeline_forms", "pipeline_jobs"])
def test_every_login_can_tell_the_revision(login_url, role):
    with psycopg.connect(login_url(role)) as connection:
        assert migrations.current(connection) == migrations.head()


def upgraded_at_once(*urls):
    """Upgrade every url in a process of its own, all at the same time; answer the revisions each applied."""
    program = "import sys; from pipeline.database import migrations; migrations.upgrade(sys.argv[1], print)"
    running = [
        subprocess.Popen([sys.executable, "-c", program, url], stdout=subprocess.PIPE, text=True) for url in urls
    ]
    told = [process.communicate()[0].splitlines() for process in running]
    assert [process.returncode for process in running] == [0] * len(running)
    return [len(lines) for lines in told]


def test_of_two_upgrades_of_one_database_at_once_the_second_waits_and_finds_it_done(empty):
    url = empty("raced")
    assert sorted(upgraded_at_once(url, url)) == [0, REVISIONS]


def test_two_databases_of_one_server_may_migrate_at_once(empty):
    assert upgraded_at_once(empty("left_one"), empty("right_one")) == [REVISIONS, REVISIONS]


def test_the_schema_snapshot_is_what_the_migrations_make(owner_url):
    assert schema_snapshot.snapshot(owner_url) == schema_snapshot.FILE.read_text(), (
        "run python -m development.schema_snapshot URL"
    )
