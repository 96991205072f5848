"""`pipeline migrate --dry-run`: tries the pending revisions on an empty copy of the schema."""

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

import psycopg
import sqlalchemy
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from pipeline.cli.failures import Failure
from pipeline.cli.installation import Access
from pipeline.cli.new_database import new_database
from pipeline.cli.servers import servers_of
from pipeline.database import Row, migrations, queries, revisions
from pipeline.database.parts import Parts, parts

MIB = 1024 * 1024
NO_CLUSTER = "This works on one PostgreSQL, not on a cluster."


class NoDatabase(Failure):
    """The login may not create a database."""


@contextlib.contextmanager
def schema_of(access: Access, revision: str) -> Iterator[Access]:
    """The Access to a temporary database with a revision's schema; keeps the logins."""
    if len(servers_of(access)) > 1:
        raise Failure(NO_CLUSTER)
    try:
        with new_database(access, "schema") as copy:
            given = conninfo_to_dict(copy.owner_url).get("options", "")
            url = make_conninfo(copy.owner_url, options=f"{given} -c app.keep_logins=on".strip())
            migrations.upgrade(url, to=revision)
            yield Access(url, copy.settings)
    except psycopg.errors.InsufficientPrivilege:
        raise NoDatabase("The login of DATABASE_OWNER_URL may not create a database for this (CREATEDB).") from None


def made_by_revisions(access: Access, revision: str) -> Parts:
    """The parts that the revisions make, in a temporary database. Raises NoDatabase."""
    with schema_of(access, revision) as copy, copy.connect() as reference:
        return parts(reference)


def plan(access: Access, tell: Callable[[str], None]) -> None:
    """Tell the pending revisions, with their locks."""
    with access.connect() as connection, queries.on(connection):
        current, head = revisions.current(connection), revisions.head()
        sizes = {table["name"]: table for table in queries.table_sizes()}
    if current is None:
        return tell(f"pipeline migrate creates the schema of {head}.")
    if current >= head:
        return tell(f"The schema is at {current}. No revision is pending.")
    tell(f"pipeline migrate goes from {current} to {head}:")
    with schema_of(access, current) as copy:
        migrations.upgrade(copy.owner_url, tell, applied=Locks(copy, sizes, tell).tell)
    tell(
        "Each lock is held until its revision commits: for an instant, unless PostgreSQL reads or rewrites the table. "
        f"That takes time in proportion to its size. A revision that waits too long is tried {migrations.TRIES} times."
    )
    return None


class Locks:
    """Tells a revision's locks and removed tables."""

    def __init__(self, copy: Access, sizes: dict[str, Row], log: Callable[[str], None]) -> None:
        self.sizes, self.log = sizes, log
        with copy.connect() as connection:
            self.before = _held(connection)

    def tell(self, connection: sqlalchemy.Connection) -> None:
        """Called in the revision's transaction, after its statements."""
        driver = connection.connection.driver_connection
        assert isinstance(driver, psycopg.Connection)
        after = _held(driver)
        # Without this, the next revision's scans include those of this one.
        driver.execute("select pg_stat_force_next_flush()")
        limits = driver.execute("select current_setting('lock_timeout'), current_setting('statement_timeout')")
        locked = False
        for name, table in self.before.items():
            if name not in after:
                self.log(f"      removes app.{name}{self._size(name)}")
                continue
            work = "; reads all of it" if after[name]["scanned"] else ""
            work = "; rewrites it" if after[name]["file"] != table["file"] else work
            if after[name]["reads"] or after[name]["writes"]:
                against = "reads and writes" if after[name]["reads"] else "writes"
                self.log(f"      locks app.{name} against {against}{self._size(name)}{work}")
                locked = True
        if locked:
            self.log("      waits at most {} for a lock; a statement ends after {}".format(*limits.fetchall()[0]))
        self.before = after

    def _size(self, name: str) -> str:
        size = self.sizes.get(name)
        return f" ({size['rows']:,} rows, {size['bytes'] / MIB:,.1f} MiB)" if size else ""


def _held(connection: psycopg.Connection[Any]) -> dict[str, Row]:
    with queries.on(connection):
        return {table["name"]: table for table in queries.tables_held()}
