"""`pipeline migrate` and `pipeline demo`."""

import contextlib
from collections.abc import Callable, Container

import click
import psycopg
from psycopg import sql

from pipeline.cli import logs
from pipeline.cli.cell_servers import cells_migrated
from pipeline.cli.checks.ready import why_unusable
from pipeline.cli.databases.plan import NoDatabase, made_by_revisions, plan
from pipeline.cli.failures import Failure
from pipeline.cli.installation import LOGINS, Access, Installation, OwnerConnection
from pipeline.database import migrations, not_none, queries, revisions
from pipeline.database.schema_record import UNDO, check_parts, compared, differences, parts, record_parts, recorded
from pipeline.database.waiting import until_there
from pipeline.process.settings.database_url import login_of

TO_ONE_THAT_MAY = "set DATABASE_OWNER_URL to one that may (docs/database.md)."


@click.command()
@click.option(
    "--wait",
    envvar="MIGRATE_WAIT_SECONDS",
    type=click.FloatRange(0),
    default=60,
    show_default=True,
    help="Seconds to wait for PostgreSQL. Or set MIGRATE_WAIT_SECONDS.",
)
@click.option("--dry-run", is_flag=True, help="Only list the pending revisions and the tables that they lock.")
@click.pass_obj
def migrate(installation: Installation, wait: float, dry_run: bool) -> None:
    """Bring the database to this release's schema.

    Also sets the passwords of pipeline_app, pipeline_forms and pipeline_jobs to those in DATABASE_URL,
    DATABASE_FORMS_URL and DATABASE_JOBS_URL.
    """
    with installation.access() as access:
        logs.configure(installation.development)
        until_there("PostgreSQL", lambda: access.connect().close(), wait)
        if dry_run:
            check_schema(access, installation.log)
            plan(access, click.echo)
            return
        with cells_migrated(access, lambda cell: upgrade(cell, installation.log), installation.log):
            upgrade(access, installation.log)
        with access.connect() as connection:
            click.echo(f"The schema is at {revisions.current(connection)}.")


@click.command()
@click.pass_obj
def demo(installation: Installation) -> None:
    """Load the demo data (development only; once)."""
    if not installation.development:
        raise Failure("The demo data has public passwords; load it in development only.")
    # Production is installed without the data.
    from development.demo import load

    with installation.access() as access:
        loaded = load(access.owner_url, installation.log)
        click.echo("The demo data is loaded." if loaded else "The demo data was loaded before.")


def upgrade(access: Access, log: Callable[[str], None]) -> None:
    """Migrate, and set the logins' passwords."""
    with access.connect() as connection, queries.on(connection):
        try:
            standing = revisions.schema_state(connection)
        except psycopg.errors.InsufficientPrivilege:
            connection.rollback()
            standing = revisions.SchemaState()
        up_to_date = standing.is_usable_by(revisions.head())
        if not up_to_date and not not_none(queries.login_rights())["may_create_roles"]:
            raise Failure(f"The login {connection.info.user} may not migrate; {TO_ONE_THAT_MAY}")
    if standing.revision and standing.revision > revisions.head() and not up_to_date:
        raise Failure(f"The schema is {why_unusable(standing.revision, revisions.head())}")
    if check_schema(access, log) and up_to_date:
        with access.connect() as connection:
            record_parts(connection)
    if not up_to_date:
        migrations.upgrade(access.owner_url, log)
    set_passwords(access)


def check_schema(access: Access, log: Callable[[str], None]) -> bool:
    """Raise Failure or SchemaDiffers for another schema than the migration's; True if its record is not readable."""
    with access.connect() as connection:
        revision, record = revisions.current(connection), recorded(connection)
        if revision is None:
            _check_new(connection)
            return False
        if record is None or record.is_readable(connection):
            check_parts(connection)
            return False
        if revision > revisions.head():
            log("The schema is not compared: a newer release recorded it.")
            return False
        try:
            wanted = made_by_revisions(access, revision)
        except NoDatabase as error:
            log(f"The schema is not compared, because its record is another release's. {error}")
            return True
        if found := differences(*compared(wanted, parts(connection))):
            raise Failure("\n  ".join(["The schema differs from its revisions:", *found, UNDO]))
        return True


def _check_new(connection: OwnerConnection) -> None:
    with queries.on(connection):
        if found := [row["name"] for row in queries.foreign_objects()]:
            raise Failure(f"This database contains {', '.join(found)}: name an empty one in DATABASE_OWNER_URL.")


def set_passwords(access: Access, kept: Container[str] = ()) -> None:
    """Set the URLs' passwords, except for logins in `kept`."""
    owner, _ = login_of(access.owner_url)
    given = [login_of(getattr(access.settings, setting)) for setting in LOGINS.values()]
    with access.connect(autocommit=True) as connection:
        for login, password in given:
            if login and password and login != owner and login not in kept:
                _set_password(connection, login, password)


def _set_password(connection: OwnerConnection, login: str, password: str) -> None:
    # Keeps the password out of the server's log.
    secret = connection.pgconn.encrypt_password(password.encode(), login.encode(), b"scram-sha-256").decode()
    statement = sql.SQL("alter role {} password {}").format(sql.Identifier(login), sql.Literal(secret))
    try:
        _alter_role(connection, statement)
    except psycopg.errors.InsufficientPrivilege:
        owner = connection.info.user
        raise Failure(f"The login {owner} may not set the password of {login}; {TO_ONE_THAT_MAY}") from None
    except psycopg.errors.UndefinedObject:
        raise Failure(
            f"There is no login {login}: DATABASE_URL must name pipeline_app, "
            "DATABASE_FORMS_URL pipeline_forms, DATABASE_JOBS_URL pipeline_jobs."
        ) from None


def _alter_role(connection: OwnerConnection, statement: sql.Composed) -> None:
    """Alter a role; retries after concurrent changes."""
    for _ in range(9):
        with contextlib.suppress(psycopg.errors.InternalError_):  # tuple concurrently updated
            connection.execute(statement)
            return
    connection.execute(statement)
