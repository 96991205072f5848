"""`pipeline migrate` lists its work first, and stops at changes by hand, as serve and worker do."""

import re
import shutil

import psycopg
import pytest
from sqlalchemy.exc import DataError

from development import revision
from pipeline.cli.databases import plan
from pipeline.database import migrations, revisions, schema_record
from pipeline.database.schema_record import check_parts

# Row-level security binds the owner, too.
FORCE = "alter table app.leads {} row level security"
FILL = f"{FORCE.format('no force')}; update app.leads set notes = 'None.' where notes is null; {FORCE.format('force')}"
# {the statement of a revision: what a dry run says of it}
LOCKS = {
    "alter table app.leads add city text": r"locks app.leads against reads and writes \(0 rows, 0\.",
    "alter table app.teams add x uuid default gen_random_uuid(); create table app.x (y int)": (
        "locks app.teams against reads and writes [^;]*; rewrites it, less than a second"
    ),
    "create trigger own before insert on app.notes execute function app.touch()": (
        r"locks app.notes against writes \(0 rows, [\d.]+ MiB\) waits at most 1500ms for a lock; a statement"
    ),
    "alter table app.deals add check (length(title) < 999)": (
        "locks app.deals against reads and writes [^;]*; reads all of it, less than a second waits"
    ),
    "create index deals_own on app.deals (title)": (
        "locks app.deals against writes [^;]*; reads all of it, less than a second waits"
    ),
    "alter table app.deals add owned text": r"locks app.deals against reads and writes [^;]*\) waits",
    "alter table app.tasks add check (length(title) < 999) not valid": "locks app.tasks",
    "alter table app.tasks validate constraint tasks_title_check1": (
        "uses app.tasks [^;]*; reads all of it, less than a second; other"
    ),
    FILL: r"locks app.leads against reads and writes [^;]*; changes its rows, less than a second waits",
}
INDEX = 'migrations.index("leads_city", "on app.leads (organization_id, city)")'
HEAD = int(revisions.head())
RECORD, COMMANDS = "update public.pipeline_schema set", ("migrate", "serve", "worker")
OPENED = "alter policy organization on app.leads using (true)"


@pytest.fixture
def revised(tmp_path, monkeypatch):
    """revised(body): the file of a new revision, which the copied database lacks."""
    folder = tmp_path / "alembic"
    shutil.copytree(revisions.FOLDER, folder, ignore=shutil.ignore_patterns("__pycache__"))
    for module in (migrations, revisions, schema_record):
        monkeypatch.setattr(module, "FOLDER", folder)

    def make(body):
        path = revision.make("Change it")
        path.write_text(f"{path.read_text()}    {body}\n")
        return path

    return make


def revision_at(later):
    return f"{HEAD + later:04}"


def owned(statement):
    return f'migrations.owned("{statement}")'


def changed(url, *statements):
    with psycopg.connect(url) as connection:
        connection.execute("; ".join(statements))


def test_a_dry_run_names_the_tables_that_each_revision_locks(copied, revised):
    url, terminal = copied
    for body in (*map(owned, LOCKS), INDEX):
        revised(body)
    told = " ".join(terminal.run("migrate", "--dry-run").stdout.split())
    for number, said in enumerate(LOCKS.values(), start=HEAD + 1):
        assert re.search(rf"{number:04}: Change it\. {said}", told), said
    index = "builds the index leads_city on app.leads (organization_id, city); reads and writes go on, less"
    assert index in told
    assert "app.x" not in told
    with psycopg.connect(url) as connection:
        assert revisions.current(connection) == revision_at(0)


def test_a_dry_run_names_the_locks_of_a_revision_that_ends_with_an_index(copied, revised):
    revised(f"{owned('alter table app.leads add if not exists city text')}\n    {INDEX}")
    told = " ".join(copied[1].run("migrate", "--dry-run").stdout.split())
    assert re.search(r"locks app.leads against reads and writes .* builds the index leads_city", told)


def test_a_dry_run_estimates_the_time_of_a_large_table(copied, revised, monkeypatch):
    """These rates make the few pages of an empty table large."""
    for body in (*map(owned, [*list(LOCKS)[:2], list(LOCKS)[-1]]), INDEX):
        revised(body)
    monkeypatch.setattr(plan, "READ", 0.0001)
    monkeypatch.setattr(plan, "REWRITTEN", 0.0001)
    told = " ".join(copied[1].run("migrate", "--dry-run").stdout.split())
    assert re.search(r"locks app.teams [^;]*; rewrites it, about [\d,]+ s; longer than a statement may take", told)
    assert re.search(r"locks app.leads [^;]*; changes its rows, about [\d,]+ s; longer than a statement may take", told)
    assert re.search(r"builds the index leads_city .*?; reads and writes go on, about [\d,]+ s", told)


def test_a_dry_run_of_an_empty_database_changes_nothing(production, empty_database):
    production.environ["DATABASE_OWNER_URL"] = empty_database
    assert "creates the schema" in production.run("migrate", "--dry-run").stdout
    with psycopg.connect(empty_database) as connection:
        assert revisions.current(connection) is None


def test_a_migration_that_ended_between_two_revisions_goes_on(copied, revised):
    terminal = copied[1]
    revised(owned("alter table app.leads add city text"))
    second = revised(owned("select 1 / 0"))
    with pytest.raises(DataError, match="division by zero"):
        terminal.run("migrate")
    second.write_text(second.read_text().replace("1 / 0", "1"))
    assert f"The schema is at {revision_at(2)}." in terminal.run("migrate").stdout


def test_a_table_that_stays_in_use_is_told(copied, revised, monkeypatch):
    url, terminal = copied
    monkeypatch.setattr(migrations, "TRIES", 2)
    revised(owned("alter table app.leads add city text"))
    with psycopg.connect(url) as connection:
        connection.execute("select from app.leads")
        said = terminal.run("migrate", exit_code=1).output
    assert "A table is in use; the revision is tried again." in said
    assert "Error: Another transaction holds what is needed: see pg_stat_activity" in said


def test_the_check_leaves_the_connection_to_the_next_user_of_a_pooler_as_it_was(copied):
    with psycopg.connect(copied[0], autocommit=True) as connection:
        before = connection.execute("show search_path").fetchone()
        check_parts(connection)
        assert connection.execute("show search_path").fetchone() == before


def test_a_former_release_compares_a_later_schema_too(copied, revised, monkeypatch):
    url, terminal = copied
    revised(owned("alter table app.leads add city text"))
    terminal.run("migrate")
    monkeypatch.undo()
    changed(url, OPENED)
    for command in COMMANDS:
        assert "changed policy leads.organization" in terminal.run(command, exit_code=1).output


def test_a_check_during_a_migration_reads_the_schema_again(copied, revised, monkeypatch):
    """The migration commits between the check's two statements."""
    url = copied[0]
    revised(owned("alter table app.leads add city text"))
    read, left = schema_record.parts, ["once"]

    def late(connection):
        if left and left.pop():
            migrations.upgrade(url)
        return read(connection)

    monkeypatch.setattr(schema_record, "parts", late)
    with psycopg.connect(url) as connection:
        check_parts(connection)
        assert revisions.current(connection) == revision_at(1)


def test_a_record_of_another_release_is_compared_before_an_upgrade(copied, revised):
    url, terminal = copied
    revised(owned("alter table app.leads add city text"))
    hole = "create policy hole on app.notes for select to pipeline_public using (true)"
    changed(url, f"{RECORD} reader = 'other'", "create index own on app.leads (organization_id, job_title)", hole)
    assert "added   policy notes.hole" in terminal.run("migrate", exit_code=1).output
    with psycopg.connect(url) as connection:
        assert revisions.current(connection) == revision_at(0)
    changed(url, "drop policy hole on app.notes")
    assert f"The schema is at {revision_at(1)}." in terminal.run("migrate").stdout


@pytest.mark.parametrize(
    ("said", "change"),
    [
        ("the table alembic_version", "create table alembic_version (version_num text)"),
        ("the table customers", "create table customers (name text)"),
        ("the schema app", "create schema app"),
    ],
)
def test_a_database_of_another_program_is_refused_untouched(production, empty_database, said, change):
    production.environ["DATABASE_OWNER_URL"] = empty_database
    changed(empty_database, change)
    for words in (("migrate",), ("migrate", "--dry-run")):
        assert f"This database contains {said}: name an empty one" in production.run(*words, exit_code=1).output
    with psycopg.connect(empty_database) as connection:
        assert connection.execute("select to_regclass('public.pipeline_schema')").fetchone() == (None,)


@pytest.mark.parametrize(
    ("change", "commands", "said"),
    [
        (OPENED, COMMANDS, "changed policy leads.organization: as restrictive"),
        (f"{RECORD} files = 'other'", COMMANDS, "remove the data folder"),
        (
            "update public.alembic_version set version_num = '9999', serves = '9999'",
            COMMANDS,
            "The schema is at 9999, which no longer serves this release",
        ),
        (f"{RECORD} server = 15", ["serve"], "recorded on PostgreSQL 15: run pipeline migrate"),
        (f"{RECORD} reader = 'other'", ["worker"], "recorded by another release: run pipeline migrate"),
    ],
)
def test_a_schema_that_is_not_this_releases_stops_each_command_and_one_that_another_recorded_is_compared_anew(
    copied, change, commands, said
):
    url, terminal = copied
    changed(url, change)
    for command in commands:
        assert said in terminal.run(command, exit_code=1).output
    if commands is not COMMANDS:
        assert "The schema is at" in terminal.run("migrate").output


def test_the_doctor_names_a_changed_policy_with_its_whole_condition(copied):
    url, terminal = copied
    changed(url, OPENED)
    told = terminal.run("doctor", exit_code=1).output
    policy = r"changed policy leads\.organization: .*current_setting.* has become as restrictive .*true"
    assert re.search(policy, told), told
