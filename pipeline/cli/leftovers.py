"""What a killed command leaves: copies of the data in a database or a folder. `pipeline drill` removes them."""

import contextlib
import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import psycopg
from psycopg import sql

from pipeline.cli.failures import Failure
from pipeline.cli.installation import Access
from pipeline.database import queries
from pipeline.database.waiting import first_line

PREFIX = "pipeline-drill-"


@contextlib.contextmanager
def new_folder() -> Iterator[Path]:
    """A new folder for the time of the block. Its lock, which ends with the process, tells that it is in use."""
    with tempfile.TemporaryDirectory(prefix=PREFIX, ignore_cleanup_errors=True) as place, _opened(Path(place)) as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield Path(place)


def databases_left(access: Access) -> list[str]:
    """The databases on the server of an Access that a killed command made; no session has their name any more."""
    with access.connect() as connection, queries.on(connection):
        return [row["name"] for row in queries.databases_left()]


def folders_left() -> list[Path]:
    """The folders in the folder for temporary files that a killed drill made and whose lock is free."""
    return sorted(folder for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*") if _is_left(folder))


def check_leftovers(access: Access) -> str:
    """What the doctor says of leftovers; raises Failure where there are some."""
    found = [f"database {name}" for name in databases_left(access)] + [f"folder {folder}" for folder in folders_left()]
    if found:
        raise Failure(
            f"a command that was killed has left copies of this data: {', '.join(found)}; pipeline drill removes them."
        )
    return "no command that was killed has left a copy of the data"


def remove_leftovers(access: Access) -> list[str]:
    """Remove what killed commands have left; returns what it was. Raises Failure for what cannot be removed."""
    removed = []
    for name in databases_left(access):
        try:
            with access.connect(autocommit=True) as connection:
                connection.execute(sql.SQL("drop database if exists {} with (force)").format(sql.Identifier(name)))
        except psycopg.Error as error:
            raise Failure(f"A killed command has left the database {name}, drop it: {first_line(error)}") from None
        removed.append(f"database {name}")
    for folder in folders_left():
        shutil.rmtree(folder, ignore_errors=True)
        if folder.exists():
            raise Failure(f"A killed drill has left the folder {folder}, which cannot be removed: remove it.")
        removed.append(f"folder {folder}")
    return removed


def _is_left(folder: Path) -> bool:
    try:
        with _opened(folder) as lock:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:  # in use, gone, or another user's
        return False
    return True


@contextlib.contextmanager
def _opened(folder: Path) -> Iterator[int]:
    number = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        yield number
    finally:
        os.close(number)
