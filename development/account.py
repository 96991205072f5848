"""The account of an embedded server. PostgreSQL refuses to run as root."""

import contextlib
import os
import pwd
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

# With one of them a server reaches its files when a folder above them (a 0700 checkout) is closed to its account.
CAPABILITIES = ("dac_read_search", "dac_override")
# Replaces the shell by a program in a folder.
IN_FOLDER = 'cd "$0" && exec "$@"'


class ServerError(Exception):
    """A server of development cannot run; the message is for the developer."""


@dataclass(frozen=True)
class Account:
    """The account of a server, as ids of user and group, with at most one of root's capabilities."""

    uid: int
    gid: int
    capability: str = ""

    @property
    def owner(self) -> tuple[int, int]:
        """The (uid, gid) of the server's files."""
        return self.uid, self.gid

    def command(self, folder: Path, program: Path, *arguments: str, end_signal: str = "TERM") -> list[str]:
        """The command that runs `program` in `folder` as this account; the signal ends it with its parent."""
        change = []
        if self.uid != os.geteuid():
            change += ["--reuid", str(self.uid), "--regid", str(self.gid), "--clear-groups"]
        if self.capability:
            # Without this bit, access(2) ignores the capability; PostgreSQL checks its files with it.
            change += [f"--inh-caps=-all,+{self.capability}", f"--ambient-caps=+{self.capability}"]
            change += ["--securebits=+no_setuid_fixup"]
        return ending_with_parent(["sh", "-c", IN_FOLDER, str(folder), str(program), *arguments], end_signal, change)

    def make_folder(self, folder: Path) -> None:
        """Create `folder` if missing, and restrict it and its content to this account."""
        folder.mkdir(mode=0o700, exist_ok=True)
        if folder.is_symlink():
            raise ServerError(f"{folder} must not be a symbolic link")
        if _owner(folder) != self.owner[0]:
            for path in (*folder.rglob("*"), folder):
                os.chown(path, *self.owner, follow_symlinks=False)
        folder.chmod(0o700)


def ending_with_parent(command: Sequence[str], signal: str = "TERM", options: Sequence[str] = ()) -> list[str]:
    """The command with a signal when its parent ends, even by `kill -9`, and with options of setpriv; Linux only."""
    return ["setpriv", "--pdeathsig", signal, *options, "--", *command] if shutil.which("setpriv") else [*command]


def choose_account(data: Path, program: Path) -> Account:
    """The account to run `program` as, with its files in `data`: the first that can start it.

    A normal user keeps the account. Root becomes the owner of `data`, or the user nobody, with the fewest rights that
    reach program and data. Creates `data`. Raises ServerError.
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
        return [Account(uid, os.getegid())]
    lower = (owner, data.stat().st_gid) if owner else _nobody()
    return [Account(*lower, capability) for capability in ("", *CAPABILITIES)]


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


def _nobody() -> tuple[int, int]:
    """The ids of the user nobody, because initdb needs an account with a name."""
    try:
        entry = pwd.getpwnam("nobody")
    except KeyError:
        return 65534, 65534
    return entry.pw_uid, entry.pw_gid
