"""Commands of cells that come at a wrong time or with a wrong address refuse, and change nothing."""

import subprocess
import sys

import psycopg
import pytest

from pipeline.cells.servers import drop_slot
from tests.cells.conftest import LEAD, command

STEPS = ("move_before_copy", "move_copying", "move_fenced", "move_before_switch")
NAMES = "select name from cells.this_cell"


def cells_file(folder, text):
    file = folder / "cells.ini"
    file.write_text(text)
    return {"CELLS_FILE": str(file)}


@pytest.fixture
def pointing(servers, environ, tmp_path):
    """pointing(url): the environment in which the cell north has this owner's URL."""

    def make(url, name="north", further=""):
        app = servers["north"].url("pipeline_app")
        text = f"[{name}]\ndatabase_url = {app}\ndatabase_owner_url = {url}\n{further}"
        return {**environ, **cells_file(tmp_path, text)}

    return make


@pytest.fixture
def begun(new_company, environ):
    """begun(step): an organization whose move to north died there."""

    def make(step):
        company = new_company()
        company.member.post("/api/leads", LEAD, 201)
        words = [sys.executable, "-m", "pipeline", "cells", "move", company.name, "--to", "north"]
        died = subprocess.run(words, env={**environ, "PIPELINE_CHAOS": step}, capture_output=True, check=False)
        assert died.returncode < 0, died.stderr
        return company

    return make


def refused(*words, environ):
    done = command("cells", *words, environ=environ)
    assert done.exit_code == 1, (done.output, done.exception)
    assert isinstance(done.exception, SystemExit)
    return done.output


@pytest.mark.parametrize("step", STEPS)
def test_a_move_that_died_is_taken_back_and_leaves_nothing(step, begun, cells, owners):
    company = begun(step)
    cells("move", company.name, "--abort")
    assert company.member.get("/api/leads", status=200).json["total"] == 1
    company.member.post("/api/leads", LEAD, 201)
    left = owners["north"].execute("select from app.leads where organization_id = %s", [company.id])
    assert not left.fetchall()
    for owner in owners.values():
        moving = "select from pg_replication_slots where slot_name like 'pipeline_move%'"
        assert not owner.execute(moving).fetchall()


def test_a_second_move_of_an_organization_waits_for_no_first_one(here, owners, cells):
    with psycopg.connect(owners["home"].info.dsn, autocommit=True) as first:
        first.execute("select pg_advisory_lock(hashtextextended('pipeline cells move', %s))", [here.id])
        assert "Another pipeline cells move" in cells("move", here.name, "--to", "north", exit_code=1)
        assert "Another pipeline cells move" in cells("move", here.name, "--abort", exit_code=1)


def test_no_move_begins_during_a_migration(here, owners, cells):
    with psycopg.connect(owners["home"].info.dsn, autocommit=True) as migration:
        migration.execute("select pg_advisory_lock(hashtextextended('pipeline migrate', 0))")
        assert "pipeline migrate is at work" in cells("move", here.name, "--to", "north", exit_code=1)


def test_a_move_copies_anew_after_its_slot_was_lost(begun, cells, owners):
    company = begun("move_copying")
    drop_slot(owners["home"], f"pipeline_move_{company.id}")
    company.member.post("/api/leads", LEAD, 201)
    cells("move", company.name, "--to", "north")
    assert company.member.get("/api/leads", status=200).json["total"] == 2


def test_a_move_to_a_cell_that_does_not_follow_home_does_not_switch(begun, cells, owners, monkeypatch):
    company = begun("move_copying")
    monkeypatch.setattr("pipeline.cells.moves.CALM_SECONDS", 3.0)
    owners["north"].execute("alter subscription pipeline_shared_north disable")
    try:
        assert "Copying the map" in cells("move", company.name, "--to", "north", exit_code=1)
        company.member.post("/api/leads", LEAD, 201)
    finally:
        owners["north"].execute("alter subscription pipeline_shared_north enable")
    cells("move", company.name, "--abort")


def test_a_move_is_taken_back_while_its_target_is_away(begun, pointing, owners, cells):
    company = begun("move_copying")
    away = pointing("postgresql://postgres@127.0.0.1:1/postgres")
    done = command("cells", "move", company.name, "--abort", environ=away)
    assert done.exit_code == 0, done.output
    assert "north is away" in done.output
    company.member.post("/api/leads", LEAD, 201)
    cells("move", company.name, "--to", "north")
    assert company.member.get("/api/leads", status=200).json["total"] == 2


def test_a_cell_with_the_address_of_another_server_is_refused(here, there, pointing, servers, owners):
    wrong = pointing(servers["home"].url())
    for words in (("add", "north"), ("reconcile", "north"), ("remove", "north"), ("move", here.name, "--to", "north")):
        refused(*words, environ=wrong)
    assert owners["home"].execute(NAMES).fetchone() == ("home",)
    here.member.get("/api/leads", status=200)
    there.member.get("/api/leads", status=200)


def test_a_database_of_homes_server_is_no_cell(servers, owners, pointing):
    owners["home"].execute("create database second")
    same = servers["home"].url("postgres", "second")
    assert "another server" in refused("add", "second", environ=pointing(same, "second"))
    owners["home"].execute("drop database second")


def test_nothing_moves_to_a_database_that_is_no_cell_yet(here, servers, environ, tmp_path):
    text = f"[south]\ndatabase_url = {servers['north'].url('pipeline_app')}\n"
    south = {**environ, **cells_file(tmp_path, f"{text}database_owner_url = {servers['north'].url()}\n")}
    for words in (("move", here.name, "--to", "south"), ("reconcile", "south")):
        assert "south" in refused(*words, environ=south)
    assert "no cell yet: pipeline cells add south" in command("cells", "list", environ=south).output


def test_a_cell_with_an_organization_or_a_copy_of_one_is_not_removed(there, cells, owners):
    assert "organizations and 0 moves; move them first" in cells("remove", "north", exit_code=1)
    placed = "update cells.placements set cell = %s where cell = %s returning organization_id"
    moved = [id for (id,) in owners["home"].execute(placed, ["home", "north"]).fetchall()]
    try:
        assert "a copy of organization" in cells("remove", "north", exit_code=1)
    finally:
        placed = "update cells.placements set cell = 'north' where organization_id = any(%s)"
        owners["home"].execute(placed, [moved])
    assert "home has the map" in cells("remove", "home", exit_code=1)
    there.member.get("/api/leads", status=200)


@pytest.mark.parametrize(
    "words",
    [
        ("add", "north"),
        ("list",),
        ("move", "acme", "--to", "north"),
        ("move", "1", "--abort"),
        ("reconcile", "north"),
        ("remove", "north"),
    ],
    ids=lambda words: words[0],
)
def test_a_command_says_in_one_line_that_home_is_away(words, environ):
    away = {**environ, "DATABASE_OWNER_URL": "postgresql://postgres@127.0.0.1:1/postgres"}
    assert len(refused(*words, environ=away).strip().splitlines()) == 1
