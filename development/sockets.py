"""The folder of a server's Unix socket: private to its account, with a short path."""

import os
import stat
import tempfile
from pathlib import Path

from development.account import Account

PATH_BYTES = 103  # sockaddr_un holds 108 bytes on Linux and 104 on others, the final zero included


def socket_folder(folder: Path, socket_name: str) -> Path:
    """The folder that `make_socket_folder` made for the server in `folder` and the socket `socket_name`."""
    beside = folder / "socket"
    if len(os.fsencode(beside / socket_name)) <= PATH_BYTES:
        return beside
    record = _record(folder)
    return Path(record.read_text()) if record.exists() else beside


def make_socket_folder(folder: Path, socket_name: str, account: Account) -> Path:
    """Create the folder for `account`: inside `folder`, or a temporary one if the path is too long."""
    beside = folder / "socket"
    if len(os.fsencode(beside / socket_name)) <= PATH_BYTES:
        account.make_folder(beside)
        return beside
    temporary = socket_folder(folder, socket_name)
    if temporary == beside or not _is_private(temporary, account):
        temporary = Path(tempfile.mkdtemp(prefix="pipeline-", dir=_short_temporary_folder()))
        _record(folder).write_text(str(temporary))
    account.make_folder(temporary)
    return temporary


def _record(folder: Path) -> Path:
    return folder / "socket-folder"


def _short_temporary_folder() -> str:
    usual = tempfile.gettempdir()
    return usual if len(os.fsencode(usual)) < 60 else "/tmp"


def _is_private(path: Path, account: Account) -> bool:
    """Whether the folder is still the created one; the system may remove it, and others may take its name."""
    try:
        state = path.lstat()
    except FileNotFoundError:
        return False
    mine = state.st_uid in (os.geteuid(), account.owner[0])
    return stat.S_ISDIR(state.st_mode) and mine and stat.S_IMODE(state.st_mode) == 0o700
