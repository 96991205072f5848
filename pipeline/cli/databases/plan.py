"""`pipeline migrate --dry-run`: tries the pending revisions on an empty copy of the schema."""

import contextlib
import re
from collections.abc import Callable, Iterator
from typing import Any

import psycopg
import sqlalchemy
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from pipeline.cli.failures import Failure
from pipeline.cli.installation import Access
from pipeline.cli.new_database import new_database
from pipeline.database import Row, migrations, not_none, queries, revisions
from pipeline.database.schema_record import Parts, parts

MIB = 1024 * 1024
# MiB a second, assumed for a busy server (docs/upgrade.md).
READ, REWRITTEN = 50, 10
BUILT = re.compile(r" +builds the index .* on app\.(?P<table>\w+) ")
LIMITS = """
select setting.lock, setting.statement, cast(extract(epoch from cast(setting.statement as interval)) as integer)
from (select current_setting('lock_timeout'), current_setting('statement_timeout')) as setting (lock, statement)"""


class NoDatabase(Failure):
    """The login may not create a database."""


@contextlib.contextmanager
def schema_of(access: Access, revision: str) -> Iterator[Access]:
    """The Access to a temporary database with a revision's schema; keeps the logins."""
    try:
        with new_database(access, "schema") as copy:
            given = conninfo_to_dict(copy.owner_url).get("options", "")
            url = make_conninfo(copy.owner_url, options=f"{given} -c app.keep_logins=on".strip())
            migrations.upgrade(url, to="head" if revision == revisions.head() else revision)
            yield Access(url, copy.settings)
    except psycopg.errors.InsufficientPrivilege:
        raise NoDatabase("The login of DATABASE_OWNER_URL may not create a database for this (CREATEDB).") from None


def made_by_revisions(access: Access, revision: str) -> Parts:
    """The parts that the revisions make, in a temporary database. Raises NoDatabase."""
    with schema_of(access, revision) as copy, copy.connect() as reference:
        return parts(reference)


def plan(access: Access, tell: Callable[[str], None]) -> None:
    """Print the pending revisions, with their locks."""
    with access.connect() as connection, queries.on(connection):
        current, head = revisions.current(connection), revisions.head()
        sizes = {table["name"]: table for table in queries.table_sizes()}
    if current is None:
        return tell(f"pipeline migrate creates the schema of {head}.")
    if current >= head:
        return tell(f"The schema is at {current}. No revision is pending.")
    tell(f"pipeline migrate goes from {current} to {head}:")
    with schema_of(access, current) as copy:
        locks = Locks(copy, sizes, tell)
        migrations.upgrade(copy.owner_url, locks.progress, applied=locks.tell)
    tell(
        "Each lock is held until its revision commits: less than a second, unless PostgreSQL reads or rewrites the "
        f"table. The times are estimates: {READ} MiB a second for reading, {REWRITTEN} for rewriting with all indexes. "
        f"A revision that waits too long for a lock is tried {migrations.TRIES} times."
    )
    return None


class Locks:
    """Prints a revision's locks and removed tables."""

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
        limits = not_none(driver.execute(LIMITS).fetchone())
        locked = False
        for name, table in self.before.items():
            if name not in after:
                self.log(f"      removes app.{name}{self._size(name)}")
                continue
            work = self._work(name, after[name]["file"] != table["file"], after[name], limits[2])
            if after[name]["reads"] or after[name]["writes"]:
                against = "reads and writes" if after[name]["reads"] else "writes"
                self.log(f"      locks app.{name} against {against}{self._size(name)}{work}")
                locked = True
            elif work:
                self.log(f"      uses app.{name}{self._size(name)}{work}; other reads and writes go on")
        if locked:
            self.log(f"      waits at most {limits[0]} for a lock; a statement ends after {limits[1]}")
        self.before = after

    def progress(self, line: str) -> None:
        """Print a line of the migration; for an index with the estimated time."""
        built = BUILT.match(line)
        self.log(f"{line}{self._time(built['table'], 'content', READ) if built else ''}")

    def _work(self, name: str, rewritten: bool, after: Row, limit: int) -> str:
        if rewritten or after["changes"]:
            effect, size, rate = "rewrites it" if rewritten else "changes its rows", "bytes", REWRITTEN
        elif after["scanned"]:
            effect, size, rate = "reads all of it", "content", READ
        else:
            return ""
        late = "; longer than a statement may take" if 0 < limit < self._seconds(name, size, rate) else ""
        return f"; {effect}{self._time(name, size, rate)}{late}"

    def _seconds(self, name: str, size: str, rate: int) -> float:
        return float(self.sizes[name][size]) / MIB / rate if name in self.sizes else 0.0

    def _time(self, name: str, size: str, rate: int) -> str:
        seconds = self._seconds(name, size, rate)
        return f", about {seconds:,.0f} s" if seconds >= 1 else ", less than a second"

    def _size(self, name: str) -> str:
        size = self.sizes.get(name)
        return f" ({size['rows']:,} rows, {size['bytes'] / MIB:,.1f} MiB)" if size else ""


def _held(connection: psycopg.Connection[Any]) -> dict[str, Row]:
    with queries.on(connection):
        return {table["name"]: table for table in queries.tables_held()}
