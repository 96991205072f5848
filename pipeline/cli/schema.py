"""`pipeline migrate` and `pipeline demo`."""

from collections.abc import Callable, Container

import click
import psycopg
from psycopg import sql

from pipeline.cli import logs
from pipeline.cli.drift import check_drift
from pipeline.cli.failures import Failure
from pipeline.cli.installation import LOGINS, Access, Installation, OwnerConnection
from pipeline.cli.plan import plan
from pipeline.cli.repair import mend
from pipeline.cli.servers import check_alone, connected, servers_of
from pipeline.database import migrations, not_none, queries, revisions
from pipeline.database.parts import SchemaDiffers, check_before, check_parts, is_readable, record_parts
from pipeline.database.waiting import until_there
from pipeline.process.settings.database_url import login_of

TO_ONE_THAT_MAY = "set DATABASE_OWNER_URL to one that may (docs/database.md)."
KEEP_THE_RELEASE = (
    "its schema cannot be migrated; go on with the release of its revision, or put the rows into one PostgreSQL"
)


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
@click.option(
    "--repair", is_flag=True, help="First undo changes by hand, except of tables, columns' types, sequences and roles."
)
@click.pass_obj
def migrate(installation: Installation, wait: float, dry_run: bool, repair: bool) -> None:
    """Bring the database to this release's schema.

    Also sets the passwords of pipeline_app, pipeline_forms and pipeline_jobs to those in DATABASE_URL,
    DATABASE_FORMS_URL and DATABASE_JOBS_URL.
    """
    with installation.access() as access:
        logs.configure(installation.development)
        until_there("PostgreSQL", lambda: access.connect().close(), wait)
        if dry_run:
            with access.connect() as connection:
                _checked(connection, check_before)
            plan(access, click.echo)
            return
        if repair:
            mend(access, click.echo)
        upgrade(access, installation.log)
        with access.connect() as connection:
            click.echo(f"The schema is at {revisions.current(connection)}.")


@click.command()
@click.pass_obj
def demo(installation: Installation) -> None:
    """Load the demo data (development only; once)."""
    if not installation.development:
        raise Failure("The demo data has public passwords; load it in development only.")
    with installation.access() as access:
        loaded = load_demo(access, installation.log)
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
    if not check_schema(access, standing.revision):
        log("The schema is not compared with the recorded one: nothing is recorded that this release can read.")
    if not up_to_date:
        check_alone(access, KEEP_THE_RELEASE)
        migrations.upgrade(access.owner_url, log)
    set_passwords(access)


def check_schema(access: Access, revision: str | None) -> bool:
    """Raise Failure if the schema changed since its migration; False if nothing is comparable."""
    if revision is None or len(servers_of(access)) > 1:
        return True
    with access.connect() as connection:
        if revision != revisions.head():
            return _checked(connection, check_before) is not False
        if is_readable(connection):
            _checked(connection, check_parts)
            return True
        check_drift(access)
        record_parts(connection)
        return True


def _checked(connection: OwnerConnection, check: Callable[[OwnerConnection], bool | None]) -> bool | None:
    try:
        return check(connection)
    except SchemaDiffers as error:
        raise Failure(str(error)) from None


def load_demo(access: Access, log: Callable[[str], None]) -> bool:
    """Load the demo data; False if it exists."""
    # Production is installed without the data.
    from development.demo import load

    return load(access.owner_url, log)


def set_passwords(access: Access, kept: Container[str] = ()) -> None:
    """Set the URLs' passwords on every server, except for logins in `kept`."""
    owner, _ = login_of(access.owner_url)
    given = [login_of(getattr(access.settings, setting)) for setting in LOGINS.values()]
    for server in servers_of(access):
        with connected(server) as connection:
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


def _alter_role(connection: OwnerConnection, statement: sql.Composed, attempts: int = 10) -> None:
    """Alter a role; retries after concurrent changes."""
    for attempt in range(1, attempts + 1):
        try:
            connection.execute(statement)
            return
        except psycopg.errors.InternalError_:  # tuple concurrently updated
            if attempt == attempts:
                raise
