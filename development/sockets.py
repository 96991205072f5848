"""Where a server's Unix socket lies: a folder that only its account may enter, with a short enough path."""

import os
import stat
import tempfile
from pathlib import Path

from development.account import Account

PATH_BYTES = 103  # sockaddr_un holds 108 bytes on Linux and 104 on others, the final zero included


def socket_folder(folder: Path, socket_name: str) -> Path:
    """The folder of the socket `socket_name` for the server in `folder`, as `make_socket_folder` left it."""
    beside = folder / "socket"
    if len(os.fsencode(beside / socket_name)) <= PATH_BYTES:
        return beside
    record = _record(folder)
    return Path(record.read_text()) if record.exists() else beside


def make_socket_folder(folder: Path, socket_name: str, account: Account) -> Path:
    """Make that folder for `account`: inside `folder`, or a temporary one when the path there is too long."""
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
    """Whether the folder is still the one made before: the system may clean up, others may take the name."""
    try:
        state = path.lstat()
    except FileNotFoundError:
        return False
    mine = state.st_uid in (os.geteuid(), account.owner[0])
    return stat.S_ISDIR(state.st_mode) and mine and stat.S_IMODE(state.st_mode) == 0o700
