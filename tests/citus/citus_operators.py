"""The operator's commands on a cluster: they work on all servers, or name the alternative."""

import re

import pytest

from pipeline.cli import logs
from pipeline.process.settings.database_url import with_login
from tests.cli.conftest import operator
from tests.conftest import PASSWORD

pytestmark = pytest.mark.timeout(600)


@pytest.fixture
def terminal(cluster, redis_url, monkeypatch):
    monkeypatch.setattr(logs, "configure", lambda development: None)
    return operator(cluster.coordinator.url(), redis_url)


@pytest.fixture
def alone(cluster):
    """alone(node, statement): executed on this server, for it alone."""

    def execute(node, statement):
        with node.connect() as connection:
            connection.execute("set citus.enable_ddl_propagation = off; set citus.enable_manual_changes_to_shards = on")
            connection.execute("set check_function_bodies = off")
            connection.execute(statement)

    return execute


def test_a_sound_cluster_has_nothing_to_do(terminal, cluster):
    said = terminal.run("doctor").stdout
    for node in cluster.nodes:
        assert f"ok     127.0.0.1:{node.port}: PostgreSQL 15" in said
    for worker in cluster.workers:
        assert re.search(rf"ok     127.0.0.1:{worker.port} policies: those of their tables on \d+ shards", said)


# Of one server: what is changed, how it is changed back, and what the doctor says.
DAMAGE = [
    (
        "alter function app.plain(text) volatile; revoke select on app.team_records from pipeline_member",
        "alter function app.plain(text) immutable; grant select on app.team_records to pipeline_member",
        "schema: not as on the coordinator: a right (grant SELECT on table app.team_records to pipeline_member), app.",
    ),
    (
        "alter table app.{one} no force row level security; create policy everybody on app.{other} using (true)",
        "alter table app.{one} force row level security; drop policy everybody on app.{other}",
        "policies: not those of their tables on {one}, {other}: stop the service at once",
    ),
    (
        "alter role pipeline_member login",
        "alter role pipeline_member nologin",
        "settings: pipeline_member may log in, so that requests find nothing on the wrong server",
    ),
    (
        "alter role pipeline_forms bypassrls",
        "alter role pipeline_forms nobypassrls",
        "pipeline_forms: The database login pipeline_forms is a superuser, bypasses row-level security",
    ),
    (
        "alter role pipeline_jobs reset plan_cache_mode",
        "alter role pipeline_jobs set plan_cache_mode = force_custom_plan",
        "settings: missing: pipeline_jobs plan_cache_mode=force_custom_plan; stop the service",
    ),
    (
        "alter role pipeline_lookup nologin",
        "alter role pipeline_lookup login",
        "the coordinator cannot log in as pipeline_lookup: see pg_hba.conf there",
    ),
]


@pytest.mark.parametrize(("change", "undo", "said"), DAMAGE)
def test_the_doctor_finds_what_is_wrong_on_one_of_the_servers(terminal, cluster, alone, change, undo, said):
    worker = cluster.workers[1]
    one, other = worker.rows("select relname from pg_class where relname ~ '^leads_[0-9]{6,}$' order by 1 limit 2")
    shards = {"one": one[0], "other": other[0]}
    alone(worker, change.format(**shards))
    try:
        found = terminal.run("doctor", exit_code=1).stdout.splitlines()
    finally:
        alone(worker, undo.format(**shards))
    wrong = [line for line in found if line.startswith(f"TO DO  127.0.0.1:{worker.port}")]
    assert any(said.format(**shards) in line for line in wrong)
    assert not any(line.startswith(f"TO DO  127.0.0.1:{cluster.workers[0].port}") for line in found)


def test_the_doctor_looks_at_the_servers_that_are_there(terminal, cluster):
    away, there = cluster.workers
    with cluster.without(away):
        said = terminal.run("doctor", exit_code=1).stdout
    assert f"TO DO  127.0.0.1:{away.port}: 127.0.0.1:{away.port} cannot be used: connection failed" in said
    assert f"ok     127.0.0.1:{there.port} policies: " in said


def test_the_logins_get_their_passwords_on_every_server(terminal, cluster):
    terminal.environ["DATABASE_FORMS_URL"] = with_login(terminal.environ["DATABASE_URL"], "pipeline_forms", "p@ss")
    assert terminal.run("migrate").stdout.startswith("The schema is at ")
    stored = "select starts_with(rolpassword, 'SCRAM-SHA-256$') from pg_authid where rolname = 'pipeline_forms'"
    assert [node.rows(stored) for node in cluster.nodes] == [[(True,)]] * len(cluster.nodes)


def test_organizations_and_people_are_made_and_have_tokens(terminal, anonymous, password_hash):
    terminal.run("create-organization", "Ops", "--slug", "ops")
    words = ("--organization", "ops", "--name", "Ada", "--role", "admin", "--password-stdin")
    for kind in ("new", "known before"):
        assert kind in terminal.run("create-user", "ada@ops.example", *words, input=f"{PASSWORD}\n").stdout
    terminal.run("set-password", "ada@ops.example", "--password-stdin", input=f"{PASSWORD} anew\n")
    anonymous.post("/api/auth/login", {"email": "ada@ops.example", "password": f"{PASSWORD} anew"}, status=200)
    assert terminal.run("token", "ada@ops.example").stdout.count(".") == 2


def test_psql_works_where_the_organization_is(terminal, organization, capfd):
    organization.member.post("/api/leads", {"first_name": "Ann"}, status=201)
    capfd.readouterr()
    words = ("psql", "--organization", organization.name, "--", "-Atc", "select current_user, count(*) from leads")
    terminal.run(*words)
    assert capfd.readouterr().out == "pipeline_member|1\n"


@pytest.mark.parametrize("command", [["backup", "/nowhere"], ["drill"], ["explain", "lead_list"]])
def test_what_cannot_be_done_is_refused_and_says_what_to_do_instead(terminal, command):
    (line,) = terminal.run(*command, exit_code=1).stderr.splitlines()
    assert line.startswith("Error: This database is distributed over a cluster: ")


def test_another_release_is_not_migrated_to(terminal, cluster):
    with cluster.coordinator.connect() as connection:
        connection.execute("set citus.enable_ddl_propagation = off")
        (revision,) = connection.execute("select version_num from public.alembic_version").fetchone()
        connection.execute("update public.alembic_version set version_num = '0000'")
        try:
            said = terminal.run("migrate", exit_code=1).stderr
        finally:
            connection.execute("update public.alembic_version set version_num = %s", [revision])
    assert "its schema cannot be migrated; go on with the release of its revision" in said
