"""Point in time: a base backup and the archived log bring back what was there before a mistake."""

import subprocess

import psycopg

from development.account import choose_account
from development.postgres import EmbeddedPostgres, binary
from pipeline.database import migrations
from tests.cli.conftest import SECRET, Terminal

ORGANIZATION = "insert into app.organizations (name, slug) values (%s, %s)"


def settings(archive, **further):
    """A server's settings for archiving its log, as docs/operations.md has them."""
    return {"archive_mode": "on", "archive_command": f"cp %p {archive}/%f", **further}


def test_what_was_there_before_a_mistake_comes_back_from_base_backup_and_log(tmp_path, redis_url):
    archive, base = tmp_path / "archive", tmp_path / "again" / "data"
    tmp_path.chmod(0o755)
    account = choose_account(archive, binary("postgres"))
    with EmbeddedPostgres(tmp_path / "first", settings=settings(archive)) as server:
        migrations.upgrade(server.url())
        base.parent.mkdir()
        command = [binary("pg_basebackup"), "--checkpoint=fast", f"--pgdata={base}", f"--dbname={server.url()}"]
        subprocess.run(command, check=True)
        with psycopg.connect(server.url(), autocommit=True) as owner:
            owner.execute(ORGANIZATION, ("Kept", "kept"))
            owner.execute("select pg_create_restore_point('before the mistake')")
            owner.execute("delete from app.organizations")
            owner.execute("select pg_switch_wal()")
    (base / "recovery.signal").touch()
    account.make_folder(base.parent)
    target = {"recovery_target_name": "before the mistake", "recovery_target_action": "promote"}
    again = settings(archive, restore_command=f"cp {archive}/%f %p", **target)
    with EmbeddedPostgres(base.parent, settings=again) as server:
        with psycopg.connect(server.url()) as owner:
            assert owner.execute("select slug from app.organizations").fetchall() == [("kept",)]
        environ = {"PIPELINE_ENVIRONMENT": "production", "MAIL_TRANSPORT": "log", "JWT_SECRET": SECRET}
        urls = {"DATABASE_OWNER_URL": server.url(), "DATABASE_URL": server.url("pipeline_app"), "REDIS_URL": redis_url}
        said = Terminal(environ | urls | {"PUBLIC_URL": "https://pipeline.example"}).run("doctor").stdout
        assert "TO DO" not in said
