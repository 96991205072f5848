"""A temporary database beside that of the service."""

import contextlib
import secrets
from collections.abc import Iterator

from pipeline.cli.installation import Access


@contextlib.contextmanager
def new_database(access: Access, purpose: str) -> Iterator[Access]:
    """The Access to a new database, dropped after the block. Raises psycopg.errors.InsufficientPrivilege."""
    name = f"pipeline_{purpose}_{secrets.token_hex(4)}"
    with contextlib.closing(access.connect(autocommit=True, application_name=name)) as holder:
        try:
            holder.execute(f"create database {name} template template0")
            yield access.at(name)
        finally:
            # A signal may have ended the other connection.
            with access.connect(autocommit=True) as connection:
                connection.execute("set client_min_messages = warning")
                connection.execute(f"drop database if exists {name} with (force)")
