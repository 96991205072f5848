"""Citus on this machine: a coordinator and two workers, from PostgreSQL 15 of Debian and an archive of the extension.

The archive (`CITUS_ARCHIVE`, a tar file with the folders lib/ and extension/) is unpacked into a copy of the server, so
nothing of the system changes. `CITUS_SERVER` is the folder below which the server's usr/ lies, by default the root.
"""

import contextlib
import os
import shutil
import subprocess
import tarfile
from pathlib import Path

import psycopg
import pytest

from development.account import choose_account
from development.ports import free_port
from development.supervisor import environment
from tests.chaos.processes import Program, wait_until

LIBRARY, SHARE = Path("usr/lib/postgresql/15"), Path("usr/share/postgresql/15")
DATABASE, SHARDS = "pipeline", 8
SHARD = "select get_shard_id_for_distribution_column('app.changes', %s)"
PLACE = f"select nodeport from pg_dist_shard_placement where shardid = ({SHARD})"
MOVE = "select citus_move_shard_placement(%s, '127.0.0.1', %s, '127.0.0.1', %s, 'block_writes')"
SETTINGS = """
port = {port}
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
shared_preload_libraries = 'citus, pg_stat_statements'
wal_level = logical
max_connections = 400
max_prepared_transactions = 200
shared_buffers = '64MB'
fsync = off
citus.local_hostname = '127.0.0.1'
"""


def server(folder):
    """The folder of a PostgreSQL 15 with the extension, made below `folder`; skips the test without the archive."""
    archive, installed = os.environ.get("CITUS_ARCHIVE"), Path(os.environ.get("CITUS_SERVER", "/"))
    if not archive:
        pytest.skip("CITUS_ARCHIVE does not name the archive of the extension Citus for PostgreSQL 15")
    if not (installed / LIBRARY / "bin" / "postgres").exists():
        pytest.skip(f"there is no PostgreSQL 15 below {installed}")
    made = folder / "server"
    for part in (LIBRARY, SHARE):
        shutil.copytree(installed / part, made / part, ignore=shutil.ignore_patterns("bitcode"))
    with tarfile.open(archive) as tar:
        tar.extractall(folder / "unpacked", filter="data")
    shutil.copytree(folder / "unpacked" / "lib", made / LIBRARY / "lib", dirs_exist_ok=True)
    shutil.copytree(folder / "unpacked" / "extension", made / SHARE / "extension", dirs_exist_ok=True)
    return made / LIBRARY


class Node(Program):
    """One server of the cluster; it trusts whoever comes from this machine."""

    def __init__(self, name, folder, library):
        self.port, self.data = free_port(), folder / name
        program = library / "bin" / "postgres"
        self.account = choose_account(self.data, program)
        super().__init__(name, folder, [], environment())
        self.command = self.account.command(self.data, program, "-D", str(self.data), end_signal="INT")
        initdb = [library / "bin" / "initdb", "-D", str(self.data), "-U", "postgres", "--auth=trust", "-E", "UTF8"]
        made = self.account.command(self.data, initdb[0], *initdb[1:], "--no-sync", "--locale=C.UTF-8")
        subprocess.run(made, check=True, stdout=subprocess.DEVNULL, env=self.environ)
        with (self.data / "postgresql.conf").open("a") as settings:
            settings.write(SETTINGS.format(port=self.port))

    def url(self, login="postgres", database=DATABASE):
        return f"postgresql://{login}@127.0.0.1:{self.port}/{database}?sslmode=disable"

    def connect(self, login="postgres", database=DATABASE):
        """An autocommit connection on which nothing is prepared: a plan holds the organization that it was made for."""
        return psycopg.connect(self.url(login, database), autocommit=True, prepare_threshold=None)

    def rows(self, statement, values=()):
        """What a superuser finds here, shards included."""
        with self.connect() as connection:
            connection.execute("set citus.override_table_visibility = off")
            return connection.execute(statement, values).fetchall()

    def is_ready(self):
        with contextlib.suppress(psycopg.OperationalError):
            self.connect(database="postgres").close()
            return True
        return False


class Cluster:
    """A coordinator and its workers, each with an empty database that has the extension."""

    def __init__(self, folder):
        library = server(folder)
        self.nodes = [Node(name, folder, library) for name in ("coordinator", "first", "second")]
        self.coordinator, *self.workers = self.nodes

    def start(self):
        for node in self.nodes:
            node.start_and_wait()
            with node.connect(database="postgres") as connection:
                connection.execute(f"create database {DATABASE}")
            with node.connect() as connection:
                connection.execute("create extension citus")
        with self.coordinator.connect() as connection:
            # The tests' own connection is to live on when a worker is killed and started again.
            connection.execute("alter role postgres set citus.max_cached_conns_per_worker = 0")
            connection.execute("select citus_set_coordinator_host('127.0.0.1', %s)", [self.coordinator.port])
            for worker in self.workers:
                connection.execute("select citus_add_node('127.0.0.1', %s)", [worker.port])

    def at(self, place):
        """The server at host:port."""
        return next(node for node in self.nodes if place == f"127.0.0.1:{node.port}")

    def shard(self, organization_id):
        """The number of the shard with an organization's changes."""
        return self.coordinator.rows(SHARD, [organization_id])[0][0]

    def worker(self, organization_id):
        """The worker with an organization's shards."""
        port = self.coordinator.rows(PLACE, [organization_id])[0][0]
        return next(worker for worker in self.workers if worker.port == port)

    def move(self, organization_id):
        """Move an organization's shards to the other worker, which is returned."""
        source = self.worker(organization_id)
        target = next(worker for worker in self.workers if worker is not source)
        self.coordinator.rows(MOVE, [self.shard(organization_id), source.port, target.port])
        return target

    @contextlib.contextmanager
    def without(self, node):
        """The server is killed with all its processes, and started again after the block."""
        node.kill()
        try:
            yield
        finally:
            wait_until(lambda: not node.is_ready(), 30, f"{node.name} is gone")
            (node.data / "postmaster.pid").unlink(missing_ok=True)
            node.start_and_wait()

    def close(self):
        for node in self.nodes:
            node.kill()
