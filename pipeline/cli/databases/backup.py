"""`pipeline backup`, `restore` and `drill`: pg_dump's directory format with a manifest of row counts."""

import contextlib
import json
import os
import re
import subprocess
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click
from psycopg import IsolationLevel, sql
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from pipeline.cli.accounts import check_administrator
from pipeline.cli.checks.doctor import check_database
from pipeline.cli.checks.leftovers import new_folder, remove_leftovers
from pipeline.cli.checks.report import Report
from pipeline.cli.databases.programs import program
from pipeline.cli.databases.schema import set_passwords
from pipeline.cli.failures import Failure, explained
from pipeline.cli.installation import Access, Installation, OwnerConnection
from pipeline.cli.new_database import new_database
from pipeline.database import not_none, queries, revisions

DUMP, MANIFEST = "dump", "manifest.json"
# These rights differ between PostgreSQL releases; 01_everybody.sql sets them.
NOT_RESTORED = re.compile(r"^\d+; \d+ \d+ ACL pg_catalog ", re.MULTILINE)

jobs_option = click.option(
    "--jobs", type=click.IntRange(1), default=2, show_default=True, help="Tables copied in parallel."
)
folder_argument = click.argument("folder", type=click.Path(path_type=Path))


@click.command()
@folder_argument
@jobs_option
@click.pass_obj
def backup(installation: Installation, folder: Path, jobs: int) -> None:
    """Write the whole database into FOLDER, which must not exist. The service can run meanwhile."""
    with installation.access() as access:
        manifest = save(access, folder, jobs)
    click.echo(f"{sum(manifest['rows'].values())} rows of revision {manifest['revision']} are in {folder}.")


@click.command()
@folder_argument
@jobs_option
@click.option(
    "--reset-login-passwords",
    "reset",
    is_flag=True,
    help="Also change the passwords of existing logins. Other services with the old passwords can no longer connect.",
)
@click.pass_obj
def restore(installation: Installation, folder: Path, jobs: int, reset: bool) -> None:
    """Restore FOLDER into the empty database of DATABASE_OWNER_URL.

    Missing logins are created, with the passwords of DATABASE_URL, DATABASE_FORMS_URL and DATABASE_JOBS_URL. Existing
    logins belong to the whole server and do not change.
    """
    with installation.access() as access:
        manifest = manifest_of(folder)
        check_empty(access)
        with incomplete(access):
            kept = load(access, folder, manifest, jobs)
        set_passwords(access, () if reset else kept)
    click.echo(f"{sum(manifest['rows'].values())} rows are back, as many in each table as there were.")
    if kept and not reset:
        click.echo(f"Not changed, since the server had them: the logins {', '.join(kept)} and their passwords.")
    if manifest["revision"] != revisions.head():
        click.echo(f"The schema is at {manifest['revision']}: run pipeline migrate.")


@click.command()
@jobs_option
@click.pass_obj
@click.pass_context
def drill(context: click.Context, installation: Installation, jobs: int) -> None:
    """Back up, restore into a new database on the same server, compare, and drop that database.

    Prints how long each part took. The exit code is 1 when rows are missing.
    """
    with installation.access() as access, new_folder() as place:
        folder, report = place / "backup", Report()
        for left in remove_leftovers(access):
            report.print_line(True, "removed", f"{left}, left by a killed command")
        begun = time.monotonic()
        manifest = save(access, folder, jobs)
        size = sum(file.stat().st_size for file in folder.rglob("*")) / 1048576
        report.print_line(True, "backup", f"{sum(manifest['rows'].values())} rows, {size:.1f} MiB{_took(begun)}")
        with new_database(access, "drill") as drilled:
            begun = time.monotonic()
            load(drilled, folder, manifest, jobs)
            report.print_line(True, "restore", f"as many rows in each of {len(manifest['rows'])} tables{_took(begun)}")
            check_database(report, drilled)
    context.exit(0 if report.sound else 1)


def save(access: Access, folder: Path, jobs: int) -> dict[str, Any]:
    """Write a backup; returns the manifest. Raises Failure."""
    try:
        folder.mkdir(mode=0o700)
    except OSError as error:
        raise Failure(f"{folder} cannot be created: {error.strerror}.") from None
    with access.connect() as connection, queries.on(connection):
        connection.isolation_level, connection.read_only = IsolationLevel.REPEATABLE_READ, True
        check_administrator()
        snapshot = queries.snapshot_begin()
        rows = _count(connection)
        made = {"made_at": datetime.now(UTC).isoformat(), "revision": revisions.current(connection), "rows": rows}
        # Subscriptions have passwords; pipeline cells reconcile makes them again.
        written = ("--format=directory", "--no-subscriptions", f"--file={folder / DUMP}")
        options = (*written, f"--jobs={jobs}", f"--snapshot={snapshot}")
        _run("pg_dump", connection.info.server_version, access.owner_url, *options)
    # Last: a folder without it is not a backup.
    (folder / MANIFEST).write_text(json.dumps(made, indent=1))
    return made


def manifest_of(folder: Path) -> dict[str, Any]:
    """The manifest of a backup; raises Failure."""
    try:
        found: dict[str, Any] = json.loads((folder / MANIFEST).read_text())
    except (OSError, ValueError):
        raise Failure(f"{folder} is not a complete backup: it has no {MANIFEST}.") from None
    return found


def check_empty(access: Access) -> None:
    """Raise Failure if the database has tables."""
    with access.connect() as connection, queries.on(connection):
        if queries.table_names():
            raise Failure("The database is not empty; create a new one and name it in DATABASE_OWNER_URL.")


@contextlib.contextmanager
def incomplete(access: Access) -> Iterator[None]:
    """Turn an exception into a Failure that tells you to drop the database."""
    try:
        yield
    except (Exception, KeyboardInterrupt) as error:
        ended = "A signal ended the command before it finished."
        message = ended if isinstance(error, KeyboardInterrupt) else explained(error).message
        name = conninfo_to_dict(access.owner_url).get("dbname", "")
        raise Failure(
            f"{message}\nThe database {name} is incomplete: drop it (dropdb {name}) and start again."
        ) from None


def load(access: Access, folder: Path, manifest: dict[str, Any], jobs: int) -> list[str]:
    """Restore a backup; returns the existing logins. Raises Failure."""
    with access.connect() as connection, queries.on(connection):
        kept = [row["name"] for row in queries.logins_present()]
        queries.logins_keep()
        _perform(connection, "00_roles.sql")
        version = connection.info.server_version
    listed = _run("pg_restore", version, None, "--list", str(folder / DUMP))
    options = ("--exit-on-error", f"--jobs={jobs}", "--use-list=/dev/stdin", str(folder / DUMP))
    _run("pg_restore", version, access.owner_url, *options, given=NOT_RESTORED.sub(r";\g<0>", listed))
    with access.connect(autocommit=True) as connection, queries.on(connection):
        with connection.transaction():
            _perform(connection, "01_everybody.sql")
            queries.changes_renumber()
        # Else the server may count the renumbered rows as changes after ANALYZE.
        connection.execute("select pg_stat_force_next_flush()")
        connection.execute("analyze")
        found = _count(connection)
    if found != manifest["rows"]:
        names = sorted(name for name, rows in manifest["rows"].items() if found.get(name) != rows)
        raise Failure(f"The restore is incomplete; compare the rows of {', '.join(names)}.")
    return kept


def _count(connection: OwnerConnection) -> dict[str, int]:
    names = [row["name"] for row in queries.table_names()]
    statement = sql.SQL("select count(*) from app.{}")
    counted = {name: connection.execute(statement.format(sql.Identifier(name))) for name in names}
    return {name: not_none(cursor.fetchone())[0] for name, cursor in counted.items()}


def _perform(connection: OwnerConnection, file: str) -> None:
    connection.execute((revisions.SCHEMA / file).read_text(encoding="utf-8"))


def _took(begun: float) -> str:
    return f", {time.monotonic() - begun:.1f} s"


def _run(name: str, version: int, url: str | None, *options: str, given: str = "") -> str:
    """The output of a program; `given` is its standard input. The environment has the password."""
    environ, command = dict(os.environ), [program(name, version), *options]
    if url:
        parts = conninfo_to_dict(url)
        password = parts.pop("password", None)
        environ |= {"PGPASSWORD": str(password)} if password else {}
        command += ["--no-password", "--dbname=" + make_conninfo("", **parts)]
    done = subprocess.run(command, env=environ, input=given, capture_output=True, text=True, check=False)
    if done.returncode:
        raise Failure(f"{name} failed: {done.stderr.strip()}")
    return done.stdout
