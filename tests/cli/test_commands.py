"""Administrative commands: each prints its result, or one line for a failure."""

import json
import os
import shutil
import socket
import subprocess
import sys
import uuid

import psycopg
import pytest

from pipeline.database import queries
from pipeline.database.queries import SQL
from pipeline.documents.characters import fonts
from pipeline.documents.processes import converter
from pipeline.process.settings.database_url import with_login
from pipeline.signing.sealing.certificates import made_in
from tests.cli.conftest import Terminal
from tests.operations.pooler import Pooler
from tests.waiting import SECONDS


def test_migrate_gives_the_logins_the_passwords_of_their_urls(production, demo):
    login = f"cli_{uuid.uuid4().hex[:12]}"
    demo.execute(f"create role {login} login")
    production.environ["DATABASE_FORMS_URL"] = with_login(production.environ["DATABASE_URL"], login, "p@ss")
    production.run("migrate")
    stored = "select rolpassword from pg_authid where rolname = %s"
    assert demo.execute(stored, (login,)).fetchone()[0].startswith("SCRAM-SHA-256$")
    demo.execute(f"drop role {login}")


def test_generated_secrets_are_for_the_developer_alone(terminal, demo_folder):
    file = demo_folder / "secrets.json"
    assert file.stat().st_mode & 0o777 == 0o600
    before = file.read_text()
    terminal.run("token", "rep@acme.example")
    assert file.read_text() == before
    assert len(json.loads(before)["jwt_secret"]) == 64


def test_explain_shows_the_variant_that_is_sent(terminal):
    shown = terminal.run("explain", "deal_list", "sort_by=value", "limit=25", "offset=0").stdout
    assert shown.startswith("-- deal_list: sort_by=value, sort_dir=ASC, pipeline_member, organization ")
    assert ", deal.value_key asc, deal.id asc" in shown
    assert "deal.owner_id =" not in shown
    assert "current_setting('app.organization_id'" in shown
    assert terminal.run("explain", "lead_list").stdout.startswith("-- lead_list: sort_by=name, sort_dir=ASC, ")


def test_explain_executes_with_the_rights_of_the_role_and_takes_it_back(terminal, demo):
    words = ("explain", "interview_template_insert", "name=X", "slug=explained", "lead_capture_enabled=false")
    assert "Insert on" in terminal.run(*words, "--role", "admin").stdout
    assert demo.execute("select from app.interview_templates where slug = 'explained'").fetchone() is None
    refused = terminal.run(*words, exit_code=1)
    assert "permission denied for table interview_templates" in refused.stderr


def test_psql_sees_the_rows_of_one_organization_as_the_application_does(terminal, demo, capfd):
    own = "select count(*) from app.leads join app.organizations o on o.id = organization_id where slug = 'acme'"
    (leads,) = demo.execute(own).fetchone()
    words = ("psql", "--organization", "acme", "--", "-Atc", "select session_user, current_user, count(*) from leads")
    assert terminal.run(*words).stderr == "pipeline_member of acme\n"
    assert capfd.readouterr().out == f"pipeline_app|pipeline_member|{leads}\n"


@pytest.mark.parametrize(
    ("words", "exit_code", "variable", "value", "said"),
    [
        ("demo", 1, "MAIL_TRANSPORT", "log", "in development only"),
        ("token rep@acme.example", 1, "DATABASE_OWNER_URL", "", "set DATABASE_OWNER_URL"),
        ("serve", 1, "DATABASE_URL", "superuser", "is a superuser"),
        ("worker", 1, "DATABASE_JOBS_URL", "superuser", "is a superuser"),
        *((words, 2, "DATABASE_URL", "", "Missing setting: set DATABASE_URL") for words in ("serve", "migrate")),
        ("doctor", 1, "DATABASE_URL", "", "Missing setting: set DATABASE_URL"),
        ("serve", 2, "JWT_SECRET", "a" * 32, "JWT_SECRET"),
        ("doctor", 1, "JWT_SECRET", "a" * 32, "JWT_SECRET"),
        ("worker", 2, "PUBLIC_URL", "", "PUBLIC_URL"),
        ("serve", 2, "REDIS_URL", "", "REDIS_URL"),
        ("migrate", 2, "DATABASE_FORMS_URL", "mysql://db/pipeline", "DATABASE_FORMS_URL"),
    ],
)
def test_a_setting_unfit_for_production_is_one_line(production, demo_url, words, exit_code, variable, value, said):
    production.environ[variable] = demo_url if value == "superuser" else value
    *before, line = production.run(*words.split(), exit_code=exit_code).output.splitlines()
    assert said in line
    assert not before or value == "superuser", "nothing begins by wrong settings"
    assert "mysql" not in line


def test_a_taken_port_is_one_clear_line(terminal):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        terminal.environ["PORT"] = str(taken.getsockname()[1])
        said = terminal.run("serve", exit_code=1).stderr
    assert said.startswith(f"Error: Cannot listen on 127.0.0.1:{terminal.environ['PORT']}: Address already in use;")
    assert said.count("\n") == 1


def test_production_does_not_serve_another_schema(production, empty_database):
    production.environ["DATABASE_URL"] = with_login(empty_database, "pipeline_app")
    assert "run pipeline migrate" in production.run("serve", exit_code=1).stderr


def test_production_does_not_start_on_a_query_that_postgresql_cannot_read(production, tmp_path, monkeypatch):
    shutil.copytree(SQL, tmp_path / "sql")
    file = tmp_path / "sql" / "records" / "teams.sql"
    file.write_text(file.read_text().replace("from team_records as team", "from team_record as team"))
    monkeypatch.setattr(queries, "_folder", tmp_path / "sql")
    monkeypatch.setattr(queries, "_named", None)
    said = production.run("serve", exit_code=1).stderr.splitlines()[-1]
    assert said.startswith("Error: ")
    assert 'sql/records/teams.sql:5, team_list: relation "team_record" does not exist.' in said


def test_a_sound_installation_has_nothing_to_do(terminal, production):
    for where in (terminal, production):
        assert "TO DO" not in where.run("doctor").stdout


def test_the_doctor_names_accounts_whose_addresses_can_be_mistaken_for_one_another(production, empty_database):
    production.environ["DATABASE_OWNER_URL"] = empty_database
    assert "TO DO  schema: at no revision" in production.run("doctor", exit_code=1).stdout
    Terminal({"DATABASE_URL": empty_database}).run("migrate")
    with psycopg.connect(empty_database, autocommit=True) as database:
        database.execute("alter table app.users drop constraint users_email_check")
        twins = "('vİctor@twin.example', 'V'), ('victor@twin.example', 'V')"
        database.execute(f"insert into app.users (email, name) values {twins}")
    said = production.run("doctor", exit_code=1).stdout
    assert "another account's: vİctor@twin.example and victor@twin.example;" in said


# {what is wrong: what the doctor says of it}
WRONG = {
    "redis is away": "redis: REDIS_URL cannot be used",
    "a login in the wrong place": "pipeline_jobs: the login pipeline_forms may become",
    "another one": "pipeline_forms: the login pipeline_app may become",
    "a setting that a login gave itself": "pipeline_app: the login pipeline_app has a setting of its own",
    "a storage that is nearly full": "storage: an organization's files have 1 of 1 MiB",
    "a font that prints nothing": "fonts: no font prints Latin, Greek",
    "a server without LibreOffice": "converter: Word files cannot be templates; install Debian's libreoffice-writer",
    "a broken certificate of an organization": "signing: SIGNING_CERTIFICATES/7.p12 cannot be read",
}


def test_the_doctor_names_all_that_is_wrong(production, demo, tmp_path, monkeypatch):
    store, public = made_in(tmp_path)
    production.environ |= {"SIGNING_CERTIFICATE": str(store), "SIGNING_KNOWN_CERTIFICATES": str(public)}
    assert "ok     signing: Pipeline development, valid until" in production.run("doctor").stdout
    (tmp_path / "fonts.conf").write_text("<fontconfig></fontconfig>")
    monkeypatch.setenv("FONTCONFIG_FILE", str(tmp_path / "fonts.conf"))
    monkeypatch.setattr(converter, "PROGRAM", "no-such-program")
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "7.p12").write_bytes(b"no certificate")
    url = production.environ["DATABASE_URL"]
    own_setting = f"alter role pipeline_app in database {demo.info.dbname} {{}} search_path"
    production.environ |= {
        "REDIS_URL": "redis://:secret@127.0.0.1:1/0",
        "DATABASE_JOBS_URL": with_login(url, "pipeline_forms"),
        "DATABASE_FORMS_URL": with_login(url, "pipeline_app"),
        "STORAGE_QUOTA_MIB": "1",
        "SIGNING_CERTIFICATES": str(tmp_path / "own"),
    }
    fonts._coverage.cache_clear()
    with psycopg.connect(url, autocommit=True) as login:
        login.execute(f"{own_setting.format('set')} = pg_temp, app")
        demo.execute("update app.storage_use set bytes = bytes + 1048576")
        said = production.run("doctor", exit_code=1).stdout
        demo.execute("update app.storage_use set bytes = bytes - 1048576")
        login.execute(own_setting.format("reset"))
    monkeypatch.undo()
    fonts._coverage.cache_clear()
    assert [what for what, told in WRONG.items() if f"TO DO  {told}" not in said] == []
    assert "secret" not in said
    store.write_bytes(b"no certificate")
    assert "TO DO  signing: SIGNING_CERTIFICATE cannot be read" in production.run("doctor", exit_code=1).stdout


@pytest.mark.parametrize(
    ("damage", "option"),
    [("content = substr(content, 2)", ()), ("content = overlay(content placing 'xy' from 1)", ("--files",))],
)
def test_the_doctor_names_a_file_whose_content_is_not_what_was_stored(production, demo, damage, option):
    first = "select file_id, content from app.file_chunks where position = 0 order by file_id limit 1"
    id, content = demo.execute(first).fetchone()
    demo.execute(f"update app.file_chunks set {damage} where file_id = %s and position = 0", [id])
    said = production.run("doctor", *option, exit_code=1).stdout
    demo.execute("update app.file_chunks set content = %s where file_id = %s and position = 0", [content, id])
    assert f"TO DO  files: stored content does not match its size or SHA-256: file {id} of organization" in said


def test_the_doctor_finds_that_a_pooler_keeps_the_worker_from_listening(production, demo_url, tmp_path):
    pooler = Pooler(tmp_path, demo_url)
    pooler.start_and_wait()
    production.environ |= {"DATABASE_URL": pooler.url("pipeline_app"), "DATABASE_OWNER_URL": demo_url}
    said = production.run("doctor", exit_code=1).stdout
    assert "TO DO  listening: DATABASE_JOBS_URL leads through a pooler" in said
    assert "bound by row-level security, through a pooler" in said
    production.environ["DATABASE_LISTEN_URL"] = with_login(demo_url, "pipeline_jobs")
    assert "ok     listening: PostgreSQL notifies the worker of events" in production.run("doctor").stdout
    pooler.kill()


def test_openapi_prints_the_document_that_the_service_returns_before_the_first_start(anonymous, settings, tmp_path):
    printed = Terminal({"PUBLIC_URL": settings.public_url, "DATA_DIR": str(tmp_path)}).run("openapi").stdout
    assert json.loads(printed) == anonymous.get("/openapi.json").json
    assert not list(tmp_path.iterdir())


def test_a_folder_that_cannot_hold_metrics_is_one_clear_line():
    environ = os.environ | {"PROMETHEUS_MULTIPROC_DIR": "/etc/passwd"}
    command = [sys.executable, "-m", "pipeline", "serve"]
    ended = subprocess.run(command, env=environ, capture_output=True, text=True, timeout=SECONDS)
    assert ended.returncode == 1
    assert ended.stderr.startswith("Error: PROMETHEUS_MULTIPROC_DIR names a folder that cannot be used")
    assert ended.stderr.count("\n") == 1
