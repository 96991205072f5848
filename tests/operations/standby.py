"""PostgreSQL servers from a base backup of another one; one follows it as a standby."""

import os
import shutil
import subprocess

from development.postgres import binary
from tests.chaos.system import Postgres


class Copy(Postgres):
    """A server whose data are a base backup, made now, of the one with the superuser's URL `primary`."""

    options = ()

    def __init__(self, folder, primary):
        folder.mkdir()
        super().__init__(folder)
        data = self.server.data
        shutil.rmtree(data)
        command = [binary("pg_basebackup"), "--checkpoint=fast", *self.options, f"--dbname={primary}"]
        subprocess.run([*command, f"--pgdata={data}"], check=True)
        self.own(data, *data.rglob("*"))

    def own(self, *paths):
        for path in paths:
            os.chown(path, *self.account.owner, follow_symlinks=False)


class Standby(Copy):
    """A Copy that follows the other one."""

    options = ("--write-recovery-conf",)
