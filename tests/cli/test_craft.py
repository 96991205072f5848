"""The DBA's commands: costs of statements, plans for every login, faults of tables."""

import contextlib
import re
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from webtest import TestApp

from development.postgres import binary
from pipeline.database import queries
from pipeline.http.server.application import make_app
from pipeline.process.settings import load
from pipeline.process.settings.database_url import with_login

MONITORING = Path(__file__).parents[2] / "docs" / "monitoring.md"
NEWEST_INVITE = "select token from app.interview_invites where expires_at > now() order by id desc limit 1"


@pytest.fixture
def counted(demo):
    """Statements are counted from now on."""
    demo.execute("create extension if not exists pg_stat_statements")
    demo.execute("select pg_stat_statements_reset(0, (select oid from pg_database where datname = current_database()))")


def test_the_documented_query_lists_what_was_sent_by_name_variant_and_role(production, counted, demo, demo_url):
    app = make_app(load({}, production.environ | {"DATABASE_FORMS_URL": with_login(demo_url, "pipeline_forms")}))
    with contextlib.closing(app.registry.app), contextlib.closing(app.registry.forms):
        client = TestApp(app)
        (invite,) = demo.execute(NEWEST_INVITE).fetchone()
        client.get(f"/api/public/interview/{invite}")
        client.authorization = ("Bearer", production.run("token", "rep@acme.example").stdout.strip())
        client.get("/api/leads?status=new,contacted&sort_by=email")
        lead = client.post_json("/api/leads", {"first_name": "Ines"}).json["id"]
        client.delete(f"/api/leads/{lead}")
    (query,) = re.findall(r"```sql\n(select\n.*?pg_stat_statements.*?)```", MONITORING.read_text(), re.DOTALL)
    found = [statement for statement, *_figures in demo.execute(query)]
    assert {re.match(r"\w*", statement)[0] for statement in found} >= {"lead_list", "lead_insert", "public_invite_open"}
    assert "lead_list: status, sort_by=email, sort_dir=ASC, pipeline_member" in found


@pytest.mark.parametrize(
    ("words", "who"),
    [
        (("lead_list", "status=new,contacted"), "pipeline_member of acme"),
        (("invites_expire", "--login", "jobs"), "pipeline_jobs of acme"),
        (
            ("public_capture_get", "logos_url=x", "--login", "forms", "--form", "software-evaluation"),
            "pipeline_forms of",
        ),
    ],
)
def test_explain_works_for_every_login(terminal, words, who):
    explained = terminal.run("explain", *words)
    assert who in explained.stderr
    assert "Execution Time" in explained.stdout


def test_explain_is_an_administrator_where_there_is_no_member(terminal, demo):
    demo.execute(
        "with made as (insert into app.organizations (name, slug) values ('Few', 'few') returning id), "
        "person as (insert into app.users (email, name) values ('admin@few.example', 'Ada') returning id) "
        "insert into app.organization_users (organization_id, user_id, role) "
        "select made.id, person.id, 'admin' from made, person"
    )
    assert "pipeline_admin of few" in terminal.run("explain", "lead_list", "--organization", "few").stderr
    refused = terminal.run("explain", "lead_list", "--organization", "few", "--role", "member", exit_code=1)
    assert "No user has an active seat as member there" in refused.stderr


@pytest.mark.parametrize(
    "words",
    [
        ("lead_list", "status=new,contacted", "sort_by=email"),
        ("invites_expire", "--login", "jobs"),
        ("public_capture_get", "logos_url=x", "--login", "forms", "--form", "software-evaluation"),
    ],
    ids=lambda words: words[0],
)
def test_explain_prints_a_script_that_psql_runs_as_it_is(words, terminal, demo_url, tmp_path):
    script = tmp_path / "script.sql"
    script.write_text(terminal.run("explain", *words, "--sql").stdout)
    psql = [binary("psql"), "-v", "ON_ERROR_STOP=1", "-f", script, demo_url]
    printed = subprocess.run(psql, capture_output=True, text=True, check=False)
    assert (printed.returncode, printed.stderr) == (0, "")
    assert printed.stdout.startswith("BEGIN")
    assert printed.stdout.endswith("ROLLBACK\n")


def test_explain_names_file_and_line_of_a_syntax_error(terminal, monkeypatch, tmp_path):
    copy = shutil.copytree(queries._folder, tmp_path / "sql")
    file = copy / "records" / "teams.sql"
    file.write_text(file.read_text().replace("from team_records as team\nwhere", "form team_records as team\nwhere"))
    monkeypatch.setattr(queries, "_folder", copy)
    queries.renew()
    try:
        refused = terminal.run("explain", "team_get", "id=1", exit_code=1).stderr
    finally:
        monkeypatch.undo()
        queries.renew()
    assert re.search(r'syntax error at or near "\w+" \(.*sql/records/teams\.sql:\d+, team_get\)', refused), refused


def test_psql_as_the_owner_sees_all_organizations(terminal, demo, capfd):
    (leads,) = demo.execute("select count(*) from app.leads").fetchone()
    terminal.run("psql", "--owner", "--", "-Atc", "select count(*) from app.leads")
    assert capfd.readouterr().out == f"{leads}\n"
    helped = " ".join(terminal.run("psql", "--help").stdout.split())
    assert "ends a statement of the application's login after 5 s" in helped


# {the finding: the change}
FAULTS = {
    "TO DO  row-level security: off, not forced or without the organization's policy on teams": (
        "alter table app.teams no force row level security"
    ),
    "TO DO  leaky conditions: row-level security cannot use a_leaky": (
        "create index a_leaky on app.teams (organization_id, lower(name))"
    ),
    "missing index notes_deal: ": "drop index app.notes_deal",
    "TO DO  statistics: missing, or stale (half of the rows have changed): huge": (
        "create table app.huge as select i from generate_series(1, 20000) as i"
    ),
    "added   index twin: ": "create index twin on app.notes (id)",
}
MENDED = """
    alter table app.teams force row level security; drop index app.a_leaky, app.twin;
    create index notes_deal on app.notes (organization_id, deal_id, id) where deal_id is not null;
    drop table app.huge"""
VALID = "update pg_index set indisvalid = %s where indexrelid = 'app.twin'::regclass"


def test_the_doctor_finds_what_is_wrong_with_tables(production, demo):
    demo.execute("; ".join(FAULTS.values()))
    demo.execute("select pg_stat_force_next_flush()")
    try:
        said = production.run("doctor", exit_code=1).stdout
        demo.execute(VALID, [False])
        unfinished = production.run("doctor", exit_code=1).stdout
    finally:
        demo.execute(MENDED)
    assert [fault for fault in FAULTS if fault not in said] == []
    assert "(half-built)" in unfinished


@pytest.fixture
def broken(superuser):
    superuser.execute("alter view app.team_records rename to away")
    yield
    superuser.execute("alter view app.away rename to team_records")


@pytest.mark.parametrize("environment", ["development", "production"])
def test_a_broken_statement_tells_developers_alone_where_and_why(broken, wsgi, admin, monkeypatch, environment):
    monkeypatch.setattr(wsgi.registry, "pipeline", replace(wsgi.registry.pipeline, environment=environment))
    problem = admin.get("/api/teams", status=500).json
    told = re.search(r'sql/records/teams\.sql:\d+, team_list.*: relation "team_records" does not exist', str(problem))
    assert bool(told) == (environment == "development")
