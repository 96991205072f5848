"""`pipeline psql`."""

import signal
import subprocess

import click

from pipeline.cli.accounts import administrator, seat_as
from pipeline.cli.databases.programs import program
from pipeline.cli.installation import Installation
from pipeline.database import Row


@click.command(context_settings={"ignore_unknown_options": True})
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED, metavar="[PSQL OPTIONS]...")
@click.option(
    "--organization", metavar="SLUG", help="The organization. Default: the first one with a seat of this role."
)
@click.option("--role", type=click.Choice(["member", "admin"]), default="member", show_default=True)
@click.option("--owner", is_flag=True, help="The login of DATABASE_OWNER_URL instead, which sees all organizations.")
@click.pass_obj
def psql(
    installation: Installation, arguments: tuple[str, ...], organization: str | None, role: str, owner: bool
) -> None:
    """Open psql as the application: its login and role, row-level security bound to one organization.

    Changes are committed. PostgreSQL ends a statement of the application's login after 5 s; `set statement_timeout = 0`
    lifts this limit for the session.

    Options after `--` belong to psql: pipeline psql -- -c 'select count(*) from leads'
    """
    with installation.access() as access:
        url, environ = access.owner_url, installation.environ
        if not owner:
            with administrator(access):
                seat = seat_as(organization, role)
            url = access.settings.database_url
            click.echo(f"pipeline_{role} of {seat['slug']}", err=True)
            environ = {**environ, "PGOPTIONS": options(seat, role)}
        # Ctrl-C is for psql; this process may hold the server.
        kept = signal.signal(signal.SIGINT, signal.SIG_IGN)
        try:
            ended = subprocess.run([program("psql"), url, *arguments], env=environ, check=False)
        finally:
            signal.signal(signal.SIGINT, kept)
    raise SystemExit(ended.returncode)


def options(seat: Row, role: str) -> str:
    """A request's settings, for a session of psql."""
    return f"-c role=pipeline_{role} -c app.organization_id={seat['organization_id']} -c app.user_id={seat['user_id']}"
