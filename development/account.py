"""Which account a server runs as: PostgreSQL refuses root; whoever steps down must still reach the files."""

import contextlib
import os
import pwd
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

LAUNCHER = Path(__file__).with_name("launch.py")


class ServerError(Exception):
    """A server of the development set-up cannot be run; the text is for the person who started it."""


@dataclass(frozen=True)
class Account:
    """The account of a server: the way (see `launch.py`) that leads to it, and its numbers there."""

    way: str
    uid: int
    gid: int

    @property
    def owner(self) -> tuple[int, int]:
        """The user and group, in the numbers of this process, whom the server's files must belong to."""
        return (os.geteuid(), os.getegid()) if self.way in ("same", "namespace") else (self.uid, self.gid)

    def command(self, folder: Path, program: Path, *arguments: str, end_signal: str = "TERM") -> list[str]:
        """The command line that runs `program` in `folder` as this account, with a signal at its parent's end."""
        launch = [sys.executable, "-I", "-S", str(LAUNCHER), end_signal]
        return [*launch, self.way, str(self.uid), str(self.gid), str(folder), str(program), *arguments]

    def make_folder(self, folder: Path) -> None:
        """Create `folder` when missing, and give it to this account alone, with all that is in it."""
        folder.mkdir(mode=0o700, exist_ok=True)
        if folder.is_symlink():
            raise ServerError(f"{folder} must not be a symbolic link")
        if _owner(folder) != self.owner[0]:
            for path in (*folder.rglob("*"), folder):
                os.chown(path, *self.owner, follow_symlinks=False)
        folder.chmod(0o700)


def choose_account(data: Path, program: Path) -> Account:
    """The account to run `program` as, with its files in `data`: the first way in which it starts there.

    A normal user keeps the own account, where initdb can name it. Root becomes the owner of `data`, or the
    user nobody, with as few rights as reach both program and data; see `launch.py` for the ways. Creates
    `data`. Raises ServerError.
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
        # initdb asks for a user that has a name; in a namespace of its own a nameless one is called nobody.
        same = Account("same", uid, os.getegid())
        return [same] if _is_named(uid) else [Account("namespace", *_nobody()), same]
    lower = Account("plain", *((owner, os.stat(data).st_gid) if owner else _nobody()))
    ways = [Account(way, lower.uid, lower.gid) for way in ("plain", "search", "override")]
    return [*ways, Account("namespace", *_nobody())]


def _trouble(account: Account, data: Path, program: Path) -> str:
    """Why `program` cannot be run as this account; empty when it can."""
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
    """The numbers of the user nobody: initdb asks for a user that has a name, and the set-up creates none."""
    try:
        entry = pwd.getpwnam("nobody")
    except KeyError:
        return 65534, 65534
    return entry.pw_uid, entry.pw_gid
