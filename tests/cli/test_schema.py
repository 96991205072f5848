"""A schema that was changed by hand stops migrate, serve and worker; each names the difference."""

import re

import psycopg

from development.ports import free_port
from tests.cli.conftest import Terminal

# {the change by hand: what is said}
CHANGES = {
    "alter policy organization on app.leads using (true)": "changed policy leads.organization: as restrictive",
    "create policy anybody on app.leads to public using (true)": (
        "added   policy leads.anybody: as permissive for all to public using (true)"
    ),
    "alter table app.leads no force row level security": "changed table leads",
    "alter table app.leads disable trigger user": "changed trigger leads.",
    "drop trigger storage_counted on app.files": "missing trigger files.storage_counted",
    "alter function app.is_active_seat(bigint) security invoker": "changed function app.is_active_seat(bigint)",
    "grant delete on app.leads to pipeline_public": "added   grant delete on leads to pipeline_public",
    "alter table app.leads alter job_title set default 'x'": "changed column leads.job_title",
}


def test_a_schema_that_was_changed_by_hand_stops_each_command(copied):
    url, terminal = copied
    with psycopg.connect(url) as connection:
        connection.execute("; ".join(CHANGES))
    for command in ("migrate", "serve", "worker"):
        told = terminal.run(command, exit_code=1).output
        assert "The schema differs from the last migration:" in told
        assert [said for said in CHANGES.values() if said not in told] == []


def test_the_part_of_a_long_definition_that_has_changed_is_shown(copied):
    url, terminal = copied
    with psycopg.connect(url) as connection:
        (source,) = connection.execute("""select pg_get_functiondef(oid) from pg_proc
            where pronamespace = 'app'::regnamespace
                and prolang = (select oid from pg_language where lanname = 'plpgsql')
            order by length(prosrc) desc limit 1""").fetchone()
        assert len(source) > 2_000
        body, end = source.rstrip().rsplit("\n", 1)
        connection.execute(f"{body}\n-- the last word\n{end}")
    assert "the last word" in terminal.run("migrate", exit_code=1).output


def test_an_upgrade_compares_before_it_changes_anything(copied):
    url, terminal = copied
    with psycopg.connect(url) as connection:
        connection.execute("update public.alembic_version set version_num = '0000'")
        connection.execute("update public.pipeline_schema set files = 'of the release before'")
        connection.execute("alter policy organization on app.leads using (true)")
    assert "changed policy leads.organization" in terminal.run("migrate", exit_code=1).output
    with psycopg.connect(url) as connection:
        assert connection.execute("select version_num from public.alembic_version").fetchone() == ("0000",)


def test_the_doctor_names_a_changed_policy_with_its_whole_condition(copied):
    url, terminal = copied
    with psycopg.connect(url) as connection:
        connection.execute("alter policy organization on app.leads using (true)")
    told = terminal.run("doctor", exit_code=1).output
    assert re.search(
        r"changed policy leads\.organization: .*current_setting.* has become as restrictive .*true", told
    ), told


def test_development_tells_of_a_data_folder_of_older_files(copied):
    url, _ = copied
    with psycopg.connect(url) as connection:
        connection.execute("update public.pipeline_schema set files = 'older'")
    told = Terminal({"DATABASE_URL": url, "PORT": str(free_port())}).run("serve", exit_code=1).output
    assert "made by other revisions. In development, remove the data folder" in told


def test_a_schema_of_other_files_is_told_with_the_way_on(copied):
    url, terminal = copied
    with psycopg.connect(url) as connection:
        connection.execute("update public.pipeline_schema set files = 'other'")
    for command in ("migrate", "serve", "worker"):
        assert "remove the data folder" in terminal.run(command, exit_code=1).output


def test_a_schema_that_was_recorded_on_another_server_is_compared_anew(copied):
    url, terminal = copied
    with psycopg.connect(url) as connection:
        connection.execute("update public.pipeline_schema set server = 15")
    assert "recorded on PostgreSQL 15: run pipeline migrate" in terminal.run("serve", exit_code=1).output
    assert "The schema is at" in terminal.run("migrate").output


def test_a_schema_that_another_release_recorded_is_compared_anew(copied):
    url, terminal = copied
    with psycopg.connect(url) as connection:
        connection.execute("update public.pipeline_schema set reader = 'other'")
    assert "recorded by another release: run pipeline migrate" in terminal.run("worker", exit_code=1).output
    with psycopg.connect(url) as connection:
        connection.execute("alter policy organization on app.leads using (true)")
    assert "policy leads.organization" in terminal.run("migrate", exit_code=1).output
