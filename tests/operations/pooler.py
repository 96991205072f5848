"""PgBouncer in front of a PostgreSQL server, in transaction mode."""

import contextlib
import os
from pathlib import Path

import psycopg

from development.account import choose_account
from development.ports import free_port
from development.supervisor import environment
from experiments.chaos.processes import Program
from pipeline.process.settings.database_url import with_login

PROGRAM = Path("/usr/sbin/pgbouncer")
LOGINS = ("pipeline_app", "pipeline_forms", "pipeline_jobs", "postgres")
SETTINGS = """
[databases]
* = host={socket} port={port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {listen}
unix_socket_dir =
auth_type = trust
auth_file = {users}
pool_mode = transaction
default_pool_size = {size}
max_client_conn = 500
"""


class Pooler(Program):
    """PgBouncer in transaction mode for a server with a socket; each login has `size` connections."""

    def __init__(self, folder, url, size=24):
        self.port = free_port()
        data = folder / "pooler"
        account = choose_account(data, PROGRAM)
        target = psycopg.conninfo.conninfo_to_dict(url)
        users, settings = data / "users.txt", data / "pgbouncer.ini"
        users.write_text("".join(f'"{login}" ""\n' for login in LOGINS))
        place = {"socket": target["host"], "port": target["port"], "listen": self.port, "users": users, "size": size}
        settings.write_text(SETTINGS.format(**place))
        account.make_folder(data)
        for path in (users, settings):
            os.chown(path, *account.owner)
        self.database = target.get("dbname", "postgres")
        super().__init__("pooler", folder, [], environment())
        self.command = account.command(data, PROGRAM, str(settings))

    def url(self, login):
        return with_login(f"postgresql://127.0.0.1:{self.port}/{self.database}", login)

    def is_ready(self):
        with contextlib.suppress(psycopg.OperationalError):
            psycopg.connect(self.url("pipeline_app"), connect_timeout=2).close()
            return True
        return False
