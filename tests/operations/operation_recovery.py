"""Backups while clients work: a folder, and a base with the archived log. Acknowledged records are restored."""

import os
import shutil
import subprocess
from contextlib import closing

import psycopg
import pytest

from development.postgres import binary
from experiments.chaos.processes import wait_until
from experiments.chaos.system import Postgres
from tests.mail.mailserver import MailServer
from tests.operations.load import Load
from tests.operations.service import Service

CLIENTS, BETWEEN = 16, 300
POINT = "before the mistake"
# A lead, its change and what is due because of an invite are written together, so a backup has all of it or nothing.
TORN = {
    "leads without their change": "select count(*) from app.leads l where not exists (select from app.changes c where "
    "c.organization_id = l.organization_id and c.type = 'leads' and c.record_id = l.id and c.action = 'created')",
    "invites without their email": "select count(*) from app.interview_invites i where not exists (select from "
    "app.outbox o where o.organization_id = i.organization_id and o.key = 'invite_email:' || i.id)",
}

pytestmark = pytest.mark.timeout(600)


class Copy(Postgres):
    """A server whose data are a base backup, made now, of the one with the superuser's URL `primary`."""

    def __init__(self, folder, primary):
        folder.mkdir()
        super().__init__(folder)
        data = self.server.data
        shutil.rmtree(data)
        command = [binary("pg_basebackup"), "--checkpoint=fast", f"--dbname={primary}", f"--pgdata={data}"]
        subprocess.run(command, check=True)
        self.own(data, *data.rglob("*"))

    def own(self, *paths):
        for path in paths:
            os.chown(path, *self.account.owner, follow_symlinks=False)


def archiving(archive, **further):
    """A server's settings for archiving its log, as docs/operations.md has them."""
    return {"archive_mode": "on", "archive_command": f"test ! -f {archive}/%f && cp %p {archive}/%f", **further}


def check(service, server, promised):
    """The service can go on with this server: what was promised is there, nothing is torn, the doctor is content."""
    with psycopg.connect(server.url()) as owner:
        stored = {email for (email,) in owner.execute("select email from app.leads")}
        torn = {what: owner.execute(query).fetchone()[0] for what, query in TORN.items()}
    said = service.run("doctor", environ=service.environ(server.url) | {"DATABASE_OWNER_URL": server.url()})
    print(f"{len(promised)} leads promised before, {len(stored)} restored, {len(promised - stored)} lost; {torn}")
    assert promised <= stored
    assert set(torn.values()) == {0}
    assert "TO DO" not in said


def test_a_backup_in_a_folder_has_all_that_was_promised_before_it(service, tmp_path):
    web, folder, again = service.serve(service.environ()), tmp_path / "backup", tmp_path / "again"
    service.work(service.environ())
    with Load(service.organizations(web.port, 4), CLIENTS, lambda: web.port) as load:
        load.wait_for(BETWEEN)
        promised = set(load.leads)
        service.run("backup", str(folder))
        load.wait_for(BETWEEN)
    assert load.failures == {}
    again.mkdir()
    with closing(Postgres(again)) as server:
        server.start_and_wait()
        environ = service.environ(server.url) | {"DATABASE_OWNER_URL": server.url()}
        service.run("restore", str(folder), environ=environ)
        check(service, server, promised)


def test_a_base_and_the_log_bring_back_the_moment_before_a_mistake(tmp_path):
    archive, first = tmp_path / "archive", Postgres(tmp_path)
    tmp_path.chmod(0o755)
    first.account.make_folder(archive)
    first.server.settings = archiving(archive)
    with MailServer() as mail, Service(tmp_path, mail.url, first) as service:
        web = service.serve(service.environ())
        with psycopg.connect(first.url(), autocommit=True) as owner:
            with Load(service.organizations(web.port, 4), CLIENTS, lambda: web.port) as load:
                load.wait_for(BETWEEN)
                again = Copy(tmp_path / "again", first.url())
                load.wait_for(BETWEEN)
                promised = set(load.leads)
                owner.execute("select pg_create_restore_point(%s)", [POINT])
                load.wait_for(BETWEEN)
            owner.execute("truncate app.organizations cascade")
            (last,) = owner.execute("select pg_walfile_name(pg_switch_wal())").fetchone()
            kept = "select last_archived_wal >= %s from pg_stat_archiver"
            wait_until(lambda: owner.execute(kept, [last]).fetchone()[0], 300, "the log is archived")
        first.close()
        target = {"recovery_target_name": POINT, "recovery_target_action": "promote"}
        again.server.settings = archiving(archive, restore_command=f"cp {archive}/%f %p", **target)
        (again.server.data / "recovery.signal").touch()
        again.own(again.server.data / "recovery.signal")
        with closing(again):
            again.start_and_wait()
            with psycopg.connect(again.url(), autocommit=True) as owner:
                over = "select not pg_is_in_recovery()"
                wait_until(lambda: owner.execute(over).fetchone()[0], 300, "the log is replayed")
            check(service, again, promised)
