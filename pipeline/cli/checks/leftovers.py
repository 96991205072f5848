"""Copies of data, left by killed commands."""

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
    """A temporary folder; its lock ends with the process."""
    with tempfile.TemporaryDirectory(prefix=PREFIX, ignore_cleanup_errors=True) as place, _opened(Path(place)) as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield Path(place)


def databases_left(access: Access) -> list[str]:
    """Databases of killed commands, without a session of their name."""
    with access.connect() as connection, queries.on(connection):
        return [row["name"] for row in queries.databases_left()]


def folders_left() -> list[Path]:
    """Folders of killed drills, without a lock."""
    return sorted(folder for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*") if _is_left(folder))


def check_leftovers(access: Access) -> str:
    """The doctor's line about leftovers; raises Failure."""
    found = [f"database {name}" for name in databases_left(access)] + [f"folder {folder}" for folder in folders_left()]
    if found:
        raise Failure(f"a killed command left copies of this data: {', '.join(found)}; pipeline drill removes them.")
    return "no killed command left a copy of the data"


def remove_leftovers(access: Access) -> list[str]:
    """Remove leftovers; returns their names. Raises Failure."""
    removed = []
    for name in databases_left(access):
        try:
            with access.connect(autocommit=True) as connection:
                connection.execute(sql.SQL("drop database if exists {} with (force)").format(sql.Identifier(name)))
        except psycopg.Error as error:
            raise Failure(f"A killed command left the database {name}; drop it: {first_line(error)}") from None
        removed.append(f"database {name}")
    for folder in folders_left():
        shutil.rmtree(folder, ignore_errors=True)
        if folder.exists():
            raise Failure(f"A killed drill left the folder {folder}; remove it.")
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
