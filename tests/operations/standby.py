"""A PostgreSQL server that follows another one."""

import os
import shutil
import subprocess

from development.postgres import binary
from tests.chaos.system import Postgres


class Standby(Postgres):
    """A server that follows another one, whose superuser's URL is `primary`."""

    name = "standby"

    def __init__(self, folder, primary):
        folder.mkdir()
        super().__init__(folder)
        data = self.server.data
        shutil.rmtree(data)
        command = [binary("pg_basebackup"), "--checkpoint=fast", "--write-recovery-conf", f"--dbname={primary}"]
        subprocess.run([*command, f"--pgdata={data}"], check=True)
        for path in (data, *data.rglob("*")):
            os.chown(path, *self.account.owner, follow_symlinks=False)
