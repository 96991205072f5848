"""A schema that was changed by hand stops migrate, serve and worker; each names the difference."""

import re

import psycopg
import pytest

OPENED = "alter policy organization on app.leads using (true)"


def changed(url, *statements):
    with psycopg.connect(url) as connection:
        for statement in statements:
            connection.execute(statement)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (OPENED, "changed policy leads.organization: as restrictive"),
        ("update public.pipeline_schema set files = 'other'", "remove the data folder"),
    ],
)
def test_a_schema_of_other_files_or_changed_by_hand_stops_each_command(copied, change, said):
    url, terminal = copied
    changed(url, change)
    for command in ("migrate", "serve", "worker"):
        assert said in terminal.run(command, exit_code=1).output


def test_an_upgrade_compares_before_it_changes_anything(copied):
    url, terminal = copied
    former = "update public.pipeline_schema set files = 'of the release before'"
    changed(url, "update public.alembic_version set version_num = '0000'", former, OPENED)
    assert "changed policy leads.organization" in terminal.run("migrate", exit_code=1).output
    with psycopg.connect(url) as connection:
        assert connection.execute("select version_num from public.alembic_version").fetchone() == ("0000",)


def test_the_doctor_names_a_changed_policy_with_its_whole_condition(copied):
    url, terminal = copied
    changed(url, OPENED)
    told = terminal.run("doctor", exit_code=1).output
    policy = r"changed policy leads\.organization: .*current_setting.* has become as restrictive .*true"
    assert re.search(policy, told), told


@pytest.mark.parametrize(
    ("record", "command", "said"),
    [
        ("server = 15", "serve", "recorded on PostgreSQL 15: run pipeline migrate"),
        ("reader = 'other'", "worker", "recorded by another release: run pipeline migrate"),
    ],
    ids=["another server", "another release"],
)
def test_a_schema_that_another_recorded_is_compared_anew(copied, record, command, said):
    url, terminal = copied
    changed(url, f"update public.pipeline_schema set {record}")
    assert said in terminal.run(command, exit_code=1).output
    assert "The schema is at" in terminal.run("migrate").output
