"""An upgrade from 0.1.0 keeps every row."""

import shutil
import uuid

import psycopg
import pytest

from pipeline.database import migrations, revisions
from pipeline.process.settings.database_url import with_database
from tests.operations.kept import Kept, fill
from tests.operations.next_release import ROOT, add_revisions


@pytest.fixture
def filled(server_url, owner_url):
    """The superuser's URL of a database that 0.1.0 made, filled."""
    name = f"upgraded_{uuid.uuid4().hex[:8]}"
    url = with_database(owner_url, name)
    with psycopg.connect(server_url("postgres", "postgres"), autocommit=True) as server:
        server.execute(f"create database {name}")
        migrations.upgrade(url, to="0001")
        fill(url, ROOT, leads=1000)
        yield url
        server.execute(f"drop database {name} with (force)")


def test_an_upgrade_from_the_first_release_keeps_every_row(filled, tmp_path, monkeypatch):
    kept = Kept(filled)
    assert sum(sum(rows.values()) for rows in kept.rows.values()) > 1500
    assert [name for name, rows in kept.rows.items() if not rows] == []
    shutil.copytree(revisions.FOLDER, tmp_path / "alembic", ignore=shutil.ignore_patterns("__pycache__"))
    add_revisions(tmp_path)
    monkeypatch.setattr(migrations, "FOLDER", tmp_path / "alembic")
    migrations.upgrade(filled)
    with psycopg.connect(filled) as connection:
        assert revisions.current(connection) > revisions.head()
    assert kept.lost() == {}


def test_a_row_that_an_upgrade_changes_is_missed(filled):
    kept = Kept(filled)
    with psycopg.connect(filled) as connection:
        connection.execute("update app.teams set name = 'Other' where id = (select min(id) from app.teams)")
    assert kept.lost() == {"teams": 1}
