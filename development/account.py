"""The account of an embedded server. PostgreSQL refuses to run as root."""

import contextlib
import os
import pwd
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

LAUNCHER = Path(__file__).with_name("launch.py")


class ServerError(Exception):
    """A server of development cannot run; the message is for the developer."""


@dataclass(frozen=True)
class Account:
    """The account of a server: a way of `launch.py`, and the ids of user and group there."""

    way: str
    uid: int
    gid: int

    @property
    def owner(self) -> tuple[int, int]:
        """The (uid, gid) of the server's files, as this process sees them."""
        return (os.geteuid(), os.getegid()) if self.way in ("same", "namespace") else (self.uid, self.gid)

    def command(self, folder: Path, program: Path, *arguments: str, end_signal: str = "TERM") -> list[str]:
        """The command that runs `program` in `folder` as this account; the signal ends it with its parent."""
        launch = [sys.executable, "-I", "-S", str(LAUNCHER), end_signal]
        return [*launch, self.way, str(self.uid), str(self.gid), str(folder), str(program), *arguments]

    def make_folder(self, folder: Path) -> None:
        """Create `folder` if missing, and restrict it and its content to this account."""
        folder.mkdir(mode=0o700, exist_ok=True)
        if folder.is_symlink():
            raise ServerError(f"{folder} must not be a symbolic link")
        if _owner(folder) != self.owner[0]:
            for path in (*folder.rglob("*"), folder):
                os.chown(path, *self.owner, follow_symlinks=False)
        folder.chmod(0o700)


def choose_account(data: Path, program: Path) -> Account:
    """The account to run `program` as, with its files in `data`: the first that can start it.

    A normal user keeps the account if initdb finds its name. Root becomes the owner of `data`, or the user nobody, with
    the fewest rights that reach program and data. Creates `data`. Raises ServerError.
    """
    data.mkdir(mode=0o700, exist_ok=True)
    reasons = []
    for account in _candidates(data):
        with contextlib.suppress(OSError):  # not allowed, or the number does not exist in this container
            account.make_folder(data)
        reason = _trouble(account, data, program)
        if not reason:
            return account
        reasons.append(reason)
    raise ServerError("\n".join([f"{program} cannot be run for the data in {data}:", *reasons]))


def _candidates(data: Path) -> list[Account]:
    uid, owner = os.geteuid(), _owner(data)
    if uid != 0:
        if owner != uid:
            raise ServerError(f"{data} belongs to the user {owner}: run as that user or choose another folder")
        # initdb needs an account with a name; in a namespace of its own, one without a name is nobody.
        same = Account("same", uid, os.getegid())
        return [same] if _is_named(uid) else [Account("namespace", *_nobody()), same]
    lower = Account("plain", *((owner, os.stat(data).st_gid) if owner else _nobody()))
    ways = [Account(way, lower.uid, lower.gid) for way in ("plain", "search", "override")]
    return [*ways, Account("namespace", *_nobody())]


def _trouble(account: Account, data: Path, program: Path) -> str:
    """The reason why `program` cannot run as this account, or ""."""
    if _owner(data) != account.owner[0]:
        return f"{data} cannot be given to the user {account.owner[0]}"
    ran = subprocess.run(
        account.command(data, program, "--version"),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    return ran.stderr.strip() or f"exit status {ran.returncode}" if ran.returncode else ""


def _owner(path: Path) -> int:
    return path.lstat().st_uid


def _is_named(uid: int) -> bool:
    try:
        return bool(pwd.getpwuid(uid))
    except KeyError:
        return False


def _nobody() -> tuple[int, int]:
    """The ids of the user nobody, because initdb needs an account with a name."""
    try:
        entry = pwd.getpwnam("nobody")
    except KeyError:
        return 65534, 65534
    return entry.pw_uid, entry.pw_gid
