"""Servers of development: the first process that needs one starts it, the last one stops it.

A process that uses a server holds a shared lock on a file in the server's folder. The kernel releases the lock at the
end of the process, even after `kill -9`. A small process in the background (`keeper.py`) owns the server and stops it
when nothing holds the lock. If the keeper is killed, the server gets a signal.
"""

import contextlib
import fcntl
import json
import os
import subprocess
import sys
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Self, TextIO

from development.account import Account, ServerError, choose_account

KEEPER = Path(__file__).with_name("keeper.py")
START_SECONDS = 60.0
STOP_SECONDS = 45.0
RETRY_SECONDS = 0.5
LOG_BYTES = 10_000_000

_held: set[TextIO] = set()


def _let_go_after_fork() -> None:
    """Release the lock in a forked child; else the server would outlive the parent."""
    while _held:
        _held.pop().close()


os.register_at_fork(after_in_child=_let_go_after_fork)


def silent(_text: str) -> None:
    """A log that prints nothing."""


class SharedServer(ABC):
    """A server program with its files in `folder`, shared by all processes that name this folder.

    A context manager: entering starts the server, or joins the running one, and returns when it is ready; leaving waits
    for its end if no other process uses it. `log` is called with a line before slow work. Raises ServerError with the
    reason and the end of the server's log.
    """

    name: str
    stop_signals: tuple[tuple[str, float], ...] = (("TERM", 20.0), ("KILL", 5.0))
    passing: str | None = None  # words in the log of a start that fails for a moment

    def __init__(self, folder: Path, log: Callable[[str], None] = silent) -> None:
        self.folder = Path(folder).absolute()
        self.log = log
        self._users: TextIO | None = None

    @property
    @abstractmethod
    def program(self) -> Path:
        """The server's binary."""

    @abstractmethod
    def prepare(self, account: Account) -> list[Path]:
        """Called before each start, by one process while no server runs; returns folders to remove at the end."""

    @abstractmethod
    def command(self) -> list[str]:
        """The server's arguments; it must stay in the foreground."""

    @abstractmethod
    def is_ready(self) -> bool:
        """Whether the server responds."""

    @property
    def data(self) -> Path:
        """The folder of the server's files; the server's account owns it."""
        return self.folder / "data"

    @property
    def log_file(self) -> Path:
        """The file of the server's output."""
        return self.folder / f"{self.name}.log"

    def start(self) -> None:
        """Start the server or join the running one; returns when it is ready."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            with self._alone():
                self._users = self._open("users.lock")
                _held.add(self._users)
                fcntl.flock(self._users, fcntl.LOCK_SH)  # waits here while a keeper stops its server
                if not self._is_kept():
                    self._launch()
                self._wait_until_ready()
        except PermissionError as error:
            self.stop()
            raise ServerError(
                f"{error.filename} belongs to another account ({error.strerror}); "
                "run as its owner or choose another data folder"
            ) from error
        except BaseException:
            self.stop()
            raise

    def stop(self) -> None:
        """Release the server; the last user waits for its end. A repeated call does nothing."""
        if self._users is None:
            return
        users, self._users = self._users, None
        _held.discard(users)
        users.close()
        end = time.monotonic() + STOP_SECONDS
        while self._is_kept() and not self._is_used() and time.monotonic() < end:
            time.sleep(0.02)

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_exception: object) -> None:
        self.stop()

    def _open(self, name: str) -> TextIO:
        return open(self.folder / name, "a")

    @contextlib.contextmanager
    def _alone(self) -> Iterator[None]:
        with self._open("start.lock") as lock:
            if not _take(lock, fcntl.LOCK_EX):
                self.log(f"waiting for another process that is starting {self.name}")
                fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    def _is_kept(self) -> bool:
        with self._open("keeper.lock") as lock:
            return not _take(lock, fcntl.LOCK_SH)

    def _is_used(self) -> bool:
        """Whether another process uses the server; a stopping keeper holds the lock exclusively."""
        with self._open("users.lock") as lock:
            return not _take(lock, fcntl.LOCK_EX) and _take(lock, fcntl.LOCK_SH)

    def _launch(self) -> None:
        account = choose_account(self.data, self.program)
        temporary = self.prepare(account)
        if self.log_file.exists() and self.log_file.stat().st_size > LOG_BYTES:
            self.log_file.replace(self.log_file.with_suffix(".log.1"))
        spec = {
            "command": account.command(self.data, self.program, *self.command(), end_signal=self.stop_signals[0][0]),
            "users": str(self.folder / "users.lock"),
            "lock": str(self.folder / "keeper.lock"),
            "stop": self.stop_signals,
            "remove": [str(path) for path in temporary],
        }
        with open(self.log_file, "a", opener=_private) as log:
            subprocess.run(
                [sys.executable, "-I", "-S", str(KEEPER), json.dumps(spec)],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd="/",
                env=environment(),
                check=True,
            )

    def _wait_until_ready(self) -> None:
        started = time.monotonic()
        while not self.is_ready():
            late = time.monotonic() - started > START_SECONDS
            if not self._is_kept():
                words = self._last_words()
                if late or self.passing is None or self.passing not in words:
                    raise ServerError(f"{self.name} did not start; {words}")
                time.sleep(RETRY_SECONDS)
                self._launch()
            if late:
                raise ServerError(f"{self.name} does not answer; {self._last_words()}")
            time.sleep(0.02)

    def _last_words(self) -> str:
        lines = self.log_file.read_text(errors="replace").splitlines()[-15:]
        return "\n".join([f"{self.log_file} ends with:", *lines])


def environment() -> dict[str, str]:
    """The environment of servers and their tools: without the caller's settings, messages in English."""
    kept = {name: os.environ[name] for name in ("PATH", "LD_LIBRARY_PATH", "TMPDIR") if name in os.environ}
    return kept | {"LC_ALL": "C", "TZ": "UTC"}


def _take(lock: TextIO, kind: int) -> bool:
    try:
        fcntl.flock(lock, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)
