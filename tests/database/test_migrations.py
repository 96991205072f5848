import contextlib
import hashlib
import shutil
import subprocess
import sys

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from sqlalchemy.exc import IntegrityError

from development import revision
from development.schema_snapshot import snapshot
from pipeline.database import migrations, revisions
from pipeline.process.settings.shipped import shipped

WRITE = 'Each change of sql/schema needs a revision: make revision M="Leads tell their city" (docs/migrations.md).'
BASELINE = "994484de717774f9d03c1fd5aedf81cce3a788e55238a8c9aa31d040369cb6fa"
REVISIONS = len(list((revisions.FOLDER / "versions").glob("*.py")))


@pytest.fixture(scope="module")
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


def revisions_told(lines):
    """The lines of applied revisions, without those of an index or a wait."""
    return [line for line in lines if line[:4].isdigit()]


@pytest.fixture(scope="module")
def from_baseline(empty):
    """The URL of a database that ran every revision, and the lines that it told."""
    url, told = empty("from_baseline"), []
    migrations.upgrade(url, told.append, to="0001")
    migrations.upgrade(url, told.append)
    return url, told


def test_an_upgrade_reaches_the_newest_revision_and_a_second_one_does_nothing(from_baseline):
    url, told = from_baseline
    assert len(revisions_told(told)) == REVISIONS
    assert told[0].startswith("0001: ")
    migrations.upgrade(url, told.append)
    assert len(revisions_told(told)) == REVISIONS
    with psycopg.connect(url) as connection:
        assert revisions.current(connection) == revisions.head()


def test_a_new_database_gets_the_schema_at_once_and_serves_no_older_release(empty):
    url, told = empty("new"), []
    migrations.upgrade(url, told.append)
    migrations.upgrade(url, told.append)
    assert told == [f"{revisions.head()}: The schema of this release."]
    with psycopg.connect(url) as connection:
        assert revisions.schema_state(connection) == (revisions.head(), revisions.head())


@pytest.mark.parametrize(
    ("standing", "suits"),
    [
        (("0007", "0001"), True),
        (("0008", "0001"), True),
        (("0009", "0007"), True),
        (("0009", "0008"), False),
        (("0006", "0001"), False),
        ((None, None), False),
    ],
    ids=str,
)
def test_a_release_works_on_its_own_schema_and_on_later_ones_that_still_serve_it(standing, suits):
    assert revisions.SchemaState(*standing).is_usable_by("0007") == suits


def upgraded_at_once(*urls):
    """Upgrade every url in a process of its own, all at the same time; answer the revisions each applied."""
    program = "import sys; from pipeline.database import migrations; migrations.upgrade(sys.argv[1], print)"
    running = [
        subprocess.Popen([sys.executable, "-c", program, url], stdout=subprocess.PIPE, text=True) for url in urls
    ]
    told = [process.communicate()[0].splitlines() for process in running]
    assert [process.returncode for process in running] == [0] * len(running)
    return [len(revisions_told(lines)) for lines in told]


@pytest.mark.long
def test_a_second_upgrade_waits_and_another_database_is_upgraded_meanwhile(empty):
    url = empty("raced")
    assert sorted(upgraded_at_once(url, url, empty("beside"))) == [0, 1, 1]


@pytest.fixture
def next_revision(tmp_path, monkeypatch):
    """next_revision(body): a revision made from the template, in a copy of alembic/, with `body` at its end."""
    monkeypatch.setattr(migrations, "FOLDER", tmp_path / "alembic")
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(shipped("alembic"), tmp_path / "alembic", ignore=ignored)

    def make(body):
        path = revision.make("Teams tell their city")
        path.write_text(f"{path.read_text()}    {body}\n")
        return path

    return make


def test_the_migrations_make_what_the_files_in_sql_schema_say(owner_url, from_baseline):
    found = sorted(snapshot(from_baseline[0]) ^ snapshot(owner_url))
    assert found == [], "\n".join(["Without a revision, or only in one:", *found, WRITE])


def test_the_baseline_never_changes():
    digest = hashlib.sha256(revisions.BASELINE.read_bytes()).hexdigest()
    assert digest == BASELINE, f"0.1.0 installs this file. Take it back: git checkout alembic/baseline.sql. {WRITE}"


SIGNED = "insert into app.changes (organization_id, type, record_id, action, actor_kind, parent_type, parent_id) values"


def test_changes_of_signature_requests_without_their_contract_are_given_it_or_removed(empty):
    url = empty("repaired")
    migrations.upgrade(url, to="0001")
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("insert into app.organizations (name, slug) values ('Acme', 'acme')")
        for id, parent in ((5, "'contracts', 7"), (5, "null, null"), (6, "null, null")):
            connection.execute(f"{SIGNED} (1, 'signature-requests', {id}, 'updated', 'signer', {parent})")
        migrations.upgrade(url)
        found = "select record_id, parent_id from app.changes where type = 'signature-requests'"
        assert connection.execute(found).fetchall() == [(5, 7), (5, 7)]


def test_keys_of_rows_from_before_are_computed_anew_without_a_change(empty):
    url = empty("folded")
    migrations.upgrade(url, to="0050")
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("insert into app.organizations (name, slug) values ('Acme', 'acme')")
        for table in ("leads", "contacts"):
            insert = (
                f"insert into app.{table} (organization_id, first_name, email) values (1, 'Jörg', 'JÖRG@x.example')"
            )
            connection.execute(insert)
        connection.execute("insert into app.companies (organization_id, name) values (1, 'Acme S.à r.l.')")
        changes = "select count(*), (select max(updated_at) from app.leads) from app.changes"
        before = connection.execute(changes).fetchone()
        migrations.upgrade(url)
        for table, key in (("leads", "email_key"), ("contacts", "email_key"), ("companies", "name_key")):
            expected = "acme" if table == "companies" else "jörg@x.example"
            assert connection.execute(f"select {key} from app.{table}").fetchone() == (expected,)
        assert connection.execute(changes).fetchone() == before


REQUESTED = (
    "insert into app.organizations (name, slug, locale, country) values ('Acme', 'a', 'en-GB', 'DE'), "
    "('Bank', 'b', 'en-GB', null), ('Club', 'c', 'en', null)",
    "insert into app.signature_requests (organization_id, contract_id, revision, document_file_id, document_sha256, "
    "content_sha256, language, expires_at) select id, 1, 1, 1, repeat('0', 64), repeat('0', 64), 'en', now() "
    "from app.organizations",
)


def test_signature_requests_from_before_take_the_present_country_without_a_change(empty):
    url = empty("dated")
    migrations.upgrade(url, to="0056")
    with psycopg.connect(url, autocommit=True) as connection:
        # Without foreign keys.
        connection.execute("set session_replication_role = replica")
        for statement in REQUESTED:
            connection.execute(statement)
        changes = "select (select count(*) from app.changes), max(updated_at) from app.signature_requests"
        before = connection.execute(changes).fetchone()
        migrations.upgrade(url)
        regions = "select region from app.signature_requests order by organization_id"
        assert connection.execute(regions).fetchall() == [("DE",), ("GB",), ("",)]
        assert connection.execute(changes).fetchone() == before


def test_an_index_is_built_beside_other_work_and_again_when_that_failed(empty, next_revision):
    url = empty("indexed")
    migrations.upgrade(url)
    next_revision("""migrations.index("teams_once", "on app.teams (organization_id, name)", unique=True)""")
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("insert into app.organizations (name, slug) values ('Acme', 'acme')")
        connection.execute("insert into app.teams (organization_id, name) values (1, 'Sales'), (1, 'Sales')")
        with pytest.raises(IntegrityError):
            migrations.upgrade(url)
        connection.execute("delete from app.teams where id = 2")
        migrations.upgrade(url)
        found = connection.execute("select indisvalid from pg_index where indexrelid = 'app.teams_once'::regclass")
        assert found.fetchone() == (True,)


class Ended(Exception):
    """Ends a migration where its process can be killed."""


def upgraded_with_stops(url):
    """Upgrade, with an end after the commit before each index; returns how many there were."""
    ended = set()

    def end(line):
        if "builds the index" in line and line not in ended:
            ended.add(line)
            raise Ended

    while True:
        with contextlib.suppress(Ended):
            migrations.upgrade(url, end)
            return len(ended)


def test_a_revision_that_ends_before_one_of_its_indexes_runs_again(empty, owner_url):
    url = empty("ended")
    migrations.upgrade(url, to="0001")
    assert upgraded_with_stops(url) > 10
    assert snapshot(url) ^ snapshot(owner_url) == set()


def test_a_column_and_its_index_are_one_revision(empty, next_revision):
    url = empty("column_with_index")
    migrations.upgrade(url)
    next_revision(
        'migrations.owned("alter table app.teams add if not exists city text")\n'
        '    migrations.index("teams_city", "on app.teams (organization_id, city)")'
    )
    assert upgraded_with_stops(url) == 1
    with psycopg.connect(url) as connection:
        assert revisions.current(connection) == f"{int(revisions.head()) + 1:04}"
        connection.execute("select 'app.teams_city'::regclass")
